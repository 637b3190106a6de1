/**
 * The list under the filter box. It offers and never takes: what is typed stays as typed until an entry is chosen, and Enter
 * without a chosen entry does what it always does.
 */
import { el, refill } from '#el';
import { oneLine } from '#plain';
import { factsOf, suggest, take } from '#suggest';

export class SuggestBox {
  /**
   * @param {any} view @param {HTMLInputElement} input
   * @param {{past: () => string[], taken: () => void}} given `taken`: an entry took its place in the box
   */
  constructor(view, input, given) {
    this.view = view;
    this.input = input;
    this.given = given;
    /** @type {import('#suggest').Suggestion[]} */
    this.items = [];
    this.chosen = -1;
    /** @type {any} the model that the facts are of */
    this.model = null;
    /** @type {import('#suggest').Facts} */
    this.facts = new Map();
    this.element = el('div', { class: 'suggestions', id: 'filter-suggestions', role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
    for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-expanded', 'false'], ['aria-controls', this.element.id]])
      input.setAttribute(name, value);
    input.addEventListener('input', () => this.offer(false));
    input.addEventListener('keydown', (event) => this.key(event));
    input.addEventListener('blur', () => this.close());
    // The press must not take the focus from the box, else the list would be gone before it is released.
    this.element.addEventListener('pointerdown', (/** @type {Event} */ event) => event.preventDefault());
    this.element.addEventListener('click', (/** @type {Event} */ event) => {
      const at = [...this.element.children].indexOf(/** @type {Element} */ (event.target).closest('.suggestion') ?? this.element);
      if (at >= 0) this.accept(at);
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** @param {boolean} asked by a key: then an empty word gets all keys too */
  offer(asked) {
    const { value } = this.input;
    const caret = this.input.selectionStart ?? value.length;
    const idle = !value.trim() || /\s/.test(value[caret - 1] ?? ' ');
    this.show(idle && !asked ? [] : suggest(value, caret, this.known(), this.given.past()));
  }

  known() {
    const { model, payload } = this.view;
    if (this.model !== model) {
      this.model = model;
      this.facts = factsOf(model, payload.agents ?? []);
    }
    return this.facts;
  }

  /** @param {import('#suggest').Suggestion[]} items */
  show(items) {
    this.items = items;
    this.element.hidden = !items.length;
    this.input.setAttribute('aria-expanded', String(items.length > 0));
    refill(
      this.element,
      ...items.map((item, at) =>
        el(
          'div',
          { class: 'suggestion', role: 'option', id: `filter-suggestion-${at}`, 'aria-selected': 'false' },
          el('bdi', { class: 'label' }, oneLine(item.text, 100)),
          el('span', { class: 'note' }, item.words),
        ),
      ),
    );
    this.choose(-1);
  }

  /** @param {number} at -1 for none */
  choose(at) {
    this.element.children[this.chosen]?.setAttribute('aria-selected', 'false');
    this.chosen = at;
    const entry = this.element.children[at];
    entry?.setAttribute('aria-selected', 'true');
    entry?.scrollIntoView({ block: 'nearest' });
    if (entry) this.input.setAttribute('aria-activedescendant', entry.id);
    else this.input.removeAttribute('aria-activedescendant');
  }

  close() {
    if (this.isOpen) this.show([]);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.used(event)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }

  /** @param {KeyboardEvent} event @returns {boolean} was it a key of the list? */
  used(event) {
    if (!this.isOpen) {
      if (event.key !== 'ArrowDown' || event.shiftKey) return false;
      this.offer(true);
      if (this.isOpen) this.choose(0);
      return this.isOpen;
    }
    const n = this.items.length;
    if (event.key === 'ArrowDown') this.choose(this.chosen + 1 < n ? this.chosen + 1 : -1);
    else if (event.key === 'ArrowUp') this.choose(this.chosen < 0 ? n - 1 : this.chosen - 1);
    else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && this.chosen >= 0) this.accept(this.chosen);
    else if (event.key === 'Tab' && !event.shiftKey && (this.chosen >= 0 || this.begins())) this.accept(Math.max(this.chosen, 0));
    else {
      if (event.key === 'Enter') this.close();
      return false;
    }
    return true;
  }

  /** Does the first entry go on with what was typed? Then Tab means it. */
  begins() {
    const { text, from } = this.items[0];
    const typed = this.input.value.slice(from, this.input.selectionStart ?? 0).toLowerCase();
    return typed !== '' && text.toLowerCase().startsWith(typed);
  }

  /** @param {number} at */
  accept(at) {
    const item = this.items[at];
    const { text, caret } = take(this.input.value, item);
    this.input.value = text;
    this.input.setSelectionRange(caret, caret);
    if (item.kind === 'key') this.offer(false);
    else this.close();
    this.given.taken();
  }
}
