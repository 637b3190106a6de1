/** Long texts: control characters visible, folded above a size, "show all" on demand. */
import { ansiRuns } from '#ansi';
import { button, el, refill } from '#el';
import { bytes, count } from '#format';
import { visible } from '#plain';

const FOLD_CHARS = 256 * 1024;
const FOLD_LINES = 2000;

/** Where a text is cut for a first look. @param {string} text @returns {number} characters */
export function foldAt(text) {
  let at = -1;
  for (let line = 0; line < FOLD_LINES; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return Math.min(text.length, FOLD_CHARS);
    if (at > FOLD_CHARS) return FOLD_CHARS;
  }
  return at;
}

/** A text in a block: plain, or with terminal colours. @param {any} block @param {string} text */
function write(block, text) {
  if (!text.includes('\u001b[')) refill(block, visible(text));
  else
    refill(
      block,
      ...ansiRuns(text).map(({ text: part, look }) => (look ? el('span', { class: look }, visible(part)) : visible(part))),
    );
}

/**
 * @param {string} text @param {string} [look] class of the block
 * @returns {any} an element
 */
export function textBlock(text, look = '') {
  const cut = foldAt(text);
  const block = el('pre', { class: `text ${look}`, tabindex: '0' });
  write(block, text.slice(0, cut));
  const holder = el('div', { class: 'textblock' }, block);
  if (cut < text.length) {
    const rest = el(
      'p',
      { class: 'folded' },
      `${count(cut)} of ${count(text.length)} characters (${bytes(text.length)}) `,
      button('show all', () => {
        write(block, text);
        rest.remove();
      }),
    );
    holder.append(rest);
  }
  return holder;
}

/** A button that puts a text on the clipboard. @param {string} words @param {() => string} text */
export function copyButton(words, text) {
  const press = button(
    words,
    async () => {
      let done = 'copied';
      try {
        await navigator.clipboard.writeText(text());
      } catch {
        done = 'not allowed here';
      }
      press.textContent = done;
      setTimeout(() => {
        press.textContent = words;
      }, 1200);
    },
    { class: 'quiet' },
  );
  return press;
}
