/** What can be taken out of the page: the calls that are shown, and from a server the report of the session. */
import { rowsAsJson, rowsAsTsv, shownCalls } from '#copymenu';
import { button, el, setText } from '#el';
import { failureOf } from '#failure';
import { count, counted } from '#format';
import { actionMenu, copying } from '#menu';
import { saveFile } from '#transfers';

/** @type {[string, string][]} */
const LEVELS = [
  ['secrets', 'secrets'],
  ['paths', 'secrets, user names and paths'],
  ['structure', 'all free text'],
  ['off', 'nothing'],
];
const LOOK = 'Best effort: look at it before you pass it on.';

/** Names hold nothing of a transcript's words. @param {any} payload @param {string} what */
const fileName = (payload, what) => `waterglass-${String(payload.session.id).toLowerCase().replace(/[^a-z0-9]/g, '').slice(0, 8)}-${what}`;

/**
 * @param {any} view @param {import('#source').Source} source
 * @returns {any} an element
 */
export function exportMenu(view, source) {
  const how = el('p', { class: 'menunote' });
  const save = (/** @type {string} */ kind, /** @type {string} */ type, /** @type {() => string} */ text) => ({
    words: `download as ${kind.toUpperCase()}`,
    act: () => {
      saveFile(fileName(view.payload, `calls.${kind}`), new Blob([text()], { type }));
      return 'saved';
    },
  });
  const tsv = () => rowsAsTsv(view, view.lines);
  const json = () => rowsAsJson(view, view.lines);
  const menu = actionMenu(
    '\u2913',
    [
      how,
      copying('copy as TSV', tsv),
      copying('copy as JSON', json),
      save('tsv', 'text/tab-separated-values', tsv),
      save('json', 'application/json', json),
      ...(source.reportFile ? [reportForm(view, source.reportFile, () => menu.close())] : []),
    ],
    { title: 'Export: calls, report', 'aria-label': 'Export' },
  );
  menu.classList.add('export');
  menu.querySelector('details').addEventListener('toggle', () => {
    const asIs = source.report ? 'as this report holds them' : 'as the transcript has them, nothing hidden';
    setText(how, `${count(shownCalls(view, view.lines).length)} of ${counted(view.model.n, 'call')} shown, ${asIs}`);
  });
  return menu;
}

/** @param {any} view @param {(id: string, level: string) => Promise<{name: string, blob: Blob}>} make @param {() => void} close */
function reportForm(view, make, close) {
  const level = el('select', { id: 'report-level' }, ...LEVELS.map(([name, words]) => Object.assign(el('option', null, words), { value: name })));
  const note = el('p', { class: 'menunote', role: 'status' }, LOOK);
  level.addEventListener('change', () => setText(note, level.value === 'off' ? 'Nothing will be hidden in it.' : LOOK));
  const press = button('download the report', async () => {
    press.disabled = true;
    setText(note, 'Making the report\u2026');
    try {
      const { name, blob } = await make(view.payload.session.id, level.value);
      saveFile(name, blob);
      setText(note, LOOK);
      close();
    } catch (error) {
      const failure = failureOf(error);
      setText(note, [failure.what, failure.hint].filter(Boolean).join(': '));
    } finally {
      press.disabled = false;
    }
  }, { class: 'quiet' });
  return el(
    'div',
    { class: 'reportform' },
    el('p', { class: 'menunote' }, 'The whole session as one HTML file'),
    el('p', { class: 'menunote' }, el('label', { for: 'report-level' }, 'hide '), level),
    press,
    note,
  );
}
