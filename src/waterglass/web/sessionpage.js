/** The page of one session: header, overview, grid, detail, put together around one view. */
import { copyText, rowsAsTsv } from '#copymenu';
import { Detail } from '#detail';
import { button, el, refill, setText } from '#el';
import { metricPanel, signalPanel } from '#evidence';
import { FilterBox } from '#filterbox';
import { counted } from '#format';
import { listenWheel } from '#gestures';
import { Grid } from '#grid';
import { showHelp } from '#help';
import { Judging } from '#judging';
import { keyName, keyTable } from '#keys';
import { isMuted } from '#letters';
import { initialOpen, lineOf } from '#lines';
import { Live } from '#live';
import { Minimap } from '#minimap';
import { findNode, nameNode } from '#naming';
import { oneLine } from '#plain';
import { Scorecard } from '#scorecard';
import { lengthBanner, problemBanner, reportBanner, sessionFacts } from '#sessionhead';
import { sessionPanel } from '#sessionpanel';
import { parseSort, printSort } from '#sort';
import { statusWords } from '#statusline';
import { toggleTheme } from '#theme';
import { CALL, REPLY } from '#tree';
import { makeToolbar } from '#toolbar';
import { View } from '#view';

export class SessionPage {
  /**
   * @param {HTMLElement} root @param {any} payload @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {(() => void)|null} home leads to the start page; null in a report
   */
  constructor(root, payload, source, place, home) {
    this.place = place;
    this.home = home;
    /** @type {any} */
    this.toolbar = null;
    /** @type {HTMLElement|null} where the focus goes when the panel closes */
    this.opener = null;
    this.view = new View(payload, Date.now());
    this.grid = new Grid(this.view, {
      open: (node) => this.openDetail(node, true),
      sort: (sort) => this.sort(sort),
    });
    this.minimap = new Minimap(this.view);
    this.detail = new Detail(this.view, source, {
      tabbed: (tab) => place.update({ tab }),
      closed: () => this.closeDetail(),
      jump: (node) => this.jump(node),
      step: (by) => this.keys.get(by > 0 ? 'ArrowDown' : 'ArrowUp')?.(),
    });
    this.filter = new FilterBox(this.view, source, (q) => {
      place.update({ q });
      this.grid.followNow();
    });
    const jump = (/** @type {number} */ node) => this.jump(this.live?.present(node) ?? node);
    this.scorecard = new Scorecard({
      metric: (metric) => this.openPanel(metricPanel(this.view, metric, jump)),
      signal: (signal) => this.openPanel(signalPanel(this.view, signal, jump)),
    });
    this.scorecard.set(payload);
    this.showSession = () => this.openPanel(sessionPanel(this.view, jump));
    this.status = el('div', { class: 'status' });
    this.keys = keyTable(this.view, this.actions());
    // Building already tells the address what is shown: what it said before counts.
    const address = place.now;
    this.build(root, payload);
    this.listen();
    this.restore(address, true);
    this.grid.focus();
    this.judging = source.scorecard ? new Judging(this, source.scorecard) : null;
    this.live = source.changes ? new Live(this, root, payload, source) : null;
  }

  /** Metrics, health and cost have come. */
  judged() {
    document.querySelector('.facts')?.replaceWith(sessionFacts(this.view.payload, this.view.nowMs));
    this.grid.list.draw(true);
    if (!this.detail.isOpen) this.openNamed(this.place.now.card);
  }

  /** The panel that an address names; a tile may come later. @param {string|null} card */
  openNamed(card) {
    if (card === null || this.detail.panel?.key === card) return;
    if (card === 'session') this.showSession();
    else this.scorecard.tiles.get(card)?.click();
  }

  actions() {
    return {
      pageSize: () => this.grid.page,
      firstLine: () => this.grid.list.inView()[0],
      openAll: (/** @type {0|1} */ to) => {
        this.view.openAll(to);
        this.place.update({ open: to ? 'all' : null });
      },
      open: () => this.view.selected >= 0 && this.openDetail(this.view.selected, true, true),
      back: () => this.back(),
      focusFilter: () => this.filter.input.select(),
      session: () => this.showSession(),
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
      session: () => this.showSession(),
    });
    refill(
      root,
      this.toolbar.element,
      reportBanner(payload.report),
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
    this.view.on('mode', () => this.toolbar.mark());
    this.view.on('range', () => this.ranged());
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
    this.place.update({ sort: printSort(view.sort) });
    const { found, model } = view;
    setText(this.status, statusWords(view));
    if (!view.lines.length && found) {
      refill(
        grid.empty,
        `0 of ${counted(model.n, 'call')} match. `,
        button('clear filter (Esc)', () => this.filter.set('')),
      );
    } else if (!model.n) {
      refill(grid.empty, 'No tool calls yet');
      grid.empty.hidden = false;
    }
    grid.empty.classList.toggle('below', view.lines.length > 0);
  }

  ranged() {
    const { view } = this;
    const all = view.range[0] <= view.axis.startMs && view.range[1] >= view.axis.endMs;
    this.place.update({ t: all || view.follow ? null : [...view.range] });
  }

  selected() {
    const { view } = this;
    this.place.update(nameNode(view, view.selected));
    if (this.detail.isOpen && !this.detail.panel && view.selected >= 0) this.detail.show(view.selected);
  }

  /** Brings the view to what an address says. @param {import('#address').Address} address @param {boolean} first */
  restore(address, first) {
    const { view } = this;
    if (address.open === 'all') view.openAll(1);
    else if (!first && address.open === null) view.open = initialOpen(view.tree);
    if (address.sort !== printSort(view.sort)) view.setSort(parseSort(address.sort));
    if (address.q !== view.query) this.filter.set(address.q);
    const node = findNode(view, address);
    setText(this.message, node === -2 ? 'The line of this address is not in this session' : '');
    if (address.t) view.setRange(address.t);
    if (node >= 0) {
      view.select(node);
      this.grid.list.reveal(view.selectedLine, 'middle');
      if (!address.t) this.grid.followNow();
      if (address.card === null) this.openDetail(node, false, false, address.tab);
    } else if (first) this.begin(address.t !== null);
    else {
      view.select(-1);
      this.closeDetail();
    }
    this.openNamed(address.card);
  }

  /** A session opens on its last exchange that has calls. @param {boolean} ranged the address gave a range */
  begin(ranged) {
    const { view } = this;
    const head = view.lastBusyHead;
    if (head < 0 || view.found || view.sorted) return;
    this.grid.list.reveal(lineOf(view.lines, head), 'top');
    if (!ranged) view.fit([head], false);
  }

  /** @param {number} node @param {boolean} push @param {boolean} [focus] @param {string|null} [tab] */
  openDetail(node, push, focus = false, tab = null) {
    if (node < 0) return;
    this.detail.show(node, tab);
    this.panelShown(null);
    this.place.update(nameNode(this.view, node), push);
    if (focus) this.detail.body.focus({ preventScroll: true });
  }

  /** Pressed again, what opened the panel closes it. @param {import('#detail').Panel} panel */
  openPanel(panel) {
    if (this.detail.isOpen && this.detail.panel?.key === panel.key) {
      this.closeDetail();
      return;
    }
    this.opener = document.activeElement === document.body ? null : /** @type {HTMLElement} */ (document.activeElement);
    this.detail.showPanel(panel);
    this.panelShown(panel.key);
  }

  /** @param {string|null} key of the panel */
  panelShown(key) {
    this.scorecard.mark(key);
    this.place.update({ card: key });
  }

  /** Goes to a line from outside the grid, whatever hides it now. @param {number} node */
  jump(node) {
    const { view } = this;
    if (node < 0) return;
    if (view.found && !view.found.marks[node]) this.filter.set('');
    const kind = view.tree.kind[node];
    if (kind === CALL && !view.calls) view.setShown('calls', true);
    if (kind === REPLY && !view.replies) view.setShown('replies', true);
    view.select(node);
    this.grid.list.reveal(view.selectedLine, 'middle');
    view.show(node);
  }

  closeDetail() {
    if (!this.detail.isOpen) return;
    const back = this.detail.panel ? this.opener : null;
    this.detail.hide();
    this.panelShown(null);
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

  listen() {
    listenWheel(this.view, this.grid);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.onKey);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (document.querySelector('dialog[open]')) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const typing = target.closest('input, textarea, select');
    if (typing) {
      if (event.key === 'Escape') {
        if (this.filter.input.value) this.filter.set('');
        this.grid.focus();
        event.preventDefault();
      } else if (event.key === 'Enter') {
        this.filter.apply();
        this.keys.get(event.shiftKey ? '+n' : 'n')?.();
      }
      return;
    }
    const name = keyName(event);
    if (event.key === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.filter.input.select();
      return;
    }
    if (isMuted(event) && name !== null) return;
    if (name === null) {
      if (event.key === 'c' && (event.ctrlKey || event.metaKey) && target === this.grid.scroller) this.copyRow(event);
      return;
    }
    // Enter and Space press a button; arrows and paging scroll the text of the detail.
    if (name === 'Enter' && target.closest('button, summary')) return;
    if (target.closest('.detailbody') && /^(Arrow|Page|Home|End|Enter)/.test(name)) return;
    const act = this.keys.get(name);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** What is marked with the pointer goes first. @param {KeyboardEvent} event */
  copyRow(event) {
    if (this.view.selected < 0 || String(window.getSelection())) return;
    event.preventDefault();
    copyText(rowsAsTsv(this.view, [this.view.selected]));
  }

  close() {
    document.removeEventListener('keydown', /** @type {any} */ (this.onKey));
    this.live?.close();
    this.grid.close();
    this.minimap.close();
  }
}
