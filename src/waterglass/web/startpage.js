/** The start page: every session that was found, by project. */
import { DropPlace } from '#dropped';
import { button, el, refill, setText } from '#el';
import { count, counted } from '#format';
import { isMuted } from '#letters';
import { emptyNote, goingNote, sampleNote, unreadableNote } from '#notes';
import { shelve } from '#shelf';
import { RETRY_S, ShelfFeed } from '#shelffeed';
import { ShelfHeads } from '#shelfheads';
import { fillShelfLine, makeShelfLine } from '#shelfline';
import { parseShelfSort } from '#shelfsort';
import { printSort } from '#sort';
import { siteKey, siteNav, siteTools } from '#sitenav';
import { failureState, lostBanner } from '#states';
import { VirtualList } from '#virtual';

const LINE = 28;

export class StartPage {
  /**
   * @param {HTMLElement} root @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {import('#app').Go} go
   */
  constructor(root, source, place, go) {
    this.root = root;
    this.place = place;
    this.go = go;
    this.openChains = new Set();
    /** @type {Set<string|null>} */
    this.closedProjects = new Set();
    this.search = place.now.q;
    this.heads = new ShelfHeads(parseShelfSort(place.now.sort), (sort) => this.sortBy(printSort(sort)));
    this.dropPlace = source.drop ? new DropPlace(source.drop, (id) => go.session(id)) : null;
    this.selected = 0;
    this.painted = false;
    /** @type {any} */
    this.list = null;
    /** @type {import('#shelf').ShelfLine[]} */
    this.lines = [];
    this.build();
    this.feed = new ShelfFeed(source, { changed: () => this.show(), lost: (failure) => this.lost(failure) });
  }

  build() {
    document.title = 'Waterglass';
    this.input = el('input', {
      type: 'search',
      class: 'filter',
      placeholder: 'Search titles and projects',
      'aria-label': 'Search sessions',
      spellcheck: 'false',
      autocomplete: 'off',
    });
    this.input.value = this.search;
    this.count = el('span', { class: 'count', role: 'status' }, 'reading\u2026');
    this.notes = el('div', { class: 'notes' });
    this.scroller = el('div', {
      class: 'scroller',
      role: 'treegrid',
      tabindex: '0',
      'aria-label': 'Sessions',
      'aria-owns': 'shelf-heads',
    });
    this.shelf = el('div', { class: 'shelf' }, this.heads.element, this.scroller);
    refill(
      this.root,
      el(
        'div',
        { class: 'top' },
        el('h1', { class: 'unseen' }, 'Sessions'),
        el('b', { class: 'home' }, 'Waterglass'),
        siteNav('sessions', this.go),
        this.input,
        this.count,
        el('span', { class: 'gap' }),
        this.dropPlace?.element,
        ...siteTools(this.place, 'start'),
      ),
      this.dropPlace?.said,
      this.notes,
      this.shelf,
      this.dropPlace?.veil,
    );
    this.list = new VirtualList(this.scroller, LINE, {
      make: makeShelfLine,
      fill: (line, at) => fillShelfLine(line, this.lines[at], at === this.selected, Date.now(), at),
    });
    this.listen();
  }

  listen() {
    this.input.addEventListener('input', () => {
      this.search = this.input.value;
      this.place.update({ q: this.search });
      this.selected = 0;
      this.show();
    });
    this.input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'ArrowDown' || event.key === 'Enter') {
        event.preventDefault();
        this.scroller.focus();
        this.select(this.firstSession(this.selected));
        if (event.key === 'Enter') this.enter(this.selected);
      }
    });
    this.scroller.addEventListener('click', (/** @type {MouseEvent} */ event) => {
      const line = this.list.lineOf(event.target);
      if (line < 0) return;
      if (/** @type {Element} */ (event.target).closest('.chain') || this.lines[line].kind === 'project') this.toggle(line);
      else this.enter(line);
    });
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.onKey);
  }

  /** @param {string|null} sort as the address has it */
  sortBy(sort) {
    this.place.update({ sort });
    this.selected = 0;
    this.show();
    this.select(0);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest('input')) {
      if (event.key !== 'Escape') return;
      this.input.value = '';
      this.input.dispatchEvent(new Event('input'));
      return;
    }
    if (isMuted(event) || document.querySelector('dialog[open]')) return;
    const page = Math.max(1, Math.floor(this.list.viewHeight / LINE) - 1);
    const moves = new Map([
      ['ArrowDown', 1],
      ['j', 1],
      ['ArrowUp', -1],
      ['k', -1],
      ['PageDown', page],
      ['PageUp', -page],
      ['Home', -1e9],
      ['End', 1e9],
    ]);
    const by = moves.get(event.key);
    if (by !== undefined) this.select(this.selected + by);
    else if (event.key === 'Enter' && !target.closest('button')) this.enter(this.selected);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.toggle(this.selected);
    else if (event.key === '/') this.input.select();
    else if (!siteKey(event.key, this.place, this.go, 'start')) return;
    event.preventDefault();
  }

  /** @param {number} from @returns {number} */
  firstSession(from) {
    const at = this.lines.findIndex((line, i) => i >= from && line.kind === 'session');
    return at < 0 ? from : at;
  }

  /** @param {number} line */
  select(line) {
    if (!this.lines.length) return;
    this.selected = Math.max(0, Math.min(line, this.lines.length - 1));
    this.list.reveal(this.selected);
    this.list.refresh();
    const element = this.list.elementOf(this.selected);
    if (element) this.scroller.setAttribute('aria-activedescendant', element.id);
  }

  /** @param {number} line */
  enter(line) {
    const at = this.lines[line];
    if (at?.kind === 'session') this.go.session(at.session.id);
    else this.toggle(line);
  }

  /** @param {number} line */
  toggle(line) {
    const at = this.lines[line];
    if (!at || (at.kind === 'session' && at.chain < 2)) return;
    const [set, key] =
      at.kind === 'project' ? [this.closedProjects, at.project] : [this.openChains, at.session.group ?? at.session.id];
    if (!set.delete(key)) set.add(key);
    this.show();
  }

  /** @param {import('#failure').Failure} failure */
  lost(failure) {
    if (this.painted && failure.status !== 401) {
      refill(this.notes, lostBanner(RETRY_S));
      return;
    }
    this.feed.close();
    refill(
      this.root,
      failureState(failure, () => window.location.reload(), null),
    );
    document.documentElement.dataset.ready = '1';
  }

  show() {
    const { last, completed } = this.feed;
    if (!last) return;
    const { lines, found } = shelve(this.feed.all, this.search, this.openChains, this.closedProjects, this.heads.sort);
    this.lines = lines;
    const total = this.feed.all.length;
    setText(
      this.count,
      `${this.search ? `${count(found)} of ` : ''}${last.partial ? 'the newest ' : ''}${counted(total, 'session')}${completed ? '' : ', still reading\u2026'}`,
    );
    refill(
      this.notes,
      last.sample ? sampleNote(last) : goingNote(last),
      total === 0 && completed ? emptyNote(last) : null,
      total > 0 && found === 0
        ? el(
            'p',
            { class: 'none' },
            'No session matches. ',
            button('clear search (Esc)', () => this.clear()),
            ' ',
            button('search their texts', () => this.go.page({ page: 'find', q: this.search })),
          )
        : null,
      unreadableNote(last.unreadable ?? []),
    );
    this.shelf.hidden = found === 0;
    if (!this.painted && this.lines.length) this.selected = this.firstSession(0);
    this.list.measure();
    this.list.setCount(lines.length);
    if (!this.painted && document.activeElement === document.body) this.scroller.focus({ preventScroll: true });
    this.painted = true;
    document.documentElement.dataset.ready = '1';
  }

  clear() {
    this.input.value = '';
    this.input.dispatchEvent(new Event('input'));
    this.input.focus();
  }

  close() {
    this.feed.close();
    this.dropPlace?.close();
    document.removeEventListener('keydown', /** @type {any} */ (this.onKey));
    this.list.close();
  }
}
