/** Which range of time a view shows, and who is told when that or anything else of it changes. No document. */
import { scaleOf } from '#axis';
import { centreOn, clampRange, fitRange, panBy, zoomAt } from '#range';
import { rangeOf, spanOf } from '#spans';
import { axisOf, timelineOf } from '#timeline';
import { CALL, HEAD } from '#tree';

export class ViewRange {
  /** @param {any} payload @param {any} model @param {import('#tree').Tree} tree */
  constructor(payload, model, tree) {
    this.payload = payload;
    this.model = model;
    this.tree = tree;
    this.timeline = timelineOf(model, payload);
    this.folded = true;
    this.axis = axisOf(this.timeline, true);
    this.follow = true;
    this.calls = true;
    this.width = 600;
    /** @type {[number, number]} */
    this.range = [this.axis.startMs, this.axis.endMs];
    this.open = new Uint8Array(0);
    /** @type {{marks: Uint8Array, calls: number, errors: number, others: number}|null} */
    this.found = null;
    this.lines = new Int32Array(0);
    /** @type {Map<string, Set<() => void>>} */
    this.listeners = new Map();
  }

  /** @param {'lines'|'range'|'selection'|'mode'|'step'} event @param {() => void} listener */
  on(event, listener) {
    const known = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, known.add(listener));
  }

  /** `step`: the range is about to change to one that was chosen. @param {'lines'|'range'|'selection'|'mode'|'step'} event */
  tell(event) {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  get scale() {
    return scaleOf(this.axis, this.range[0], this.range[1], this.width);
  }

  /** @param {number} node @returns {[number, number]} */
  span(node) {
    return spanOf(this.model, this.tree, this.payload, node);
  }

  /**
   * @param {[number, number]} range @param {boolean} [byHand] a range set by hand ends following
   * @param {boolean} [chosen] the one before is a step to come back to; zooming and panning have too many
   */
  setRange(range, byHand = true, chosen = false) {
    const next = clampRange(this.axis, range[0], range[1]);
    if (!next.every(Number.isFinite)) return;
    const same = next[0] === this.range[0] && next[1] === this.range[1];
    if (chosen && !same) this.tell('step');
    if (byHand) this.setFollow(false);
    if (same) return;
    this.range = next;
    this.tell('range');
  }

  /** @param {number} width pixels of the waterfall */
  setWidth(width) {
    if (width <= 0 || width === this.width) return;
    this.width = width;
    this.tell('range');
  }

  /** @param {number} x @param {number} factor */
  zoom(x, factor) {
    this.setRange(zoomAt(this.axis, this.range, this.width, x, factor));
  }

  /** @param {number} dx */
  pan(dx) {
    this.setRange(panBy(this.axis, this.range, this.width, dx));
  }

  get all() {
    return this.range[0] <= this.axis.startMs && this.range[1] >= this.axis.endMs;
  }

  fitAll() {
    this.setRange([this.axis.startMs, this.axis.endMs], true, true);
  }

  /** @param {Iterable<number>} nodes @param {boolean} [byHand] */
  fit(nodes, byHand = true) {
    const range = rangeOf(this, nodes);
    if (range) this.setRange(fitRange(this.axis, range[0], range[1]), byHand, byHand);
  }

  fitMatches() {
    const marks = this.found?.marks;
    if (marks) this.fit([...this.lines].filter((node) => marks[node] === 1));
  }

  /** @param {number} node centred; once more: fitted */
  centre(node) {
    const [from, to] = this.span(node);
    const before = this.range;
    const middle = centreOn(this.axis, this.range, this.width, (from + to) / 2);
    const still = Math.abs(middle[0] - before[0]) < 2 && Math.abs(middle[1] - before[1]) < 2;
    if (still) this.fit([node]);
    else this.setRange(middle);
  }

  /** @param {number} node moves the window so that the node's start is seen, if it is not */
  show(node) {
    const [from] = this.span(node);
    if (from < this.range[0] || from > this.range[1]) this.setRange(centreOn(this.axis, this.range, this.width, from));
  }

  /**
   * The window follows the lines in view: it holds their starts, and the ends of calls that end there.
   * @param {number} first @param {number} last
   */
  followLines(first, last) {
    if (!this.follow || !this.calls || last <= first) return;
    let from = Infinity;
    let to = -Infinity;
    for (let line = first; line < last; line++) {
      const node = this.lines[line];
      if (this.tree.kind[node] === HEAD && last - first > 1 && this.open[node]) continue;
      const [a, b] = this.span(node);
      from = Math.min(from, Number.isNaN(a) ? from : a);
      // A long background call in view would stretch the window until all else is a dot.
      const leaf = this.tree.kind[node] !== CALL || !this.model.background[this.tree.ref[node]];
      to = Math.max(to, Number.isNaN(a) ? to : leaf ? b : a);
    }
    if (from <= to) this.setRange(fitRange(this.axis, from, to), false);
  }

  /** @param {boolean} on */
  setFollow(on) {
    if (this.follow === on) return;
    this.follow = on;
    this.tell('mode');
  }

  /** @param {boolean} on */
  setFolded(on) {
    this.folded = on;
    this.axis = axisOf(this.timeline, on);
    this.tell('range');
    this.tell('mode');
  }
}
