/** The way between the pages of all sessions, and what their bars have in common. */
import { button, el } from '#el';
import { showHelp } from '#help';
import { toggleTheme } from '#theme';

/** @typedef {'sessions'|'find'|'stats'} SitePage */

/** @type {[SitePage, string, string][]} */
const PAGES = [
  ['sessions', 'Sessions', 'All sessions'],
  ['find', 'Search', 'Search the texts of all sessions (S)'],
  ['stats', 'Statistics', 'All sessions added up (I)'],
];

/** @param {SitePage} here @param {import('#app').Go} go */
export function siteNav(here, go) {
  return el(
    'nav',
    { class: 'site', 'aria-label': 'Pages' },
    ...PAGES.map(([page, words, title]) =>
      button(words, () => goTo(page, go), { class: 'quiet', title, 'aria-current': page === here ? 'page' : null }),
    ),
  );
}

/** @param {SitePage} page @param {import('#app').Go} go */
function goTo(page, go) {
  go.page({ page: page === 'sessions' ? null : page });
}

/**
 * The bar of a page that has nothing of its own in it.
 * @param {'find'|'stats'} page @param {string} words its name @param {import('#location').Place} place @param {import('#app').Go} go
 */
export function siteBar(page, words, place, go) {
  return el(
    'div',
    { class: 'top' },
    el('b', { class: 'home' }, 'Waterglass'),
    el('h1', { class: 'unseen' }, words),
    siteNav(page, go),
    el('span', { class: 'gap' }),
    ...siteTools(place, page),
  );
}

/** The buttons at the end of the bar. @param {import('#location').Place} place @param {'start'|'find'|'stats'} page whose keys are shown */
export function siteTools(place, page) {
  return [
    button('\u25d0', () => place.update({ theme: toggleTheme() }), {
      class: 'quiet',
      'aria-label': 'Light or dark (T)',
      title: 'Light or dark (T)',
    }),
    button('?', () => showHelp(page), { class: 'quiet', 'aria-label': 'Keys (?)', title: 'Keys (?)' }),
  ];
}

/**
 * What a key does on each of these pages alike.
 * @param {string} key @param {import('#location').Place} place @param {import('#app').Go} go @param {'start'|'find'|'stats'} page
 * @returns {boolean} was it one of them?
 */
export function siteKey(key, place, go, page) {
  if (key === '?') showHelp(page);
  else if (key === 't') place.update({ theme: toggleTheme() });
  else if (key === 's' && page !== 'find') goTo('find', go);
  else if (key === 'i' && page !== 'stats') goTo('stats', go);
  else return false;
  return true;
}
