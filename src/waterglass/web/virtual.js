/**
 * A long list of which only the lines in view (and a few around them) are elements. Lines stand in document order in one
 * translated layer; scrolling moves elements from one end to the other.
 */
import { el } from '#el';
import { count } from '#format';

// Firefox makes spacers above 17,895,697 px zero high; above this the scroll position is scaled.
const SPACER_MAX = 16000000;
const OVERSCAN = 5;
const ON_PAPER = 2_000; // lines; some sixty sheets

export class VirtualList {
  /**
   * @param {HTMLElement} scroller @param {number} lineHeight pixels
   * @param {{make: () => HTMLElement, fill: (element: any, line: number) => void, scrolled?: (lines?: [number, number]) => boolean,
   *   drawn?: () => void, held?: () => number}} how
   *   `scrolled` is called before the lines are drawn; true: fill those that stay too. `held` names the line to keep
   */
  constructor(scroller, lineHeight, how) {
    this.scroller = scroller;
    this.lineHeight = lineHeight;
    this.how = how;
    this.layer = el('div', { class: 'layer', role: 'rowgroup' });
    this.spacer = el('div', { class: 'spacer', role: 'presentation' });
    scroller.append(this.spacer, this.layer);
    /** @type {HTMLElement[]} */
    this.elements = [];
    this.first = 0;
    this.count = 0;
    /** @type {Float64Array|null} tops of lines when their heights differ */
    this.tops = null;
    this.viewHeight = scroller.clientHeight;
    this.scrollTop = 0;
    scroller.addEventListener(
      'scroll',
      () => {
        this.scrollTop = scroller.scrollTop;
        this.moved = true;
        this.queue(false);
      },
      { passive: true },
    );
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(scroller);
    this.queued = false;
    this.stale = true;
    this.moved = false;
    this.note = el('p', { class: 'papernote' });
    scroller.append(this.note);
    this.toPaper = () => this.paper();
    this.fromPaper = () => {
      this.how.scrolled?.();
      this.draw(true);
    };
    window.addEventListener('beforeprint', this.toPaper);
    window.addEventListener('afterprint', this.fromPaper);
  }

  /** Draws for paper, which does not scroll: all lines, or as many as a reader would turn pages for. */
  paper() {
    const first = this.count <= ON_PAPER ? 0 : this.inView()[0];
    const size = Math.min(ON_PAPER, this.count - first);
    this.how.scrolled?.([first, first + size]);
    this.place(first, size, true);
    const left = this.count - size;
    this.note.textContent = left ? `${count(left)} more lines are not printed: the filter, or folding, makes them fewer.` : '';
  }

  /** To be called once the scroller is in the document: until then it has no height. */
  measure() {
    this.viewHeight = this.scroller.clientHeight;
  }

  /** Keeps a line in view that was, where something opens below. */
  resized() {
    const line = this.how.held?.() ?? -1;
    const [first, last] = this.inView();
    const lower = this.scroller.clientHeight < this.viewHeight;
    this.measure();
    if (lower && line >= first && line < last) this.reveal(line);
    this.queue(true);
  }

  /** @param {number} line */
  topOf(line) {
    return this.tops ? this.tops[line] : line * this.lineHeight;
  }

  get total() {
    return this.topOf(this.count);
  }

  /** Scaling between the scroll bar and the list: 1 up to the spacer's limit. */
  get ratio() {
    const most = SPACER_MAX - this.viewHeight;
    return this.total <= SPACER_MAX ? 1 : (this.total - this.viewHeight) / most;
  }

  /** The line at a distance from the list's top. @param {number} y */
  lineAt(y) {
    if (!this.tops) return Math.max(0, Math.min(Math.floor(y / this.lineHeight), this.count - 1));
    let low = 0;
    let high = this.count;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.tops[mid + 1] <= y) low = mid + 1;
      else high = mid;
    }
    return Math.min(low, Math.max(this.count - 1, 0));
  }

  /** @param {number} count @param {Float64Array|null} [tops] */
  setCount(count, tops = null) {
    this.count = count;
    this.tops = tops;
    this.spacer.style.height = `${Math.min(this.total, SPACER_MAX)}px`;
    this.scrollTop = Math.max(0, Math.min(this.scrollTop, Math.min(this.total, SPACER_MAX) - this.viewHeight));
    this.draw(true);
  }

  /** Lines wholly or partly in view, [first, last). @returns {[number, number]} */
  inView() {
    const top = this.scrollTop * this.ratio;
    return [this.lineAt(top), Math.min(this.lineAt(top + Math.max(this.viewHeight - 1, 0)) + 1, this.count)];
  }

  /** Draw at the next frame. @param {boolean} all also lines that stay */
  queue(all) {
    this.stale = this.stale || all;
    if (this.queued) return;
    this.queued = true;
    requestAnimationFrame(() => {
      this.queued = false;
      const all = (this.moved && this.how.scrolled?.()) || this.stale;
      this.moved = false;
      this.draw(all);
    });
  }

  /** @param {boolean} all */
  draw(all) {
    this.stale = false;
    let [first, last] = this.inView();
    first = Math.max(0, first - OVERSCAN);
    last = Math.min(this.count, last + OVERSCAN);
    if (!this.tops) {
      // A constant number of elements: only then can they be moved from end to end.
      const size = Math.min(this.count, Math.ceil(this.viewHeight / this.lineHeight) + 1 + 2 * OVERSCAN);
      first = Math.max(0, Math.min(first, this.count - size));
      last = first + size;
    }
    this.place(first, last - first, all);
    const shift = this.scrollTop - this.scrollTop * this.ratio;
    this.layer.style.transform = `translateY(${this.topOf(first) + shift}px)`;
    this.how.drawn?.();
  }

  /** @param {number} first @param {number} size @param {boolean} all */
  place(first, size, all) {
    const moved = first - this.first;
    const same = !all && size === this.elements.length && Math.abs(moved) < size && !this.tops;
    while (this.elements.length < size) {
      const element = this.how.make();
      this.elements.push(element);
      this.layer.append(element);
    }
    while (this.elements.length > size) /** @type {HTMLElement} */ (this.elements.pop()).remove();
    this.first = first;
    if (!same) {
      this.elements.forEach((element, i) => this.how.fill(element, first + i));
    } else if (moved > 0) {
      const taken = this.elements.splice(0, moved);
      this.layer.append(...taken);
      this.elements.push(...taken);
      taken.forEach((element, i) => this.how.fill(element, first + size - moved + i));
    } else if (moved < 0) {
      const taken = this.elements.splice(size + moved);
      this.layer.prepend(...taken);
      this.elements.unshift(...taken);
      taken.forEach((element, i) => this.how.fill(element, first + i));
    }
  }

  /** Fills every element again, now. */
  refresh() {
    this.elements.forEach((element, i) => this.how.fill(element, this.first + i));
  }

  /** The element that shows a line, if it is drawn. @param {number} line @returns {HTMLElement|undefined} */
  elementOf(line) {
    return this.elements[line - this.first];
  }

  /** The line that an element (or one inside it) shows, -1 for none. @param {EventTarget|null} target */
  lineOf(target) {
    const element = target instanceof Element ? target.closest('.line') : null;
    const at = element ? this.elements.indexOf(/** @type {HTMLElement} */ (element)) : -1;
    return at < 0 ? -1 : this.first + at;
  }

  /** Scrolls so that a line is seen. @param {number} line @param {'near'|'top'|'middle'} [where] */
  reveal(line, where = 'near') {
    const top = this.topOf(line);
    const height = this.topOf(line + 1) - top;
    const at = this.scrollTop * this.ratio;
    let to = at;
    if (where === 'top') to = top;
    else if (where === 'middle') to = top - (this.viewHeight - height) / 2;
    else if (top < at) to = top;
    else if (top + height > at + this.viewHeight) to = top + height - this.viewHeight;
    if (to === at) return;
    to = Math.max(0, Math.min(to, this.total - this.viewHeight));
    this.scroller.scrollTop = to / this.ratio;
    this.scrollTop = Math.max(to / this.ratio, 0);
    this.draw(false);
  }

  /** Stops watching. */
  close() {
    this.watcher.disconnect();
    window.removeEventListener('beforeprint', this.toPaper);
    window.removeEventListener('afterprint', this.fromPaper);
  }
}
