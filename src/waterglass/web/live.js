/** A session's page that grows: what changed is put in place, and what the reader looks at stays where it is. */
import { setText } from '#el';
import { LiveBar } from '#livebar';
import { LiveFeed } from '#livefeed';
import { applyChanges } from '#livemerge';
import { keyOf, renewView } from '#livestate';
import { stringOf } from '#model';
import { oneLine } from '#plain';
import { problemBanner, sessionFacts } from '#sessionhead';

const PACE_MS = 250;
const TICK_MS = 1000;
// Running calls grow by the second; in a session of this length only with what is written.
const TICKING_ROWS = 5000;
const HIDDEN_MS = 60000;
const NEAR = 4;

export class Live {
  /** @param {any} page the session's page @param {HTMLElement} root @param {any} payload @param {import('#source').Source} source */
  constructor(page, root, payload, source) {
    this.page = page;
    this.root = root;
    this.source = source;
    this.payload = payload;
    this.changed = new Set();
    this.fresh = new Set();
    /** @type {{lost: number, status: number}|null} */
    this.lost = null;
    this.gone = false;
    this.closed = false;
    this.due = 0;
    // Set by scrolling alone: a panel that opens makes the grid lower, and the end is followed all the same.
    this.following = false;
    /** @type {{panel: any, keys: string[]}|null} the nodes as a panel knows them */
    this.named = null;
    this.bar = new LiveBar(() => this.toEnd());
    page.grid.element.append(this.bar.element);
    page.grid.scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    this.onVisible = () => this.visible();
    document.addEventListener('visibilitychange', this.onVisible);
    this.ticker = window.setInterval(() => this.tick(), TICK_MS);
    this.hiddenTimer = 0;
    this.listen();
    this.say();
  }

  listen() {
    this.feed?.close();
    this.feed = new LiveFeed(this.source, this.payload.session.id, this.payload.event ?? '', {
      message: (message) => this.take(message),
      state: (lost) => {
        this.lost = lost;
        this.say();
      },
    });
  }

  /** @param {any} message */
  take(message) {
    this.gone = Boolean(message.gone);
    const merged = applyChanges(this.payload, message);
    if (!merged) {
      this.fetch();
      return;
    }
    if (merged === this.payload) {
      this.say();
      return;
    }
    const before = new Set(this.payload.table.columns.id);
    for (const row of message.rows) {
      this.changed.add(row.id);
      if (!before.has(row.id)) this.fresh.add(row.id);
    }
    this.payload = merged;
    // Not at the next frame: a page in the background has none.
    if (!this.due) this.due = window.setTimeout(() => this.renew(), PACE_MS);
  }

  /** The whole anew; the stream goes on from there. */
  async fetch() {
    this.feed?.pause();
    let payload;
    try {
      payload = await this.source.payload(this.payload.session.id);
    } catch (error) {
      if (!this.closed) this.feed?.lost(/** @type {any} */ (error).status ?? 0);
      return;
    }
    if (this.closed) return;
    this.payload = payload;
    for (const id of payload.table.columns.id) this.changed.add(id);
    this.renew();
    this.listen();
  }

  get atEnd() {
    const { list } = this.page.grid;
    return list.scrollTop * list.ratio + list.viewHeight >= list.total - NEAR;
  }

  /** Brings the page to the payload at hand. */
  renew() {
    clearTimeout(this.due);
    this.due = 0;
    if (this.closed) return;
    const { page, payload } = this;
    const { view, grid, detail } = page;
    const { list } = grid;
    const stick = (this.following || this.atEnd) && !view.sorted;
    const first = list.inView()[0];
    const top = list.scrollTop * list.ratio - list.topOf(first);
    this.nameNodes();
    const old = view.payload;
    const [anchor, shown] = renewView(view, payload, Date.now(), [view.lines[first] ?? -1, detail.node]);
    view.relist();
    const line = anchor < 0 ? -1 : view.lines.indexOf(anchor);
    if (stick) this.scrollTo(list.total - list.viewHeight);
    else if (line >= 0) this.scrollTo(list.topOf(line) + top);
    if (stick) this.fresh.clear();
    this.redraw(old);
    this.redrawDetail(shown);
    this.changed.clear();
    if (old !== payload) page.judging?.changed();
    this.say();
  }

  /** @param {number} y pixels from the top of the list */
  scrollTo(y) {
    const { list } = this.page.grid;
    const to = Math.max(0, Math.min(y, list.total - list.viewHeight));
    list.scroller.scrollTop = to / list.ratio;
    list.scrollTop = to / list.ratio;
    list.draw(true);
  }

  /** What stands around the grid. @param {any} old the payload before */
  redraw(old) {
    const { page, payload, root } = this;
    const { view } = page;
    view.tell('range');
    page.grid.followNow();
    page.minimap.drawSoon();
    if (old === payload) return;
    root.querySelector('.facts')?.replaceWith(sessionFacts(payload, view.nowMs));
    const problems = (/** @type {any} */ p) => `${p.coverage?.problems?.length} ${p.coverage?.skippedLines}`;
    if (problems(old) !== problems(payload)) {
      const banner = problemBanner(payload.coverage);
      const there = root.querySelector('.banner.problem');
      if (there) there.replaceWith(...(banner ? [banner] : []));
      else if (banner) root.querySelector('.facts')?.after(banner);
    }
    if (JSON.stringify([old.metrics, old.health]) !== JSON.stringify([payload.metrics, payload.health])) {
      page.scorecard.set(payload);
      page.scorecard.mark(page.detail.panel?.key ?? null);
    }
    const title = oneLine(payload.session.title ?? '', 160) || 'Session without a title';
    if (old.session.title !== payload.session.title) {
      document.title = `${title} \u2013 Waterglass`;
      setText(page.toolbar.element.querySelector('h1'), title);
    }
    page.toolbar.mark();
  }

  /** @param {number} node that the panel shows, as it is now */
  redrawDetail(node) {
    const { detail, view } = this.page;
    if (detail.panel || !detail.isOpen) return;
    const id = node >= 0 ? keyOf(view, node) : '';
    const same = id.startsWith('c') && !this.changed.has(id.slice(1));
    detail.node = node;
    if (detail.kept) detail.kept.node = same ? node : -1;
    if (node < 0) this.page.closeDetail();
    else if (!same && id.startsWith('c')) detail.show(node);
  }

  /** Before nodes get other numbers: an open panel leads to nodes by those that it knows. */
  nameNodes() {
    const { detail, view } = this.page;
    if (!detail.panel) this.named = null;
    else if (this.named?.panel !== detail.panel)
      this.named = { panel: detail.panel, keys: Array.from({ length: view.tree.n }, (_, node) => keyOf(view, node)) };
  }

  /** The node that an open panel means. @param {number} node */
  present(node) {
    const { detail, view } = this.page;
    if (!this.named || this.named.panel !== detail.panel) return node;
    const key = this.named.keys[node];
    for (let now = 0; now < view.tree.n; now++) if (keyOf(view, now) === key) return now;
    return -1;
  }

  toEnd() {
    const { list } = this.page.grid;
    this.scrollTo(list.total - list.viewHeight);
    this.scrolled();
  }

  scrolled() {
    this.following = this.atEnd;
    if (this.following) this.fresh.clear();
    this.say();
  }

  get isLive() {
    return this.payload.session.state === 'live' && !this.gone;
  }

  say() {
    const { isLive, gone, lost } = this;
    const atEnd = (this.following || this.atEnd) && !this.page.view.sorted;
    this.bar.show({ live: isLive, atEnd, fresh: this.fresh.size, gone, lost });
  }

  tick() {
    const { view } = this.page;
    if (document.hidden || !this.isLive || this.due || view.model.n > TICKING_ROWS) return;
    for (let row = view.model.n - 1; row >= 0; row--) {
      if (stringOf(view.model, 'outcome', row) === 'running') {
        this.renew();
        return;
      }
    }
  }

  /** Browsers keep six connections to a server: a page that nobody sees, of a session that rests, gives its one back. */
  visible() {
    clearTimeout(this.hiddenTimer);
    if (document.hidden) {
      this.hiddenTimer = window.setTimeout(() => {
        if (!this.isLive) this.feed?.pause();
      }, HIDDEN_MS);
    } else if (this.feed && !this.feed.stream && !this.feed.timer) this.feed.retry();
  }

  close() {
    this.closed = true;
    clearTimeout(this.due);
    clearTimeout(this.hiddenTimer);
    clearInterval(this.ticker);
    document.removeEventListener('visibilitychange', this.onVisible);
    this.feed?.close();
  }
}
