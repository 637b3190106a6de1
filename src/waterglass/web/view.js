/**
 * The state of the session view, without a document: what is open, found, selected, and which range of time is shown.
 */
import { scaleOf } from '#axis';
import { initialOpen, lineOf, reveal, setBelow, topsOf, visibleLines } from '#lines';
import { runQuery, textOf } from '#match';
import { buildModel } from '#model';
import { parseQuery } from '#query';
import { centreOn, clampRange, fitRange, panBy, zoomAt } from '#range';
import { sortedCalls } from '#sort';
import { rangeOf, spanOf } from '#spans';
import { axisOf, timelineOf } from '#timeline';
import { buildTree, CALL, HEAD } from '#tree';

export class View {
  /** @param {any} payload @param {number} nowMs */
  constructor(payload, nowMs) {
    this.payload = payload;
    this.nowMs = nowMs;
    // In a report time stands still: what ran then ran until it was made.
    this.model = buildModel(payload, payload.report?.createdMs ?? nowMs);
    this.tree = buildTree(this.model, payload);
    this.timeline = timelineOf(this.model, payload);
    this.folded = true;
    this.axis = axisOf(this.timeline, true);
    this.open = initialOpen(this.tree);
    this.calls = true;
    this.replies = true;
    this.follow = true;
    this.width = 600;
    this.selected = -1;
    /** @type {import('#sort').Sort|null} the column that orders the calls; null: the tree */
    this.sort = null;
    /** @type {Int32Array|null} lines by node while they are sorted, -1 for none */
    this.places = null;
    /** @type {Map<string, Map<string, boolean>>} `text:` terms, then row ids: does the body hold the text? */
    this.contents = new Map();
    /** What of the bodies was looked through, in words. */
    this.searched = '';
    this.query = '';
    /** @type {import('#query').Fault[]} */
    this.faults = [];
    /** @type {ReturnType<typeof runQuery>} */
    this.found = null;
    /** @type {[number, number]} */
    this.range = [this.axis.startMs, this.axis.endMs];
    /** @type {Map<string, Set<() => void>>} */
    this.listeners = new Map();
    this.lines = this.freshLines();
  }

  /** @param {'lines'|'range'|'selection'|'mode'} event @param {() => void} listener */
  on(event, listener) {
    const known = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, known.add(listener));
  }

  /** @param {'lines'|'range'|'selection'|'mode'} event */
  tell(event) {
    for (const listener of this.listeners.get(event) ?? []) listener();
  }

  /** Are the lines a flat list now? Without calls there is nothing to sort. */
  get sorted() {
    return this.sort !== null && this.calls;
  }

  freshLines() {
    this.places = null;
    if (this.sort && this.calls) {
      const nodes = sortedCalls(this.model, this.tree, this.sort, this.found?.marks ?? null);
      this.places = new Int32Array(this.tree.n).fill(-1);
      for (let line = 0; line < nodes.length; line++) this.places[nodes[line]] = line;
      return nodes;
    }
    return visibleLines(this.tree, {
      open: this.open,
      marks: this.found?.marks ?? null,
      calls: this.calls,
      replies: this.replies,
    });
  }

  relist() {
    this.lines = this.freshLines();
    this.tell('lines');
  }

  get scale() {
    return scaleOf(this.axis, this.range[0], this.range[1], this.width);
  }

  /** @param {number} node @returns {[number, number]} */
  span(node) {
    return spanOf(this.model, this.tree, this.payload, node);
  }

  /** @param {[number, number]} range @param {boolean} [byHand] a range set by hand ends following */
  setRange(range, byHand = true) {
    const next = clampRange(this.axis, range[0], range[1]);
    if (!next.every(Number.isFinite)) return;
    if (byHand) this.setFollow(false);
    if (next[0] === this.range[0] && next[1] === this.range[1]) return;
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

  fitAll() {
    this.setRange([this.axis.startMs, this.axis.endMs]);
  }

  /** @param {Iterable<number>} nodes @param {boolean} [byHand] */
  fit(nodes, byHand = true) {
    const range = rangeOf(this, nodes);
    if (range) this.setRange(fitRange(this.axis, range[0], range[1]), byHand);
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

  /** @param {'calls'|'replies'} what @param {boolean} on */
  setShown(what, on) {
    this[what] = on;
    this.tell('mode');
    this.relist();
  }

  /** @param {import('#sort').Sort|null} sort */
  setSort(sort) {
    this.sort = sort;
    this.relist();
  }

  /** @param {string} text */
  setQuery(text) {
    this.query = text;
    this.faults = parseQuery(text).faults;
    this.refind();
  }

  /** Runs the query over what is known by now. */
  refind() {
    this.found = this.find(parseQuery(this.query).terms);
    this.relist();
  }

  /** @param {import('#query').Term[]} terms */
  find(terms) {
    return runQuery(this.model, this.tree, this.payload, terms, this.contents);
  }

  /** The texts that are looked for in bodies. @returns {string[]} */
  needles() {
    return parseQuery(this.query).terms.flatMap((term) => (term.op === 'content' ? (term.values ?? []) : []));
  }

  /** Rows that hold to all terms that need no body. @returns {number[]} */
  candidates() {
    const marks = this.find(parseQuery(this.query).terms.filter((term) => term.op !== 'content'))?.marks;
    const rows = Array.from({ length: this.model.n }, (_, row) => row);
    return marks ? rows.filter((row) => marks[this.tree.nodeOfRow[row]] === 1) : rows;
  }

  /** @param {number} node @param {boolean} [to] */
  toggle(node, to = !this.open[node]) {
    if (this.found || this.sorted || Boolean(this.open[node]) === to) return;
    this.open[node] = to ? 1 : 0;
    this.relist();
  }

  /** @param {number} node @param {0|1} to */
  openBelow(node, to) {
    setBelow(this.tree, this.open, node, to);
    this.relist();
  }

  /** @param {0|1} to all agents; heads stay open */
  openAll(to) {
    for (let node = 0; node < this.tree.n; node++) if (this.tree.kind[node] !== HEAD || to) this.open[node] = to;
    this.relist();
  }

  /** @param {number} node -1 for none */
  select(node) {
    if (node >= 0 && this.lineOf(node) < 0 && !this.found) {
      // Only calls can be sorted: any other line is shown in its place in the tree.
      this.sort = null;
      reveal(this.tree, this.open, node);
      this.relist();
    }
    this.selected = node;
    this.tell('selection');
  }

  /** The line of a node, -1 when it is not among the lines. @param {number} node */
  lineOf(node) {
    if (node < 0) return -1;
    if (this.places) return this.places[node];
    const line = lineOf(this.lines, node);
    return line >= 0 && this.lines[line] === node ? line : -1;
  }

  get selectedLine() {
    return this.lineOf(this.selected);
  }

  /** The last exchange that has calls, else the last. @returns {number} its head, -1 without any */
  get lastBusyHead() {
    let found = -1;
    for (let node = 0; node < this.tree.n; node = this.tree.end[node]) {
      if (this.tree.exchanges[this.tree.ref[node]].calls > 0 || found < 0) found = node;
    }
    return found;
  }

  /** Tops of lines when texts are read in full. @param {(text: string) => number} heightOf */
  tops(heightOf) {
    return topsOf(this.lines.length, (line) => heightOf(textOf(this.payload, this.tree, this.lines[line])));
  }
}
