/** Which nodes of the tree are lines on the screen now. */
import { CALL, HEAD, REPLY } from '#tree';

export const MATCH = 1;
export const ANCESTOR = 2;

/**
 * @param {import('#tree').Tree} tree
 * @param {{open: Uint8Array, marks: Uint8Array|null, calls: boolean, replies: boolean}} view
 *   open: 1 where a node shows what is below it; marks: MATCH, ANCESTOR or 0 per node while a filter is on, which ignores `open`
 * @returns {Int32Array} node indexes, top to bottom
 */
export function visibleLines(tree, { open, marks, calls, replies }) {
  const out = new Int32Array(tree.n);
  let count = 0;
  for (let node = 0; node < tree.n;) {
    const kind = tree.kind[node];
    if (kind === CALL && !calls) {
      node = tree.end[node];
      continue;
    }
    const hidden = (kind === REPLY && !replies) || (marks !== null && !marks[node]);
    if (!hidden) out[count++] = node;
    // A node without a mark has no match below it either.
    node = marks === null ? (open[node] ? node + 1 : tree.end[node]) : marks[node] ? node + 1 : tree.end[node];
  }
  return out.slice(0, count);
}

/** At the start heads are open and agents closed. @param {import('#tree').Tree} tree */
export function initialOpen(tree) {
  return Uint8Array.from(tree.kind, (kind) => (kind === HEAD ? 1 : 0));
}

/** Can a node be opened? @param {import('#tree').Tree} tree @param {number} node */
export const hasBelow = (tree, node) => tree.end[node] > node + 1;

/** Opens everything above a node. @param {import('#tree').Tree} tree @param {Uint8Array} open @param {number} node */
export function reveal(tree, open, node) {
  for (let up = tree.parent[node]; up >= 0; up = tree.parent[up]) open[up] = 1;
}

/**
 * Opens or closes a node and all below it.
 * @param {import('#tree').Tree} tree @param {Uint8Array} open @param {number} node @param {0|1} to
 */
export function setBelow(tree, open, node, to) {
  open.fill(to, node, tree.end[node]);
}

/**
 * Where a node stands among the lines, else the nearest line above it.
 * @param {Int32Array} lines @param {number} node
 */
export function lineOf(lines, node) {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (lines[mid] <= node) low = mid + 1;
    else high = mid;
  }
  return low - 1;
}

/**
 * Tops of lines of different height, length n + 1.
 * @param {number} n @param {(line: number) => number} heightOf pixels
 */
export function topsOf(n, heightOf) {
  const tops = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) tops[i + 1] = tops[i] + heightOf(i);
  return tops;
}

/**
 * How many screen lines a text takes when about `perLine` characters fit; wide signs count twice.
 * @param {string} text @param {number} perLine @param {number} most
 */
export function wrappedLines(text, perLine, most) {
  let lines = 0;
  for (const part of text.split('\n', most)) {
    const wide = part.length > perLine / 2 ? (part.match(/[\u1100-\uffdc]/g)?.length ?? 0) : 0;
    lines += Math.max(1, Math.ceil((part.length + wide) / perLine));
    if (lines >= most) return most;
  }
  return lines;
}
