/** The copy menu of the detail, and rows as text for other programs. */
import { el } from '#el';
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

/** Calls among lines, top to bottom. @param {any} view @param {Iterable<number>} nodes */
const rowsOf = (view, nodes) =>
  [...nodes].filter((node) => view.tree.kind[node] === CALL && (!view.found || view.found.marks[node] === 1)).map((node) => view.tree.ref[node]);

/** @param {any} view @param {Iterable<number>} nodes @returns {string} with a head line */
export function rowsAsTsv(view, nodes) {
  const lines = rowsOf(view, nodes).map((row) => {
    const facts = rowFacts(view, row);
    return FIELDS.map((field) => cell(facts[field])).join('\t');
  });
  return [FIELDS.join('\t'), ...lines].join('\n');
}

/** @param {any} view @param {Iterable<number>} nodes */
export function rowsAsJson(view, nodes) {
  return JSON.stringify(rowsOf(view, nodes).map((row) => rowFacts(view, row)), null, 2);
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

/** @param {string} text @returns {Promise<boolean>} was it allowed? */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * A button that opens a list of what can be copied.
 * @param {[string, () => string][]} items
 */
export function copyMenu(items) {
  const said = el('span', { class: 'said', role: 'status' });
  const list = el('div', { class: 'menuitems' });
  const menu = el('details', { class: 'menu' }, el('summary', null, 'copy'), list);
  for (const [words, text] of items) {
    const press = el('button', { type: 'button', class: 'quiet' }, words);
    press.addEventListener('click', async () => {
      menu.open = false;
      menu.firstElementChild?.focus();
      said.textContent = (await copyText(text())) ? `${words} copied` : 'not allowed here';
      setTimeout(() => {
        said.textContent = '';
      }, 1600);
    });
    list.append(press);
  }
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape' && menu.open) {
      menu.open = false;
      menu.firstElementChild?.focus();
    } else if (by && menu.open) {
      const all = /** @type {any[]} */ ([...list.children]);
      all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
    if (event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
  });
  return el('span', { class: 'copy' }, said, menu);
}
