/** The filter box with its count and the terms that it could not read. */
import { ContentSearch } from '#contentsearch';
import { button, el, refill, setText } from '#el';
import { count, counted } from '#format';
import { oneLine } from '#plain';
import { SuggestBox } from '#suggestbox';

const DELAY_MS = 60;
const KEPT = 30;
// Terms that cannot be read, each with its reason; of the others their number.
const NAMED = 3;
const KEY = 'waterglass-filters';
// What was filtered by before, oldest first. It may hold words of a transcript: so it lives as long as this tab.
/** @type {string[]} */
const past = stored();

/** @returns {string[]} */
function stored() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((query) => typeof query === 'string').slice(-KEPT) : [];
  } catch {
    return [];
  }
}

/** @param {string} text */
function remember(text) {
  const query = text.trim();
  if (!query) return;
  const at = past.indexOf(query);
  if (at >= 0) past.splice(at, 1);
  past.push(query);
  if (past.length > KEPT) past.shift();
  try {
    sessionStorage.setItem(KEY, JSON.stringify(past));
  } catch {
    // Then they last as long as the page.
  }
}

export class FilterBox {
  /** @param {any} view @param {import('#source').Source} source @param {(text: string) => void} changed */
  constructor(view, source, changed) {
    this.view = view;
    this.changed = changed;
    this.timer = 0;
    /** How far back in what was filtered by before; 0: what is typed. */
    this.back = 0;
    this.input = el('input', {
      type: 'search',
      class: 'filter',
      placeholder: 'Filter: words  type:bash  >5s  tokens:>1k  error  -text',
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-label': 'Filter calls',
      'aria-describedby': 'filter-faults',
      title:
        'Words, "a phrase", /expression/, -not, type:bash,edit  status:rejected  error running ok  >5s  tokens:>1k  ctx:>50%  is:agent,background,reread,reply  has:diff  file: model: agent: turn:  text: looks into inputs and outputs. Down: suggestions. Up in the empty box: earlier filters',
    });
    this.count = el('span', { class: 'count', role: 'status' });
    this.fit = button('fit', () => view.fitMatches(), { class: 'link', title: 'The time of all that matches (Shift+0)' });
    this.faults = el('span', { class: 'faults', id: 'filter-faults', role: 'alert' });
    this.searched = el('span', { class: 'searched', role: 'status' });
    this.suggestions = new SuggestBox(view, this.input, {
      past: () => past,
      taken: () => {
        this.back = 0;
        this.apply();
      },
    });
    this.under = el('span', { class: 'under' }, this.faults, this.searched, this.suggestions.element);
    this.element = el('span', { class: 'filterbox' }, this.input, this.count, this.fit, this.under);
    this.search = new ContentSearch(view, source);
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.back = 0;
      this.timer = window.setTimeout(() => this.apply(), DELAY_MS);
    });
    this.input.addEventListener('change', () => remember(this.input.value));
    this.input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.walk(event));
    view.on('lines', () => this.say());
  }

  /** Up in the empty box brings what was filtered by before; Down goes back. @param {KeyboardEvent} event */
  walk(event) {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!by || (this.input.value && !this.back)) return;
    const to = Math.max(0, Math.min(this.back + by, past.length));
    event.preventDefault();
    if (to === this.back) return;
    this.back = to;
    this.input.value = to ? past[past.length - to] : '';
    this.apply();
  }

  /** @param {string} text */
  set(text) {
    remember(this.input.value);
    this.back = 0;
    this.input.value = text;
    this.apply();
  }

  apply() {
    clearTimeout(this.timer);
    if (this.input.value === this.view.query) return;
    this.view.setQuery(this.input.value);
    this.changed(this.input.value);
  }

  say() {
    const { found, faults, model } = this.view;
    setText(
      this.count,
      found
        ? `${count(found.calls)} of ${counted(model.n, 'call')}${found.others ? ` + ${counted(found.others, 'text')}` : ''}`
        : counted(model.n, 'call'),
    );
    this.fit.hidden = !found || found.calls + found.others === 0;
    setText(this.searched, this.view.searched);
    this.input.setAttribute('aria-invalid', String(faults.length > 0));
    const named = faults
      .slice(0, NAMED)
      .map((/** @type {any} */ fault) => el('span', { class: 'fault' }, el('u', null, oneLine(fault.term, 40)), `: ${fault.message}`));
    const more = faults.length - named.length;
    refill(this.faults, ...named, more ? el('span', { class: 'fault' }, `and ${counted(more, 'more term')}`) : null);
  }
}
