/** Calls in the order of a column: one flat list, without the tree. No document. */
import { KINDS, typeWords } from '#kinds';
import { elapsed, nameOf, stringOf, tokensOf } from '#model';

/** @typedef {{key: string, down: boolean}} Sort */

const SORT_KEYS = ['name', 'type', 'outcome', 'duration', 'tokens', 'ctx', 'start'];
// From what needs no look to what does, so that "descending" begins with the errors.
const SEVERITY = ['ok', 'running', 'no_result', 'interrupted', 'blocked', 'rejected', 'error'];

/** `duration` or `-duration` as the address has it, null for the tree's order. @param {string|null} text @returns {Sort|null} */
export function parseSort(text) {
  const key = (text ?? '').replace(/^-/, '');
  return SORT_KEYS.includes(key) ? { key, down: /** @type {string} */ (text)[0] === '-' } : null;
}

/** @param {Sort|null} sort @returns {string|null} */
export const printSort = (sort) => (sort ? `${sort.down ? '-' : ''}${sort.key}` : null);

/** What another press on a column's head does: ascending, descending, the tree's order. @param {Sort|null} sort @param {string} key */
export function nextSort(sort, key) {
  if (sort?.key !== key) return { key, down: false };
  return sort.down ? null : { key, down: true };
}

/**
 * Texts as their places in alphabetical order.
 * @param {number} n @param {(row: number) => string} textOf
 */
function ranks(n, textOf) {
  const texts = Array.from({ length: n }, (_, row) => textOf(row).toLowerCase());
  const places = new Map([...new Set(texts)].sort().map((text, place) => [text, place]));
  return (/** @type {number} */ row) => places.get(texts[row]) ?? NaN;
}

/** @param {any} model @param {string} key @returns {(row: number) => number} NaN where it is not known */
function measureOf(model, key) {
  if (key === 'duration') return (row) => elapsed(model, row);
  if (key === 'tokens') return (row) => tokensOf(model, row);
  if (key === 'ctx') return (row) => model.ctx[row];
  if (key === 'start') return (row) => model.startMs[row];
  if (key === 'outcome') return (row) => SEVERITY.indexOf(stringOf(model, 'outcome', row) ?? 'ok');
  if (key === 'type')
    return ranks(model.n, (row) => typeWords(stringOf(model, 'toolName', row) ?? '', KINDS[model.kind[row]]));
  return ranks(model.n, (row) => nameOf(model, row));
}

/**
 * @param {any} model @param {import('#tree').Tree} tree @param {Sort} sort @param {Uint8Array|null} marks 1 per node that matches the filter
 * @returns {Int32Array} nodes of calls; what is not known stands last either way, equal ones in the tree's order
 */
export function sortedCalls(model, tree, { key, down }, marks) {
  const measure = measureOf(model, key);
  const values = new Float64Array(model.n);
  const rows = [];
  const last = [];
  for (let row = 0; row < model.n; row++) {
    if (marks && marks[tree.nodeOfRow[row]] !== 1) continue;
    values[row] = measure(row);
    (Number.isNaN(values[row]) ? last : rows).push(row);
  }
  const sign = down ? -1 : 1;
  rows.sort((a, b) => sign * (values[a] - values[b]) || a - b);
  return Int32Array.from([...rows, ...last], (row) => tree.nodeOfRow[row]);
}
