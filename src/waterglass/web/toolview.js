/** What a call was given, in the form that its tool asks for. */
import { diffLines } from '#diff';
import { el } from '#el';
import { count } from '#format';
import { jsonTree } from '#jsontree';
import { visible } from '#plain';
import { textBlock } from '#textblock';

/** @param {any} value */
const isText = (value) => typeof value === 'string';

/** @param {string} toolName @param {any} input @returns {any} an element */
export function inputView(toolName, input) {
  if (input === null || input === undefined) return el('p', { class: 'none' }, 'No input was written.');
  if (typeof input !== 'object' || Array.isArray(input)) return jsonTree(input);
  if (isText(input.command)) return withRest(input, ['command'], textBlock(input.command, 'command'));
  if (isText(input.old_string) && isText(input.new_string))
    return withRest(input, ['old_string', 'new_string'], diffView(input.old_string, input.new_string));
  if (
    Array.isArray(input.edits) &&
    input.edits.every((/** @type {any} */ e) => isText(e?.old_string) && isText(e?.new_string))
  ) {
    return withRest(input, ['edits'], ...input.edits.map((/** @type {any} */ e) => diffView(e.old_string, e.new_string)));
  }
  if (toolName === 'Write' && isText(input.content)) return withRest(input, ['content'], textBlock(input.content, 'added'));
  if (isText(input.prompt)) return withRest(input, ['prompt'], textBlock(input.prompt, 'prose'));
  return jsonTree(input);
}

/** The other arguments first, then the large one. @param {any} input @param {string[]} shown @param {...any} views */
function withRest(input, shown, ...views) {
  const rest = Object.entries(input).filter(([key]) => !shown.includes(key));
  return el('div', null, rest.length ? jsonTree(Object.fromEntries(rest)) : null, ...views);
}

const DIFF_SHOWN = 4000;

/** @param {string} before @param {string} after */
function diffView(before, after) {
  const lines = diffLines(before, after);
  const body = el('div', { class: 'diff', tabindex: '0', role: 'group', 'aria-label': 'Change' });
  for (const { sign, text } of lines.slice(0, DIFF_SHOWN)) {
    const look = sign === '+' ? 'plus' : sign === '-' ? 'minus' : 'same';
    body.append(
      el('div', { class: look }, el('span', { class: 'mark' }, sign), el('span', { class: 'code' }, visible(text))),
    );
  }
  if (lines.length > DIFF_SHOWN)
    body.append(el('p', { class: 'folded' }, `${count(lines.length - DIFF_SHOWN)} more lines are in the Raw tab`));
  return body;
}
