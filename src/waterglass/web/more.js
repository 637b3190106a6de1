/** Long lists, some at a time. */
import { button } from '#el';
import { count } from '#format';

/**
 * Fills a list with its first items; a button brings the next ones.
 * @template T
 * @param {any} list @param {T[]} items @param {(item: T, index: number) => any} make an element for an item
 * @param {number} [size] items at a time @param {(more: any) => any} [wrap] what the button stands in, an `li` say
 */
export function fillSome(list, items, make, size = 200, wrap = (more) => more) {
  const add = (/** @type {number} */ from) => {
    list.append(...items.slice(from, from + size).map((item, i) => make(item, from + i)));
    const left = items.length - from - size;
    if (left <= 0) return;
    const more = wrap(
      button(
        `${count(left)} more`,
        () => {
          more.remove();
          add(from + size);
        },
        { class: 'link' },
      ),
    );
    list.append(more);
  };
  add(0);
  return list;
}
