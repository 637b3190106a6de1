/** Light or dark: the address says it, else what was chosen before, else the system. */

const KEY = 'waterglass-theme';

/** @returns {'light'|'dark'} */
export function systemTheme() {
  return window.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** @returns {string|null} */
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @param {string|null} fromAddress */
export function applyTheme(fromAddress) {
  const choice = fromAddress ?? stored();
  document.documentElement.dataset.theme = choice === 'dark' || choice === 'light' ? choice : systemTheme();
}

/** @returns {'light'|'dark'} the theme after the change */
export function toggleTheme() {
  const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Some profiles forbid storage; the choice then lasts as long as the page.
  }
  return next;
}
