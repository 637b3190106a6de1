/** A button that opens a list of things to do; what came of one is said beside it for a moment. */
import { el } from '#el';

const SAID_MS = 2400;

/**
 * @typedef {{words: string, act: () => Promise<string>|string}} Action `act` answers with what came of it
 * @param {string} words of the button @param {(Action|HTMLElement)[]} items @param {Record<string, any>} [props] of the button
 * @returns {any} an element; its `say` shows words beside the button
 */
export function actionMenu(words, items, props = {}) {
  const said = el('span', { class: 'said', role: 'status' });
  const list = el('div', { class: 'menuitems' });
  const menu = el('details', { class: 'menu' }, el('summary', props, words), list);
  let timer = 0;
  const say = (/** @type {string} */ text, stay = false) => {
    clearTimeout(timer);
    said.textContent = text;
    if (!stay) timer = window.setTimeout(() => say('', true), SAID_MS);
  };
  const close = () => {
    menu.open = false;
    menu.firstElementChild?.focus();
  };
  for (const item of items) {
    if (item instanceof HTMLElement) {
      list.append(item);
      continue;
    }
    const press = el('button', { type: 'button', class: 'quiet' }, item.words);
    press.addEventListener('click', async () => {
      close();
      say(await item.act());
    });
    list.append(press);
  }
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!menu.open) return;
    if (event.key === 'Escape') close();
    else if (by && /** @type {HTMLElement} */ (event.target).tagName !== 'SELECT') {
      const all = /** @type {any[]} */ ([...list.querySelectorAll('button, select')]);
      const at = all.indexOf(document.activeElement);
      all[at < 0 && by < 0 ? all.length - 1 : (at + by + all.length) % all.length].focus();
    } else {
      // Letters are keys of the page; in an open list they go nowhere.
      if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
    if (event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
  });
  return Object.assign(el('span', { class: 'copy' }, said, menu), { say, close });
}

/** @param {string} text @returns {Promise<boolean>} was it allowed? */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} words @param {() => string} text @returns {Action} that copies */
export const copying = (words, text) => ({
  words,
  act: async () => ((await copyText(text())) ? `${words} copied` : 'not allowed here'),
});
