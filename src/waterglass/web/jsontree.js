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
  fillEntries(list, entries, 0, depth);
  if (depth < OPEN_DEPTH) return list;
  const words = Array.isArray(value)
    ? `[${count(entries.length)}]`
    : `{${oneLine(Object.keys(value).slice(0, 4).join(', '), 60)}${entries.length > 4 ? ', …' : ''}}`;
  list.hidden = true;
  const more = button(
    `▸ ${words}`,
    () => {
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
    list.append(el('li', null, el('span', { class: 'key' }, visible(key)), ': ', lazy(item, depth + 1)));
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

// Values may nest 512 deep: below this depth a level is made when it is opened.
const EAGER_DEPTH = 6;

/** @param {any} value @param {number} depth */
function lazy(value, depth) {
  if (depth <= EAGER_DEPTH || value === null || typeof value !== 'object') return jsonTree(value, depth);
  const holder = el('span', null);
  holder.append(
    button(Array.isArray(value) ? '▸ […]' : '▸ {…}', () => holder.replaceChildren(jsonTree(value, 0)), { class: 'link' }),
  );
  return holder;
}

/** @param {any} value */
function leaf(value) {
  if (typeof value !== 'string')
    return el('span', { class: `json ${value === null ? 'null' : typeof value}` }, String(value));
  if (value.length <= INLINE_TEXT && !value.includes('\n'))
    return el('span', { class: 'json string' }, `"${visible(value)}"`);
  return textBlock(value, 'string');
}
