/** The list of keys. */
import { button, el } from '#el';

/** @type {[string, string][]} */
const KEYS = [
  ['↑ ↓  j k', 'line before, next'],
  ['← →', 'close or go out, open or go in'],
  ['Home End PgUp PgDn', 'first, last, a page'],
  ['Enter', 'open the detail'],
  ['Esc', 'back: close, clear the filter, tree order, start page'],
  ['W S  + −  Ctrl+wheel', 'zoom in, out'],
  ['A D  Shift+wheel', 'earlier, later (with Shift faster)'],
  ['0  Shift+0', 'all of the session, all that matches'],
  ['F  F F', 'centre, fit what is selected'],
  ['L', 'follow: the window moves with the lines in view'],
  ['G', 'fold or unfold idle time'],
  ['n N  e E  c', 'next and previous match, error; compaction'],
  ['*  [ ]', 'open all below; close, open all agents'],
  ['Tab  ← →  Enter', 'to the column heads, from head to head, sort: ascending, descending, tree order'],
  ['Shift+← →  Shift+Enter', 'on a column head: its width, fit it (drag its edge, double-click)'],
  ['/  Ctrl+F', 'filter; once more Ctrl+F: the browser\u2019s own search'],
  ['↑ in the empty filter', 'earlier filters'],
  ['Enter  Shift+Enter', 'in the filter: next, previous match'],
  ['y  Ctrl+C', 'copy a link to the line, the call as a row'],
  ['T', 'light or dark'],
  ['?', 'this list'],
];

/** Opens the list; the focus goes back to where it was when it closes. */
export function showHelp() {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const dialog = el(
    'dialog',
    { class: 'help', 'aria-label': 'Keys' },
    el('h2', null, 'Keys'),
    el(
      'dl',
      { class: 'pairs' },
      ...KEYS.flatMap(([keys, words]) => [el('dt', null, el('kbd', null, keys)), el('dd', null, words)]),
    ),
    button('Close', () => dialog.close()),
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    before?.focus?.();
  });
  document.body.append(dialog);
  dialog.showModal();
}
