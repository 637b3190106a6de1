/** Of which projects and days the statistics are. */
import { button, el } from '#el';
import { select } from '#findform';
import { oneLine, pathEnd } from '#plain';

/** In the address: sessions whose project is not known. */
export const NO_PROJECT = '-';
/** @type {[string, string][]} */
const SPANS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'A year'],
  ['', 'All'],
];

/** A project as a choice. @param {string|null} name @returns {[string, string]} */
const choiceOf = (name) =>
  name === null ? [NO_PROJECT, '(project unknown)'] : [name, pathEnd(oneLine(name, 200), 60)];

export class StatsForm {
  /** @param {import('#location').Place} place @param {() => void} changed */
  constructor(place, changed) {
    this.place = place;
    this.told = changed;
    /** @type {string} */
    this.known = '';
    this.projects = select('Project', [['', 'All projects']], '', () => this.set({ project: this.projects.value || null }));
    this.spans = SPANS.map(([days, words]) =>
      button(words, () => this.set({ days: days || null }), { class: 'toggle', 'data-days': days }),
    );
    this.first = this.date('First day');
    this.last = this.date('Last day');
    this.element = el(
      'div',
      { class: 'asks', role: 'search', 'aria-label': 'What is counted' },
      this.projects,
      el('span', { class: 'group', role: 'group', 'aria-label': 'Days' }, ...this.spans),
      el('span', { class: 'group' }, this.first, '\u2013', this.last),
    );
    this.mark();
  }

  /** @param {string} name */
  date(name) {
    return el('input', { type: 'date', class: 'filter date', 'aria-label': name, on: { change: () => this.dated() } });
  }

  dated() {
    const [first, last] = [this.first.value, this.last.value];
    if (first && last && first <= last) this.set({ days: `${first}..${last}` });
  }

  /** @param {Partial<import('#address').Address>} part */
  set(part) {
    this.place.update(part);
    this.mark();
    this.told();
  }

  mark() {
    const days = this.place.now.days ?? '';
    for (const span of this.spans) span.setAttribute('aria-pressed', String(span.dataset.days === days));
  }

  /** @param {any} answer with its `projects` and `range` */
  update(answer) {
    const known = JSON.stringify(answer.projects);
    const chosen = this.place.now.project ?? '';
    if (known !== this.known) {
      this.known = known;
      const names = [['', 'All projects'], ...answer.projects.map(choiceOf)];
      if (chosen && !names.some(([value]) => value === chosen)) names.push(choiceOf(chosen));
      this.projects.replaceChildren(
        ...names.map(([value, words]) => {
          const option = el('option', null, words);
          option.value = value;
          return option;
        }),
      );
    }
    this.projects.value = chosen;
    const [first, last] = answer.range;
    // Without a range, the days that there are.
    const days = answer.days.flatMap((/** @type {any} */ line) => line.key ?? []).sort();
    if (document.activeElement !== this.first) this.first.value = first ?? days[0] ?? '';
    if (document.activeElement !== this.last) this.last.value = last ?? days.at(-1) ?? '';
    this.mark();
  }

  /** Is anything left out? */
  get narrowed() {
    return this.place.now.project !== null || this.place.now.days !== null;
  }

  /** All days of all projects. */
  widen() {
    this.set({ project: null, days: null });
  }
}
