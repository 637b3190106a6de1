/** What is searched for: the words, where, in which projects, since when. */
import { button, el } from '#el';

/** @type {[string, string][]} */
const PARTS = [
  ['prompt', 'Prompts'],
  ['reply', 'Replies'],
  ['input', 'Inputs'],
  ['output', 'Outputs'],
];
const NAMES = PARTS.map(([name]) => name);
/** @type {[string, string][]} */
const DAYS = [
  ['', 'Any time'],
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
];

export class FindForm {
  /** @param {import('#address').Address} address what it begins with @param {() => void} changed */
  constructor(address, changed) {
    this.told = changed;
    const named = (address.in ?? '').split(',').filter((part) => NAMES.includes(part));
    /** @type {Set<string>} */
    this.parts = new Set(named.length ? named : NAMES);
    this.input = field('filter', 'Words in prompts, replies, inputs, outputs', 'Search all texts', address.q, changed);
    this.project = field('filter small', 'Project', 'Only projects with this in their path', address.project ?? '', changed);
    this.days = select('When it was written', DAYS, address.days, changed);
    this.toggles = PARTS.map(([part, words]) => button(words, () => this.toggle(part), { class: 'toggle', 'data-part': part }));
    this.element = el(
      'div',
      { class: 'asks', role: 'search' },
      this.input,
      el('span', { class: 'group', role: 'group', 'aria-label': 'Where to look' }, ...this.toggles),
      this.project,
      this.days,
    );
    this.mark();
  }

  /** What the address says of it. @returns {Partial<import('#address').Address>} */
  get values() {
    return {
      q: this.input.value,
      in: this.parts.size === NAMES.length ? null : NAMES.filter((name) => this.parts.has(name)).join(),
      project: this.project.value.trim() || null,
      days: this.days.value || null,
    };
  }

  /** Is anything left out? */
  get narrowed() {
    return this.parts.size < NAMES.length || this.project.value.trim() !== '' || this.days.value !== '';
  }

  /** Looks everywhere again. */
  widen() {
    this.parts = new Set(NAMES);
    this.project.value = '';
    this.days.value = '';
    this.mark();
    this.told();
    this.input.focus();
  }

  /** @param {string} part where it was the only one, the others are taken instead */
  toggle(part) {
    if (!this.parts.delete(part)) this.parts.add(part);
    if (!this.parts.size) this.parts = new Set(NAMES.filter((name) => name !== part));
    this.mark();
    this.told();
  }

  mark() {
    for (const toggle of this.toggles) toggle.setAttribute('aria-pressed', String(this.parts.has(toggle.dataset.part)));
  }
}

/** @param {string} look @param {string} words @param {string} name @param {string} value @param {() => void} changed */
function field(look, words, name, value, changed) {
  const made = el('input', {
    type: 'search',
    class: look,
    placeholder: words,
    'aria-label': name,
    spellcheck: 'false',
    autocomplete: 'off',
    on: { input: changed },
  });
  made.value = value;
  return made;
}

/**
 * A choice; an unknown value is the first.
 * @param {string} name @param {[string, string][]} choices value and words @param {string|null} value @param {() => void} changed
 */
export function select(name, choices, value, changed) {
  const made = el('select', { 'aria-label': name, on: { change: changed } });
  for (const [of, words] of choices) {
    const option = el('option', null, words);
    option.value = of;
    made.append(option);
  }
  made.value = choices.some(([of]) => of === value) ? value : choices[0][0];
  return made;
}
