/** The keys of the session's page: which part of the document has the focus decides what they do. */
import { rowsAsTsv } from '#copymenu';
import { keyName } from '#keys';
import { isMuted } from '#letters';
import { copyText } from '#menu';

/** @param {any} page the session's page @returns {() => void} ends listening */
export function listenKeys(page) {
  const listener = (/** @type {KeyboardEvent} */ event) => pressed(page, event);
  document.addEventListener('keydown', listener);
  return () => document.removeEventListener('keydown', listener);
}

/** @param {any} page @param {KeyboardEvent} event */
function pressed(page, event) {
  if (document.querySelector('dialog[open]')) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest('input, textarea, select')) {
    typed(page, event);
    return;
  }
  const name = keyName(event);
  if (name === null) {
    withControl(page, event, target);
    return;
  }
  if (isMuted(event)) return;
  // Enter and Space press a button; arrows and paging scroll the text of the detail.
  if (name === 'Enter' && target.closest('button, summary')) return;
  if (target.closest('.detailbody') && /^(Arrow|Page|Home|End|Enter)/.test(name)) return;
  const act = page.keys.get(name);
  if (!act) return;
  event.preventDefault();
  act();
}

/** In the filter letters are letters. @param {any} page @param {KeyboardEvent} event */
function typed(page, event) {
  if (event.key === 'Escape') {
    if (page.filter.input.value) page.filter.set('');
    page.grid.focus();
    event.preventDefault();
  } else if (event.key === 'Enter') {
    page.filter.apply();
    page.keys.get(event.shiftKey ? '+n' : 'n')?.();
  }
}

/** @param {any} page @param {KeyboardEvent} event @param {HTMLElement} target */
function withControl(page, event, target) {
  if (event.shiftKey || event.altKey) return;
  if (event.key === 'f') {
    event.preventDefault();
    page.filter.input.select();
  } else if (event.key === 'c' && target === page.grid.scroller) {
    // What is marked with the pointer goes first.
    if (page.view.selected < 0 || String(window.getSelection())) return;
    event.preventDefault();
    copyText(rowsAsTsv(page.view, [page.view.selected]));
  }
}
