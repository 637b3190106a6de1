/** The copy menu of the detail, and rows as text for other programs. */
import { actionMenu, copying } from '#menu';
import { listOf, nameOf, stringOf, tokensOf } from '#model';
import { pathOf } from '#outputs';
import { CALL } from '#tree';

const FIELDS = ['id', 'start', 'durationMs', 'tool', 'name', 'outcome', 'outputTokens', 'contextPercent'];

/** @param {any} view @param {number} row @returns {any} */
function rowFacts({ model }, row) {
  const known = (/** @type {number} */ n) => (Number.isNaN(n) ? null : n);
  return {
    id: String(model.id[row]),
    start: Number.isNaN(model.startMs[row]) ? null : new Date(model.startMs[row]).toISOString(),
    durationMs: known(model.duration[row]),
    tool: stringOf(model, 'toolName', row),
    name: nameOf(model, row),
    outcome: stringOf(model, 'outcome', row),
    outputTokens: known(tokensOf(model, row)),
    contextPercent: known(model.ctx[row]),
  };
}

/** A cell that no spreadsheet takes for a formula. @param {any} value */
function cell(value) {
  if (value === null) return '';
  const text = String(value).replace(/[\t\r\n]+/g, ' ');
  return typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
}

/** Calls among lines, top to bottom; with a filter those that match. @param {any} view @param {Iterable<number>} nodes */
export const shownCalls = (view, nodes) =>
  [...nodes].filter((node) => view.tree.kind[node] === CALL && (!view.found || view.found.marks[node] === 1)).map((node) => view.tree.ref[node]);

/** @param {any} view @param {Iterable<number>} nodes @returns {string} with a head line */
export function rowsAsTsv(view, nodes) {
  const lines = shownCalls(view, nodes).map((row) => {
    const facts = rowFacts(view, row);
    return FIELDS.map((field) => cell(facts[field])).join('\t');
  });
  return [FIELDS.join('\t'), ...lines].join('\n');
}

/** @param {any} view @param {Iterable<number>} nodes */
export function rowsAsJson(view, nodes) {
  return JSON.stringify(shownCalls(view, nodes).map((row) => rowFacts(view, row)), null, 2);
}

/**
 * What can be copied of a line.
 * @param {any} view @param {number} node @param {any} body @returns {[string, () => string][]}
 */
export function copyItems(view, node, body) {
  const { tree, model } = view;
  /** @type {[string, () => string][]} */
  const items = [];
  if (tree.kind[node] === CALL) {
    const row = tree.ref[node];
    const path = pathOf(body.input) ?? listOf(model, 'targets', row)[0] ?? null;
    if (typeof body.input?.command === 'string') items.push(['command', () => body.input.command]);
    if (path) items.push(['path', () => path]);
    if (body.input !== null && body.input !== undefined) items.push(['input as JSON', () => JSON.stringify(body.input, null, 2)]);
    if (body.output) items.push(['output', () => body.output]);
  } else if (body?.text) items.push(['text', () => body.text]);
  items.push(['link to this line', () => window.location.href]);
  items.push(['rows shown as TSV', () => rowsAsTsv(view, view.lines)], ['rows shown as JSON', () => rowsAsJson(view, view.lines)]);
  return items;
}

/** @param {[string, () => string][]} items what can be copied */
export const copyMenu = (items) => actionMenu('copy', items.map(([words, text]) => copying(words, text)));
