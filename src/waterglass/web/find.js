/** The search page: prompts, replies, inputs and outputs of all sessions. */
import { button, el, refill, setText } from '#el';
import { failureOf } from '#failure';
import { FindForm } from '#findform';
import { resultSections, resultWords } from '#findresults';
import { indexBanner, isSettled } from '#indexstate';
import { isMuted } from '#letters';
import { oneLine } from '#plain';
import { siteBar, siteKey } from '#sitenav';
import { lineOfHit } from '#snippet';
import { failureState } from '#states';

const DELAY_MS = 200;
// While the index is being made, the same is asked again: results come as they can be had.
const AGAIN_MS = 1500;
const FIRST = 40;
const MOST = 500;
const HOW =
  'Every word must stand in one text, in any order and in any case; \u201cseveral words\u201d in double quotes stand together. ' +
  'All other signs are searched for as they are.';
const said = (/** @type {string} */ words) => oneLine(words, 400);
/** @type {{session: string, event: string}|null} the result that was opened last: who comes back stands there */
let opened = null;

export class FindPage {
  /**
   * @param {HTMLElement} root @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {import('#app').Go} go
   */
  constructor(root, source, place, go) {
    this.root = root;
    this.source = source;
    this.place = place;
    this.go = go;
    this.limit = FIRST;
    this.shown = '';
    /** @type {AbortController|null} */
    this.asking = null;
    this.timer = 0;
    this.form = new FindForm(place.now, () => this.changed());
    this.input = this.form.input;
    this.build();
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.onKey);
    this.input.focus({ preventScroll: true });
    this.ask();
  }

  build() {
    document.title = 'Search \u2013 Waterglass';
    this.count = el('span', { class: 'count', role: 'status' });
    this.notes = el('div', { class: 'notes' });
    this.results = el('div', { class: 'sheet findings', tabindex: '0', role: 'region', 'aria-label': 'Results' });
    this.form.element.append(this.count);
    refill(
      this.root,
      siteBar('find', 'Search', this.place, this.go),
      this.form.element,
      this.notes,
      this.results,
    );
  }

  /** What is asked for has changed. */
  changed() {
    this.place.update(this.form.values);
    this.limit = FIRST;
    opened = null;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask(), DELAY_MS);
  }

  async ask() {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { q, project, days } = this.place.now;
    try {
      const asked = { q, in: this.place.now.in, project, days, limit: this.limit };
      const answer = await /** @type {any} */ (this.source).search(asked, asking.signal);
      if (this.asking !== asking) return;
      this.show(answer);
      if (!answer.index.complete) this.timer = window.setTimeout(() => this.ask(), AGAIN_MS);
    } catch (error) {
      if (this.asking === asking) this.failed(failureOf(error));
    }
    document.documentElement.dataset.ready = '1';
  }

  /** @param {import('#failure').Failure} failure */
  failed(failure) {
    if (failure.status === 401) return void refill(this.root, failureState(failure, () => window.location.reload(), null));
    setText(this.count, '');
    const words = `${oneLine(failure.what)}. ${oneLine(failure.hint)} `;
    refill(this.notes, el('div', { class: 'banner problem', role: 'alert' }, words, button('Try again', () => this.ask())));
  }

  /** @param {any} answer */
  show(answer) {
    const asked = answer.query.trim() !== '';
    setText(this.count, asked ? resultWords(answer) : '');
    refill(this.notes, indexBanner(answer.index, 'Results are of what is indexed so far.'));
    const places = answer.hits.map((/** @type {any} */ hit) => [hit.session, hit.eventId, hit.matches]);
    const { narrowed } = this.form;
    const state = JSON.stringify([answer.query, narrowed, isSettled(answer.index), places, answer.more, answer.notSearched]);
    if (state === this.shown) return;
    this.shown = state;
    const at = this.focused();
    refill(
      this.results,
      ...resultSections(answer.hits, Date.now(), (hit) => this.open(hit)),
      asked && !answer.hits.length ? this.nothing(answer) : null,
      asked ? null : el('p', { class: 'none' }, HOW),
      answer.more && this.limit < MOST
        ? el('p', { class: 'none' }, button('More results', () => this.more()))
        : null,
      asked ? el('p', { class: 'none missing' }, `Not searched: ${answer.notSearched.map(said).join('; ')}.`) : null,
    );
    this.focusOn(at ?? opened);
  }

  /** @param {any} answer */
  nothing(answer) {
    return el(
      'div',
      { class: 'stateview' },
      el('h1', null, isSettled(answer.index) ? 'Nothing found' : 'Nothing found so far'),
      el('p', null, 'A word is found from its beginning; fewer words find more.'),
      this.form.narrowed ? el('p', null, button('Look everywhere', () => this.form.widen())) : null,
    );
  }

  more() {
    this.limit = Math.min(this.limit * 4, MOST);
    const last = this.hits().at(-1);
    opened = last ? { session: last.dataset.session, event: last.dataset.event } : null;
    this.ask();
  }

  /** @param {any} hit */
  open(hit) {
    opened = { session: hit.session, event: hit.eventId };
    this.place.write();
    this.go.session(hit.session, lineOfHit(hit));
  }

  /** @returns {any[]} the buttons of the results */
  hits() {
    return [...this.results.querySelectorAll('.hit')];
  }

  focused() {
    const at = /** @type {any} */ (document.activeElement);
    return at?.classList.contains('hit') ? { session: at.dataset.session, event: at.dataset.event } : null;
  }

  /** @param {{session: string, event: string}|null} at */
  focusOn(at) {
    if (!at) return;
    this.hits().find((hit) => hit.dataset.session === at.session && hit.dataset.event === at.event)?.focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const typing = target.closest('input, select') !== null;
    const hits = this.hits();
    const at = hits.indexOf(target.closest('.hit'));
    if (event.key === 'Escape') this.back(target);
    else if (typing && event.key === 'ArrowDown' && !target.closest('select')) hits[0]?.focus();
    else if (target === this.input && event.key === 'Enter') hits[0]?.focus();
    else if (typing || isMuted(event)) return;
    else if (event.key === '/') this.input.select();
    else if (event.key === 'ArrowDown' || event.key === 'j') hits[Math.min(at + 1, hits.length - 1)]?.focus();
    else if (event.key === 'ArrowUp' || event.key === 'k') (at > 0 ? hits[at - 1] : this.input).focus();
    else if (event.key === 'Home' && at >= 0) hits[0].focus();
    else if (event.key === 'End' && at >= 0) hits.at(-1).focus();
    else if (!siteKey(event.key, this.place, this.go, 'find')) return;
    event.preventDefault();
  }

  /** Escape: from a result to the field, then its words away, then the start page. @param {HTMLElement} target */
  back(target) {
    const field = target.closest('input');
    if (!field) this.input.select();
    else if (field.value) {
      field.value = '';
      this.changed();
    } else this.go.page({});
  }

  close() {
    clearTimeout(this.timer);
    const { asking } = this;
    this.asking = null;
    asking?.abort();
    document.removeEventListener('keydown', this.onKey);
  }
}
