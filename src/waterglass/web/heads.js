/** The heads of the columns: a press sorts, an edge is dragged to make a column wider or narrower. */
import { el, setText } from '#el';
import { nextSort } from '#sort';
import { fitWidth, Widths } from '#widths';

const COLUMNS = [
  ['name', 'Name'],
  ['type', 'Type'],
  ['outcome', 'Outcome'],
  ['duration', 'Duration'],
  ['tokens', 'Tokens', 'What the reply that made the call wrote'],
  ['ctx', 'Ctx', 'Context size as a part of the window'],
];
const STEP = 8;
const HOW = 'Press to sort: ascending, descending, tree order. Shift+\u2190 \u2192 changes the width, Shift+Enter fits it';

export class Heads {
  /**
   * @param {any} view @param {HTMLElement} ruler
   * @param {{grid: () => HTMLElement, cells: () => any[], sort: (sort: import('#sort').Sort|null) => void, sized: () => void}} given
   *   `grid` carries the widths, `cells` are the parts of the lines that are drawn
   */
  constructor(view, ruler, given) {
    this.view = view;
    this.given = given;
    this.widths = new Widths(given.grid);
    /** @type {Map<string, any>} */
    this.buttons = new Map();
    const heads = COLUMNS.map(([name, words, title]) => this.head(name, words, title));
    this.element = el(
      'div',
      { class: 'heads', id: 'grid-heads', role: 'row', 'aria-rowindex': '1' },
      ...heads,
      el('div', { class: 'c wf', role: 'columnheader' }, el('span', { class: 'unseen' }, 'Waterfall'), ruler),
    );
    this.stop('name');
    view.on('lines', () => this.mark());
  }

  /** @param {string} name @param {string} words @param {string} [title] */
  head(name, words, title) {
    const label = el('span', { class: 'headwords' }, words);
    const arrow = el('span', { class: 'arrow', 'aria-hidden': 'true' });
    const press = el(
      'button',
      {
        type: 'button',
        class: 'sort',
        tabindex: '-1',
        'data-column': name,
        title: title ? `${title}. ${HOW}` : HOW,
        on: {
          click: () => this.given.sort(nextSort(this.view.sort, name)),
          keydown: (/** @type {KeyboardEvent} */ event) => this.key(event, name),
          focus: () => this.stop(name),
        },
      },
      label,
      arrow,
    );
    this.buttons.set(name, Object.assign(press, { label, arrow }));
    const edge = el('span', { class: 'edge', 'aria-hidden': 'true', title: 'Drag for the width, double-click fits it' });
    this.listenEdge(edge, name);
    return el('div', { class: `c ${name}`, role: 'columnheader', 'aria-sort': 'none' }, press, edge);
  }

  /** One stop for the Tab key; arrows go from head to head. @param {string} name */
  stop(name) {
    for (const [key, press] of this.buttons) press.tabIndex = key === name ? 0 : -1;
  }

  /** @param {KeyboardEvent} event @param {string} name */
  key(event, name) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.ctrlKey || event.metaKey || event.altKey || (!by && !(event.key === 'Enter' && event.shiftKey))) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.shiftKey) {
      const names = [...this.buttons.keys()].filter((key) => this.buttons.get(key).offsetParent);
      this.buttons.get(names[(names.indexOf(name) + by + names.length) % names.length]).focus();
    } else if (by) this.size(name, this.width(name) + by * STEP);
    else this.fit(name);
  }

  /** @param {string} name */
  width(name) {
    return this.buttons.get(name).parentElement.getBoundingClientRect().width;
  }

  /** @param {string} name @param {number} px */
  size(name, px) {
    this.widths.set(name, px);
    this.given.sized();
  }

  /** As wide as what the drawn lines hold. @param {string} name */
  fit(name) {
    const press = this.buttons.get(name);
    const least = press.label.getBoundingClientRect().width + press.arrow.getBoundingClientRect().width + 20;
    this.size(name, Math.max(least, fitWidth(this.given.cells(), name)));
  }

  /** @param {any} edge @param {string} name */
  listenEdge(edge, name) {
    let off = 0;
    edge.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      event.preventDefault();
      edge.setPointerCapture(event.pointerId);
      off = this.width(name) - event.clientX;
    });
    edge.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (edge.hasPointerCapture(event.pointerId)) this.size(name, off + event.clientX);
    });
    edge.addEventListener('dblclick', () => this.fit(name));
  }

  /** Which column the lines are sorted by; without calls the only column is the conversation. */
  mark() {
    const { sort, calls } = this.view;
    for (const [name, press] of this.buttons) {
      const on = calls && sort?.key === name;
      setText(press.arrow, on ? (sort.down ? '\u25bc' : '\u25b2') : '');
      press.parentElement.setAttribute('aria-sort', on ? (sort.down ? 'descending' : 'ascending') : 'none');
    }
    setText(this.buttons.get('name').label, calls ? 'Name' : 'Conversation');
    this.buttons.get('name').disabled = !calls;
  }
}
