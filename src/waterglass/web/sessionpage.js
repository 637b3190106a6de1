/** The page of one session: header, overview, grid, detail, put together around one view. */
import { Detail } from '#detail';
import { button, el, refill, setText } from '#el';
import { exportMenu } from '#exportmenu';
import { FilterBox } from '#filterbox';
import { counted } from '#format';
import { listenWheel } from '#gestures';
import { Grid } from '#grid';
import { showHelp } from '#help';
import { Judging } from '#judging';
import { keyTable } from '#keys';
import { lineOf } from '#lines';
import { Live } from '#live';
import { Minimap } from '#minimap';
import { lineNamed, nameNode } from '#naming';
import { oneLine } from '#plain';
import { lengthBanner, originBanner, problemBanner, sessionFacts } from '#sessionhead';
import { listenKeys } from '#sessionkeys';
import { Panels } from '#panels';
import { parseSort, printSort } from '#sort';
import { statusWords } from '#statusline';
import { toggleTheme } from '#theme';
import { makeToolbar } from '#toolbar';
import { View } from '#view';

export class SessionPage {
  /**
   * @param {HTMLElement} root @param {any} payload @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {((() => void)&{words: string})|null} home leads to the page that was left for it; null in a report
   */
  constructor(root, payload, source, place, home) {
    this.place = place;
    this.source = source;
    this.home = home;
    /** @type {any} */
    this.toolbar = null;
    this.view = new View(payload, Date.now());
    this.grid = new Grid(this.view, {
      open: (node) => this.openDetail(node, true),
      sort: (sort) => this.sort(sort),
    });
    this.minimap = new Minimap(this.view);
    this.detail = new Detail(this.view, source, {
      tabbed: (tab) => place.update({ tab }),
      closed: () => this.closeDetail(),
      jump: (node) => this.panels.jump(node),
      step: (by) => this.keys.get(by > 0 ? 'ArrowDown' : 'ArrowUp')?.(),
    });
    this.filter = new FilterBox(this.view, source, (q) => {
      place.update({ q });
      this.grid.followNow();
    });
    this.panels = new Panels(this);
    this.scorecard = this.panels.scorecard;
    this.scorecard.set(payload);
    this.status = el('div', { class: 'status' });
    this.keys = keyTable(this.view, this.actions());
    // Building already tells the address what is shown: what it said before counts.
    const address = place.now;
    this.build(root, payload);
    listenWheel(this.view, this.grid);
    this.deaf = listenKeys(this);
    this.restore(address, true);
    this.grid.focus();
    this.judging = source.scorecard ? new Judging(this, source.scorecard) : null;
    this.live = source.changes ? new Live(this, root, payload, source) : null;
  }

  /** Metrics, health and cost have come. */
  judged() {
    document.querySelector('.facts')?.replaceWith(sessionFacts(this.view.payload, this.view.nowMs));
    this.grid.list.draw(true);
    if (!this.detail.isOpen) this.panels.openNamed(this.place.now.card);
  }

  actions() {
    return {
      pageSize: () => this.grid.page,
      firstLine: () => this.grid.list.inView()[0],
      openAll: (/** @type {0|1} */ to) => this.view.openAll(to),
      open: () => this.view.selected >= 0 && this.openDetail(this.view.selected, true, true),
      back: () => this.back(),
      focusFilter: () => this.filter.input.select(),
      session: () => this.panels.showSession(),
      help: () => showHelp(),
      theme: () => this.theme(),
      follow: () => this.toggleFollow(),
      copyLink: () => {
        this.place.write();
        navigator.clipboard?.writeText(window.location.href).catch(() => undefined);
      },
    };
  }

  /** @param {HTMLElement} root @param {any} payload */
  build(root, payload) {
    const title = oneLine(payload.session.title ?? '', 160) || 'Session without a title';
    document.title = `${title} \u2013 Waterglass`;
    this.toolbar = makeToolbar(this.view, {
      title,
      filter: this.filter.element,
      home: this.home,
      follow: () => this.toggleFollow(),
      theme: () => this.theme(),
      session: () => this.panels.showSession(),
      export: exportMenu(this.view, this.source),
    });
    refill(
      root,
      this.toolbar.element,
      originBanner(payload),
      sessionFacts(payload, this.view.nowMs),
      problemBanner(payload.coverage),
      lengthBanner(this.view.model),
      this.scorecard.element,
      this.minimap.element,
      el('div', { class: 'work' }, this.grid.element, this.detail.element),
      this.status,
    );
    this.message = el('div', { class: 'message', role: 'status' });
    root.append(this.message);
    this.view.on('lines', () => this.say());
    this.view.on('mode', () => {
      this.toolbar.mark();
      this.ranged();
    });
    this.view.on('range', () => this.ranged());
    this.view.on('step', () => this.place.step());
    this.view.on('selection', () => this.selected());
    this.detail.dock.restore();
    this.grid.start();
    this.minimap.start();
    this.grid.element.classList.toggle('assumed', payload.context?.windowSource === 'assumed');
    this.toolbar.mark();
    this.filter.say();
    this.say();
  }

  say() {
    const { view, grid } = this;
    this.place.update({ sort: printSort(view.sort), open: view.opened });
    const { found, model } = view;
    setText(this.status, statusWords(view));
    if (!view.lines.length && found) {
      const clear = button('clear filter (Esc)', () => this.filter.set(''));
      refill(grid.empty, `0 of ${counted(model.n, 'call')} match. `, clear);
    } else if (!model.n) {
      refill(grid.empty, 'No tool calls yet');
      grid.empty.hidden = false;
    }
    grid.empty.classList.toggle('below', view.lines.length > 0);
  }

  ranged() {
    const { follow, all, range } = this.view;
    this.place.update({ t: follow ? null : all ? 'all' : [...range] });
  }

  selected() {
    const { view } = this;
    this.place.update(nameNode(view, view.selected));
    if (this.detail.isOpen && !this.detail.panel && view.selected >= 0) this.detail.show(view.selected);
  }

  /** Brings the view to what an address says. @param {import('#address').Address} address @param {boolean} first */
  restore(address, first) {
    const { view } = this;
    if (address.open !== view.opened) view.setOpened(address.open);
    if (address.sort !== printSort(view.sort)) view.setSort(parseSort(address.sort));
    if (address.q !== view.query) this.filter.set(address.q);
    const { node, words } = lineNamed(view, address);
    setText(this.message, words);
    if (address.t === 'all') view.setRange([view.axis.startMs, view.axis.endMs]);
    else if (address.t) view.setRange(address.t);
    else if (!first) view.setFollow(true);
    if (node >= 0) {
      view.select(node);
      this.grid.list.reveal(view.selectedLine, 'middle');
      if (!address.t) this.grid.followNow();
      if (address.card === null) this.openDetail(node, false, false, address.tab);
    } else if (first) this.begin(address.t !== null);
    else {
      view.select(-1);
      this.closeDetail();
      this.grid.followNow();
    }
    this.panels.openNamed(address.card);
  }

  /** A session opens on its last exchange that has calls, a report at its beginning. @param {boolean} ranged the address gave a range */
  begin(ranged) {
    const { view } = this;
    const head = this.source.report ? -1 : view.lastBusyHead;
    if (head >= 0 && !view.found && !view.sorted) {
      this.grid.list.reveal(lineOf(view.lines, head), 'top');
      if (!ranged) view.fit([head], false);
    } else if (!ranged) this.grid.followNow();
  }

  /** @param {number} node @param {boolean} push @param {boolean} [focus] @param {string|null} [tab] */
  openDetail(node, push, focus = false, tab = null) {
    if (node < 0) return;
    this.detail.show(node, tab);
    this.panels.shown(null);
    this.place.update(nameNode(this.view, node), push);
    if (focus) this.detail.body.focus({ preventScroll: true });
  }

  closeDetail() {
    if (!this.detail.isOpen) return;
    const back = this.detail.panel ? this.panels.opener : null;
    this.detail.hide();
    this.panels.shown(null);
    (back?.isConnected ? back : this.grid).focus({ preventScroll: true });
  }

  /** Escape: the detail, then the filter, the order, the selection, then the start page. */
  back() {
    if (this.detail.isOpen) this.closeDetail();
    else if (this.view.query) this.filter.set('');
    else if (this.view.sort) this.sort(null);
    else if (this.view.selected >= 0) this.view.select(-1);
    else this.home?.();
  }

  /** Sorted lines begin at the top, or with the selected call in view. @param {import('#sort').Sort|null} sort */
  sort(sort) {
    this.view.setSort(sort);
    this.grid.list.reveal(Math.max(this.view.selectedLine, 0), 'middle');
    this.grid.followNow();
  }

  theme() {
    this.place.update({ theme: toggleTheme() });
    this.minimap.draw();
  }

  toggleFollow() {
    this.view.setFollow(!this.view.follow);
    this.grid.followNow();
  }

  close() {
    this.deaf();
    this.live?.close();
    this.grid.close();
    this.minimap.close();
  }
}
