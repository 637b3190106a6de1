/**
 * The state of the session view, without a document: what is open, found, sorted and selected, over the range of time shown.
 */
import { initialOpen, lineOf, reveal, setBelow, topsOf, visibleLines } from '#lines';
import { runQuery, textOf } from '#match';
import { buildModel } from '#model';
import { parseQuery, slowFaults } from '#query';
import { sortedCalls } from '#sort';
import { buildTree, CALL, HEAD } from '#tree';
import { ViewRange } from '#viewrange';

// Open agents that an address names: more would make it longer than some programs take.
const NAMED_MOST = 20;

export class View extends ViewRange {
  /** @param {any} payload @param {number} nowMs */
  constructor(payload, nowMs) {
    // In a report time stands still: what ran then ran until it was made.
    const model = buildModel(payload, payload.report?.createdMs ?? nowMs);
    super(payload, model, buildTree(model, payload));
    // Nothing changes in a report: the columns that the model was made of would only take memory.
    if (payload.report) payload.table = null;
    this.nowMs = nowMs;
    this.open = initialOpen(this.tree);
    this.replies = true;
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
    this.asked = parseQuery('');
    this.lines = this.freshLines();
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
    this.asked = parseQuery(text);
    this.refind();
  }

  /** What of the query could not be read, or not be followed. */
  get faults() {
    return [...this.asked.faults, ...slowFaults(this.asked.terms)];
  }

  /** Runs the query over what is known by now. */
  refind() {
    this.found = this.find(this.asked.terms);
    this.relist();
  }

  /** @param {import('#query').Term[]} terms */
  find(terms) {
    return runQuery(this.model, this.tree, this.payload, terms, this.contents);
  }

  /** The texts that are looked for in bodies. @returns {string[]} */
  needles() {
    return this.asked.terms.flatMap((term) => (term.op === 'content' ? (term.values ?? []) : []));
  }

  /** Rows that hold to all terms that need no body. @returns {number[]} */
  candidates() {
    const marks = this.find(this.asked.terms.filter((term) => term.op !== 'content'))?.marks;
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

  /** What opens agents as the address has it: `all`, ids of calls, null for none. @returns {string|null} */
  get opened() {
    const ids = [];
    let closed = false;
    for (let node = 0; node < this.tree.n; node++) {
      if (this.tree.kind[node] !== CALL || this.tree.end[node] === node + 1) continue;
      if (!this.open[node]) closed = true;
      else if (ids.length < NAMED_MOST) ids.push(this.model.id[this.tree.ref[node]]);
    }
    return !ids.length ? null : closed ? ids.join(',') : 'all';
  }

  /** @param {string|null} opened as the address has it; what is not here is passed over */
  setOpened(opened) {
    this.open = initialOpen(this.tree);
    const named = new Set((opened ?? '').split(','));
    for (let node = 0; node < this.tree.n; node++)
      if (this.tree.kind[node] === CALL && (opened === 'all' || named.has(this.model.id[this.tree.ref[node]]))) this.open[node] = 1;
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
