/** The heads of the start page's columns: a press sorts. */
import { el, setText } from '#el';
import { nextShelfSort } from '#shelfsort';

const COLUMNS = [
  ['title', 'Session'],
  ['when', 'Last activity'],
  ['prompts', 'Prompts'],
  ['calls', 'Calls'],
  ['errors', 'Errors'],
  ['agents', 'Agents'],
  ['size', 'Size'],
];

export class ShelfHeads {
  /** @param {import('#shelfsort').Sort|null} sort @param {(sort: import('#shelfsort').Sort|null) => void} changed */
  constructor(sort, changed) {
    this.sort = sort;
    this.changed = changed;
    /** @type {Map<string, any>} */
    this.buttons = new Map();
    this.element = el(
      'div',
      { class: 'heads', id: 'shelf-heads', role: 'row' },
      ...COLUMNS.map(([name, words]) => this.head(name, words)),
    );
    this.stop('title');
    this.mark();
  }

  /** @param {string} name @param {string} words */
  head(name, words) {
    const arrow = el('span', { class: 'arrow', 'aria-hidden': 'true' });
    const press = el(
      'button',
      {
        type: 'button',
        class: 'sort',
        tabindex: '-1',
        title: 'Press to sort: one way, the other, by project',
        on: {
          click: () => this.press(name),
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event, name),
          focus: () => this.stop(name),
        },
      },
      el('span', { class: 'headwords' }, words),
      arrow,
    );
    this.buttons.set(name, Object.assign(press, { arrow }));
    return el('div', { class: `c ${name}`, role: 'columnheader', 'aria-sort': 'none' }, press);
  }

  /** One stop for the Tab key; arrows go from head to head. @param {string} name */
  stop(name) {
    for (const [key, press] of this.buttons) press.tabIndex = key === name ? 0 : -1;
  }

  /** @param {string} name */
  press(name) {
    this.sort = nextShelfSort(this.sort, name);
    this.mark();
    this.changed(this.sort);
  }

  /** Enter and Space press it; arrows stay among the heads. @param {KeyboardEvent} event @param {string} name */
  key(event, name) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (by) {
      const names = [...this.buttons.keys()].filter((key) => this.buttons.get(key).offsetParent);
      this.buttons.get(names[(names.indexOf(name) + by + names.length) % names.length]).focus();
      event.preventDefault();
    } else if (event.key !== 'Enter' && event.key !== ' ') return;
    event.stopPropagation();
  }

  mark() {
    for (const [name, press] of this.buttons) {
      const on = this.sort?.key === name;
      setText(press.arrow, on ? (this.sort?.down ? '\u25bc' : '\u25b2') : '');
      press.parentElement?.setAttribute('aria-sort', on ? (this.sort?.down ? 'descending' : 'ascending') : 'none');
    }
  }
}
