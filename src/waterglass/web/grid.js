/** The grid: column heads, ruler, and the virtual lines with their bars. */
import { el } from '#el';
import { fillLine, makeLine, TEXT_LINE } from '#gridrow';
import { Heads } from '#heads';
import { wrappedLines } from '#lines';
import { drawRuler } from '#ruler';
import { VirtualList } from '#virtual';

export const LINE = 24;
const TEXT_LINES_MAX = 16;
// The page's style says the same widths: a text column, and indent, signs and margin beside it.
const TALK_WIDTH = 900;
const TALK_SIDES = 120;
const SAMPLE = 'The quick brown fox reads 12 files, then runs the tests again.';

/**
 * Pixels that a letter of running text takes, with a reserve for lines that break early.
 * @param {HTMLElement} element
 */
function letterWidth(element) {
  const pen = el('canvas').getContext('2d');
  pen.font = getComputedStyle(element).font;
  return (pen.measureText(SAMPLE).width / SAMPLE.length) * 1.1;
}

export class Grid {
  /**
   * @param {any} view
   * @param {{open: (node: number) => void, sort: (sort: import('#sort').Sort|null) => void}} calls `open`: a line was clicked
   */
  constructor(view, calls) {
    this.view = view;
    this.ruler = el('div', { class: 'ruler', 'aria-hidden': 'true' });
    this.overlay = el('div', { class: 'overlay', 'aria-hidden': 'true' });
    this.heads = new Heads(view, this.ruler, {
      grid: () => this.element,
      cells: () => this.list.elements.map((/** @type {any} */ line) => line.parts),
      sort: calls.sort,
      sized: () => this.measure(),
    });
    // What scrolls has the focus and is the tree; the heads stand outside it, so that they stay in view.
    this.scroller = el('div', {
      class: 'scroller',
      role: 'treegrid',
      tabindex: '0',
      'aria-label': 'Calls',
      'aria-colcount': '7',
      'aria-owns': 'grid-heads',
    });
    this.empty = el('div', { class: 'nolines', role: 'status' });
    this.element = el(
      'div',
      { class: 'grid' },
      this.heads.element,
      this.scroller,
      this.overlay,
      this.empty,
    );
    this.list = new VirtualList(this.scroller, LINE, {
      make: makeLine,
      fill: (line, at) => fillLine(line, view, at, this.whole),
      scrolled: (/** @type {[number, number]|undefined} */ lines) => this.scrolled(lines),
      drawn: () => this.point(),
      held: () => view.selectedLine,
    });
    view.heightOf = (/** @type {number} */ at) => this.list.topOf(at + 1) - this.list.topOf(at);
    this.pending = false;
    this.following = false;
    this.watcher = new ResizeObserver(() => this.measure());
    this.scroller.addEventListener('click', (/** @type {MouseEvent} */ event) => this.clicked(event, calls.open));
    view.on('lines', () => this.relist());
    view.on('range', () => this.queueBars());
    view.on('selection', () => this.selection());
    view.on('mode', () => {
      this.element.classList.toggle('talk', this.whole);
      this.heads.mark();
    });
  }

  /** Without calls the page reads as the conversation: texts in full, no waterfall. */
  get whole() {
    return !this.view.calls;
  }

  /** To be called once the grid is in the document. */
  start() {
    this.watcher.observe(this.scroller);
    this.heads.widths.restore();
    this.list.measure();
    this.measure();
    this.relist();
  }

  measure() {
    const width = this.ruler.clientWidth;
    this.talkWidth = this.scroller.clientWidth;
    // The scroll bar takes its room from the waterfall, in the heads too.
    const bar = this.scroller.offsetWidth - this.scroller.clientWidth;
    this.element.style.setProperty('--bar', `${bar}px`);
    this.view.setWidth(width);
    if (this.whole) this.relist();
  }

  relist() {
    const { view } = this;
    view.drawScale = view.scale;
    this.scroller.setAttribute('aria-rowcount', String(view.lines.length + 1));
    const tops = this.whole ? this.talkTops() : null;
    this.list.setCount(view.lines.length, tops);
    this.empty.hidden = view.lines.length > 0;
    this.drawMarks();
  }

  /** Tops of texts in full. Heights are reckoned from the letters, not measured: there may be 30,000 texts. */
  talkTops() {
    const room = Math.min(this.talkWidth ?? 800, TALK_WIDTH + TALK_SIDES) - TALK_SIDES;
    const perLine = Math.max(16, room / letterWidth(this.element));
    return this.view.tops(
      (/** @type {string} */ text) => 8 + TEXT_LINE * wrappedLines(text.trim(), perLine, TEXT_LINES_MAX),
    );
  }

  queueBars() {
    if (this.pending || this.following) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.view.drawScale = this.view.scale;
      this.list.refresh();
      this.drawMarks();
    });
  }

  drawMarks() {
    if (!this.whole) drawRuler(this.view, this.ruler, this.overlay);
  }

  /**
   * The window follows, before the lines are drawn: so they are filled once.
   * @param {[number, number]} [lines] @returns {boolean} did the window move?
   */
  scrolled([first, last] = this.list.inView()) {
    const before = this.view.range;
    this.following = true;
    this.view.followLines(first, last);
    this.following = false;
    if (this.view.range === before) return false;
    this.view.drawScale = this.view.scale;
    this.drawMarks();
    return true;
  }

  /** Follows at once, for a change that is no scrolling. */
  followNow() {
    if (this.scrolled()) this.list.refresh();
  }

  selection() {
    const line = this.view.selectedLine;
    if (line >= 0) this.list.reveal(line);
    this.list.refresh();
    this.point();
  }

  /** Names the selected line to assistive tools; a line that is not drawn cannot be named. */
  point() {
    const element = this.view.selectedLine < 0 ? undefined : this.list.elementOf(this.view.selectedLine);
    if (element) this.scroller.setAttribute('aria-activedescendant', element.id);
    else this.scroller.removeAttribute('aria-activedescendant');
  }

  /** @param {MouseEvent} event @param {(node: number) => void} open */
  clicked(event, open) {
    const line = this.list.lineOf(event.target);
    if (line < 0) return;
    const node = this.view.lines[line];
    const target = /** @type {Element} */ (event.target);
    this.focus();
    if (target.closest('.twist') && !this.view.found && !this.view.sorted) {
      this.view.selected = node;
      this.view.toggle(node);
      this.view.tell('selection');
      return;
    }
    if (target.closest('.off')) this.view.show(node);
    this.view.select(node);
    open(node);
  }

  focus() {
    this.scroller.focus({ preventScroll: true });
  }

  /** Lines that fit on the screen. */
  get page() {
    return Math.max(1, Math.floor(this.list.viewHeight / LINE) - 1);
  }

  close() {
    this.watcher.disconnect();
    this.list.close();
  }
}
