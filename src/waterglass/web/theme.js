/** Light or dark: the address says it, else what was chosen before, else the system. */

const KEY = 'waterglass-theme';
const PAPER = 1_050; // px across a sheet of A4 on its side, within its margins

/** @returns {'light'|'dark'} */
function systemTheme() {
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

/** On paper the page is as wide as a sheet and goes on over the next ones: light, with the colours that say what a bar is. */
export function fitPaper() {
  const root = document.documentElement;
  let theme = '';
  window.addEventListener('beforeprint', () => {
    theme = root.dataset.theme ?? '';
    root.dataset.theme = 'light';
    root.style.setProperty('--wide', `${window.innerWidth}px`);
    root.style.setProperty('--paper', String(Math.min(1, PAPER / window.innerWidth)));
  });
  window.addEventListener('afterprint', () => {
    root.dataset.theme = theme;
  });
}
