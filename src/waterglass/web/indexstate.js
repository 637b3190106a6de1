/** How far the index is, as a line with a bar. */
import { el } from '#el';
import { bytes } from '#format';
import { oneLine } from '#plain';

/** Is all known, but for what may have changed a moment ago? @param {any} index `index` of an answer @returns {boolean} */
export const isSettled = (index) => index.complete || index.checking;

/** What is done now, in words. @param {any} index @returns {string} */
function indexWords(index) {
  const far = index.total > 0 ? `: ${Math.floor((100 * index.done) / index.total)} % of ${bytes(index.total)}.` : '\u2026';
  if (index.doing === 'texts') return `The texts are being indexed${far}`;
  if (index.doing === 'figures') return `Sessions are being counted${far}`;
  if (index.doing === 'scores') return `Sessions are being judged${far}`;
  return 'Looking for what is new\u2026';
}

/** @param {any} index @param {string} then what comes of it @returns {any} an element, null where nothing is to be said */
export function indexBanner(index, then) {
  const notes = (index.notes ?? []).map((/** @type {string} */ note) => el('p', null, oneLine(note, 400)));
  const failed = index.failed ? el('p', { class: 'fault' }, `Not up to date: ${oneLine(index.failed, 300)}`) : null;
  if (isSettled(index)) return notes.length || failed ? el('div', { class: 'banner' }, failed, ...notes) : null;
  const bar = el('progress', { 'aria-label': 'How far the index is' });
  if (index.total > 0) {
    bar.max = index.total;
    bar.value = index.done;
  }
  return el('div', { class: 'banner working' }, el('p', null, bar, ` ${indexWords(index)} ${then}`), failed, ...notes);
}
