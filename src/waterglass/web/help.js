/** The list of keys and gestures, with the switch for keys of one letter. */
import { button, el } from '#el';
import { lettersOn, setLetters } from '#letters';

/** @typedef {[string, string][]} Lines */

/** @type {Lines} */
const SESSION_KEYS = [
  ['↑ ↓  j k', 'line before, next'],
  ['← →', 'close or go out, open or go in'],
  ['Home End PgUp PgDn', 'first, last, a page'],
  ['Enter', 'open the detail'],
  ['Esc', 'back: close, clear the filter, tree order, start page'],
  ['W S  + −', 'zoom in, out (with Shift faster)'],
  ['A D', 'earlier, later (with Shift faster)'],
  ['0  Shift+0', 'all of the session, all that matches'],
  ['F  F F', 'centre, fit what is selected'],
  ['Alt+←  Alt+→', 'the range before, the next: what was fitted or dragged'],
  ['L', 'follow: the window moves with the lines in view'],
  ['G', 'fold or unfold idle time'],
  ['n N  e E  c', 'next and previous match, error; compaction'],
  ['*  [ ]', 'open all below; close, open all agents'],
  ['Shift+Tab  ← →  Enter', 'to the column heads, from head to head, sort: ascending, descending, tree order'],
  ['Shift+← →  Shift+Enter', 'on a column head: its width, fit it'],
  ['/  Ctrl+F', 'filter; once more Ctrl+F: the browser’s own search'],
  ['↑ in the empty filter', 'earlier filters'],
  ['↓  Tab  Enter  Esc', 'in the filter: suggestions, take one, close them'],
  ['Enter  Shift+Enter', 'in the filter: next, previous match'],
  ['y  Ctrl+C', 'copy a link to the line, the call as a row'],
  ['i', 'the session: context over time, prompts, coverage'],
  ['T', 'light or dark'],
  ['?', 'this list'],
];

/** @type {Lines} */
const SESSION_FILTER = [
  ['word  "a phrase"  /expression/', 'names and texts of lines; all terms must hold'],
  ['-term  a,b', 'not; either'],
  ['error  running  ok', 'calls with that outcome; status: has more'],
  ['type:  agent:  file:  model:', 'the tool or its kind, part of a name'],
  ['>5s  tokens:>1k  ctx:>50%  turn:3', 'duration, size of the reply, of the context, number of the exchange'],
  ['is:reread  has:diff', 'and others, which are offered as you type'],
  ['text:"any words"', 'calls whose input or output holds them'],
];

/** @type {Lines} */
const SESSION_POINTER = [
  ['Wheel', 'scroll the lines'],
  ['Ctrl+wheel', 'over the waterfall: zoom where the pointer is'],
  ['Shift+wheel', 'earlier, later; so does a wheel that goes sideways'],
  ['Drag the ruler', 'earlier, later; a double-click zooms in'],
  ['Drag the overview', 'choose a range, move it, move its edges; a double-click shows all'],
  ['◂ ▸', 'go to a bar outside the window'],
  ['Column head', 'press to sort, drag its edge for the width, double-click the edge to fit'],
  ['Edge of the detail', 'drag for its height or width; arrow keys too'],
];

/** @type {Lines} */
const START_KEYS = [
  ['↑ ↓  j k', 'line before, next'],
  ['← →', 'close or open a project or a chain of sessions'],
  ['Home End PgUp PgDn', 'first, last, a page'],
  ['Enter', 'open the session; in the search: the first that matches'],
  ['/', 'search titles and projects'],
  ['Esc', 'clear the search'],
  ['Shift+Tab  ← →  Enter', 'to the column heads, from head to head, sort: one way, the other, by project'],
  ['S  I', 'search the texts of all sessions, statistics'],
  ['T', 'light or dark'],
  ['?', 'this list'],
];

/** @type {Lines} */
const FIND_KEYS = [
  ['↓  Enter', 'in the field: to the first result'],
  ['↑ ↓  j k', 'result before, next'],
  ['Home End', 'first, last result'],
  ['Enter', 'open the session at that line'],
  ['/', 'to the field'],
  ['Esc', 'to the field, clear it, all sessions'],
  ['I', 'statistics'],
  ['T', 'light or dark'],
  ['?', 'this list'],
];

/** @type {Lines} */
const STATS_KEYS = [
  ['Tab', 'from chart to chart'],
  ['← →', 'in a chart: the day before, the next; in all charts together'],
  ['PgUp PgDn  Home End', 'in a chart: a week, first, last day'],
  ['Enter', 'in a chart: that day alone'],
  ['Esc', 'all days and projects, then all sessions'],
  ['S', 'search the texts of all sessions'],
  ['T', 'light or dark'],
  ['?', 'this list'],
];

/** @type {Record<string, Lines>} */
const SITE_KEYS = { start: START_KEYS, find: FIND_KEYS, stats: STATS_KEYS };

/** @param {string} words @param {Lines} lines */
function section(words, lines) {
  return [
    el('h3', null, words),
    el(
      'dl',
      { class: 'pairs' },
      ...lines.flatMap(([keys, does]) => [el('dt', null, el('kbd', null, keys)), el('dd', null, does)]),
    ),
  ];
}

/** Opens the list; the focus goes back to where it was when it closes. @param {'session'|'start'|'find'|'stats'} [where] */
export function showHelp(where = 'session') {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const letters = el('input', { type: 'checkbox', id: 'letters' });
  letters.checked = lettersOn();
  letters.addEventListener('change', () => setLetters(letters.checked));
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    el('header', null, el('h2', null, 'Keys'), button('Close', () => dialog.close())),
    ...(where === 'session'
      ? [...section('Keyboard', SESSION_KEYS), ...section('Pointer', SESSION_POINTER), ...section('Filter', SESSION_FILTER)]
      : section('Keyboard', SITE_KEYS[where])),
    el('p', null, letters, el('label', { for: 'letters' }, ' Keys of one sign without Ctrl or Alt')),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    before?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}
