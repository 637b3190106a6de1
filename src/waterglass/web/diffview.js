/** A change as a difference of lines: unified or side by side. Signs say what the colours say. */
import { diffLines, sideBySide } from '#diff';
import { button, el, refill } from '#el';
import { counted } from '#format';
import { fillSome } from '#more';
import { visible } from '#plain';

const KEY = 'waterglass-diff';
// Lines at a time: each is three elements or six.
const SHOWN = 300;

/** @returns {boolean} side by side? */
function storedSplit() {
  try {
    return localStorage.getItem(KEY) === 'split';
  } catch {
    return false;
  }
}

/** @param {string} sign */
const lookOf = (sign) => (sign === '+' ? 'plus' : sign === '-' ? 'minus' : 'same');

/** @param {number|undefined} number of a line; not copied with the text */
const numberCell = (number) => el('span', { class: 'no', 'aria-hidden': 'true' }, number === undefined || Number.isNaN(number) ? '' : String(number));

/** @param {any} line @param {'old'|'now'} side @param {boolean} numbered */
function half(line, side, numbered) {
  if (!line) return el('div', { class: 'half none' });
  return el(
    'div',
    { class: `half ${lookOf(line.sign)}` },
    numbered ? numberCell(line[side]) : null,
    el('span', { class: 'mark' }, line.sign),
    el('span', { class: 'code' }, visible(line.text)),
  );
}

/** @param {any[]} lines @param {boolean} split */
function drawn(lines, split) {
  const replaced = lines.some((line) => line.old !== undefined);
  const numbered = replaced || lines.some((line) => line.now !== undefined);
  const body = el('div', { class: split ? 'diff split' : 'diff', tabindex: '0', role: 'group', 'aria-label': 'Change' });
  if (split)
    return fillSome(
      body,
      sideBySide(lines),
      ([left, right]) => el('div', { class: 'pair' }, half(left, 'old', numbered), half(right, 'now', numbered)),
      SHOWN,
    );
  return fillSome(
    body,
    lines,
    ({ sign, text, old, now }) =>
      el(
        'div',
        { class: lookOf(sign) },
        // A new file has one column of numbers.
        replaced ? numberCell(old) : null,
        numbered ? numberCell(now) : null,
        el('span', { class: 'mark' }, sign),
        el('span', { class: 'code' }, visible(text)),
      ),
    SHOWN,
  );
}

/** One or several changes given as texts before and after. @param {[string, string][]} changes */
export const diffView = (changes) => changeView(changes.map(([before, after]) => diffLines(before, after)));

/** A file written whole: its lines have numbers. @param {string} text */
export const fileView = (text) => changeView([diffLines('', text.replace(/\n$/, '')).map((line, at) => ({ ...line, now: at + 1 }))]);

/**
 * Changes of a file with the switch between both forms.
 * @param {{sign: string, text: string, old?: number, now?: number}[][]} all
 */
export function changeView(all) {
  const plus = all.flat().filter((line) => line.sign === '+').length;
  const minus = all.flat().filter((line) => line.sign === '-').length;
  const place = el('div', null);
  const switches = ['Unified', 'Side by side'].map((words, i) => button(words, () => show(i === 1, true), { class: 'toggle' }));
  const show = (/** @type {boolean} */ split, /** @type {boolean} */ byHand) => {
    switches.forEach((press, i) => press.setAttribute('aria-pressed', String((i === 1) === split)));
    refill(place, ...all.map((lines) => drawn(lines, split)));
    if (!byHand) return;
    try {
      localStorage.setItem(KEY, split ? 'split' : 'unified');
    } catch {
      // Then the choice lasts for this view.
    }
  };
  show(storedSplit(), false);
  return el(
    'div',
    { class: 'change' },
    el(
      'p',
      { class: 'changehead' },
      el('span', null, `+${counted(plus, 'line')}, \u2212${counted(minus, 'line')}`),
      ...switches,
    ),
    place,
  );
}
