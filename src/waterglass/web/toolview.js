/** What a call was given, in the form that its tool asks for. */
import { patchLines } from '#diff';
import { changeView, diffView, fileView } from '#diffview';
import { el } from '#el';
import { jsonTree } from '#jsontree';
import { fillSome } from '#more';
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
    return withRest(input, ['old_string', 'new_string'], diffView([[input.old_string, input.new_string]]));
  if (
    Array.isArray(input.edits) &&
    input.edits.every((/** @type {any} */ e) => isText(e?.old_string) && isText(e?.new_string))
  ) {
    return withRest(
      input,
      ['edits'],
      diffView(input.edits.map((/** @type {any} */ e) => [e.old_string, e.new_string])),
    );
  }
  if (toolName === 'Write' && isText(input.content)) return withRest(input, ['content'], fileView(input.content));
  if (Array.isArray(input.todos)) return withRest(input, ['todos'], todoList(input.todos));
  if (isText(input.prompt)) return withRest(input, ['prompt'], textBlock(input.prompt, 'prose'));
  return jsonTree(input);
}

/** The other arguments first, then the large one. @param {any} input @param {string[]} shown @param {...any} views */
function withRest(input, shown, ...views) {
  const rest = Object.entries(input).filter(([key]) => !shown.includes(key));
  return el('div', null, rest.length ? jsonTree(Object.fromEntries(rest)) : null, ...views);
}

const TODO_STATES = new Map(
  Object.entries({ completed: ['\u2713', 'done'], in_progress: ['\u25b6', 'in progress'], pending: ['\u25cb', 'open'] }),
);

/** @param {any[]} todos */
function todoList(todos) {
  return fillSome(el('ul', { class: 'todos' }), todos, (todo) => {
    const [glyph, words] = TODO_STATES.get(todo?.status) ?? ['?', visible(String(todo?.status ?? 'no state'))];
    return el(
      'li',
      { class: todo?.status === 'completed' ? 'done' : '' },
      el('span', { class: 'todostate' }, `${glyph} ${words}`),
      visible(String(todo?.content ?? todo?.subject ?? '')),
    );
  });
}

/**
 * What a call changed, where that says more than its output: as its result wrote it down, with the lines' numbers in the file;
 * else as the call was given it.
 * @param {string} toolName @param {any} body @returns {any} an element, null for a call that changes nothing
 */
export function changeOf(toolName, { input, patch }) {
  const recorded = patchLines(patch);
  if (recorded) return changeView(recorded);
  const edited = (isText(input?.old_string) && isText(input?.new_string)) || Array.isArray(input?.edits);
  return edited || Array.isArray(input?.todos) || (toolName === 'Write' && isText(input?.content)) ? inputView(toolName, input) : null;
}
