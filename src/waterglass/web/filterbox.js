/** The filter box with its count and the terms that it could not read. */
import { el, refill, setText } from '#el';
import { count, counted } from '#format';
import { oneLine } from '#plain';

const DELAY_MS = 60;

export class FilterBox {
  /** @param {any} view @param {(text: string) => void} changed */
  constructor(view, changed) {
    this.view = view;
    this.changed = changed;
    this.timer = 0;
    this.input = el('input', {
      type: 'search',
      class: 'filter',
      placeholder: 'Filter: words  type:bash  >5s  tokens:>1k  error  -text',
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-label': 'Filter calls',
      'aria-describedby': 'filter-faults',
      title:
        'Words, "a phrase", /expression/, -not, type:bash,edit  status:rejected  error running ok  >5s  tokens:>1k  ctx:>50%  is:agent,background,reread,reply  has:diff  file: model: agent: turn:',
    });
    this.count = el('span', { class: 'count', role: 'status' });
    this.faults = el('span', { class: 'faults', id: 'filter-faults', role: 'alert' });
    this.element = el('span', { class: 'filterbox' }, this.input, this.count, this.faults);
    this.input.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.apply(), DELAY_MS);
    });
    view.on('lines', () => this.say());
  }

  /** @param {string} text */
  set(text) {
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
    this.input.setAttribute('aria-invalid', String(faults.length > 0));
    refill(
      this.faults,
      ...faults
        .slice(0, 3)
        .map((/** @type {any} */ fault) =>
          el('span', { class: 'fault' }, el('u', null, oneLine(fault.term, 40)), `: ${fault.message}`),
        ),
    );
  }
}
