/** When a line of the tree begins and ends. */
import { CALL, HEAD, REPLY } from '#tree';

/** @param {any} ms */
const time = (ms) => (typeof ms === 'number' ? ms : NaN);

/**
 * @param {any} model @param {import('#tree').Tree} tree @param {any} payload @param {number} node
 * @returns {[number, number]} milliseconds, NaN when not known; equal for a moment
 */
export function spanOf(model, tree, payload, node) {
  const ref = tree.ref[node];
  if (tree.kind[node] === CALL) return [model.startMs[ref], model.untilMs[ref]];
  if (tree.kind[node] === HEAD)
    return [time(tree.exchanges[ref].startMs), time(tree.exchanges[ref].endMs ?? tree.exchanges[ref].startMs)];
  const list = tree.kind[node] === REPLY ? payload.replies : tree.kind[node] === 3 ? payload.marks : payload.prompts;
  const from = time(list[ref].ms);
  return [from, Math.max(time(list[ref].endMs ?? from), from)];
}

/**
 * The range that lines cover together.
 * @param {any} view with model, tree, payload @param {Iterable<number>} nodes
 * @returns {[number, number]|null}
 */
export function rangeOf(view, nodes) {
  let from = Infinity;
  let to = -Infinity;
  for (const node of nodes) {
    const [a, b] = spanOf(view.model, view.tree, view.payload, node);
    if (a < from) from = a;
    if (b > to) to = b;
  }
  return from <= to ? [from, to] : null;
}
