/** What stands in place of a page that cannot be shown (yet). */
import { button, el } from '#el';

/** @param {string} words */
export function loadingState(words) {
  return el('div', { class: 'stateview', 'aria-busy': 'true' }, el('p', { role: 'status' }, words));
}

/** @param {import('#failure').Failure} failure @param {() => void} again @param {(() => void)|null} home */
export function failureState(failure, again, home) {
  if (failure.status === 401) return lockedState(again);
  return el(
    'div',
    { class: 'stateview', role: 'alert' },
    el('h1', null, failure.what),
    failure.hint ? el('p', null, failure.hint) : null,
    el('p', null, button('Try again', again), ' ', home ? button('All sessions', home) : null),
  );
}

/** @param {() => void} again */
function lockedState(again) {
  return el(
    'div',
    { class: 'stateview', role: 'alert' },
    el('h1', null, 'This page is locked'),
    el('p', null, 'Waterglass prints the address to open, with its code, in the terminal where it was started:'),
    el('pre', null, 'http://127.0.0.1:8765/?code=\u2026'),
    el('p', null, 'Each start has its own code. Open that address once in this browser.'),
    el('p', null, button('Try again', again)),
  );
}

/** A line that says that the server is lost, with the seconds to the next try. @param {number} seconds */
export function lostBanner(seconds) {
  return el('div', { class: 'banner lost', role: 'status' }, `Disconnected, retrying in ${seconds} s. What is shown stays.`);
}
