/** Any JSON value as a tree that opens level by level. Keys and texts come from the transcript: text nodes only. */
import { button, el } from '#el';
import { count } from '#format';
import { textBlock } from '#textblock';
import { oneLine, visible } from '#plain';

const OPEN_DEPTH = 2;
const SHOWN = 100;
const INLINE_TEXT = 120;

/** @param {any} value @param {number} [depth] @returns {any} an element */
export function jsonTree(value, depth = 0) {
  if (value === null || typeof value !== 'object') return leaf(value);
  const entries = Array.isArray(value) ? value.map((item, i) => [String(i), item]) : Object.entries(value);
  if (!entries.length) return el('span', { class: 'json empty' }, Array.isArray(value) ? '[]' : '{}');
  const list = el('ul', { class: 'json' });
  if (depth < OPEN_DEPTH) {
    fillEntries(list, entries, 0, depth);
    return list;
  }
  const words = Array.isArray(value)
    ? `[${count(entries.length)}]`
    : `{${oneLine(Object.keys(value).slice(0, 4).join(', '), 60)}${entries.length > 4 ? ', …' : ''}}`;
  list.hidden = true;
  const more = button(
    `▸ ${words}`,
    () => {
      // A level is made when it is first opened: a closed tree is few elements, however deep it goes.
      if (!list.childNodes.length) fillEntries(list, entries, 0, depth);
      list.hidden = !list.hidden;
      more.textContent = `${list.hidden ? '▸' : '▾'} ${words}`;
    },
    { class: 'link' },
  );
  return el('span', null, more, list);
}

/** @param {any} list @param {any[][]} entries @param {number} from @param {number} depth */
function fillEntries(list, entries, from, depth) {
  for (const [key, item] of entries.slice(from, from + SHOWN)) {
    list.append(el('li', null, el('span', { class: 'key' }, visible(key)), ': ', jsonTree(item, depth + 1)));
  }
  const left = entries.length - from - SHOWN;
  if (left <= 0) return;
  const more = el(
    'li',
    null,
    button(
      `${count(left)} more`,
      () => {
        more.remove();
        fillEntries(list, entries, from + SHOWN, depth);
      },
      { class: 'link' },
    ),
  );
  list.append(more);
}

/** @param {any} value */
function leaf(value) {
  if (typeof value !== 'string')
    return el('span', { class: `json ${value === null ? 'null' : typeof value}` }, String(value));
  if (value.length <= INLINE_TEXT && !value.includes('\n'))
    return el('span', { class: 'json string' }, `"${visible(value)}"`);
  return textBlock(value, 'string');
}
