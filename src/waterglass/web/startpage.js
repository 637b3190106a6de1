/** The start page: every session that was found, by project. */
import { button, el, refill, setText } from '#el';
import { failureOf } from '#failure';
import { count, counted } from '#format';
import { emptyNote, sampleNote, unreadableNote } from '#notes';
import { mergeSessions, shelve } from '#shelf';
import { fillShelfLine, makeShelfLine } from '#shelfline';
import { failureState, lostBanner } from '#states';
import { toggleTheme } from '#theme';
import { VirtualList } from '#virtual';

const LINE = 28;
// While counts still come in the list is asked for often, afterwards now and then, so that new sessions appear.
const SOON_MS = 400;
const LATER_MS = 5000;
const RETRY_S = 4;

export class StartPage {
  /**
   * @param {HTMLElement} root @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {(id: string) => void} open
   */
  constructor(root, source, place, open) {
    this.root = root;
    this.source = source;
    this.place = place;
    this.open = open;
    /** @type {Map<string, any>} */
    this.known = new Map();
    this.openChains = new Set();
    /** @type {Set<string|null>} */
    this.closedProjects = new Set();
    this.revision = /** @type {number|null} */ (null);
    this.search = place.now.q;
    this.selected = 0;
    this.closed = false;
    this.build();
    this.poll();
  }

  build() {
    document.title = 'Waterglass';
    this.input = el('input', { type: 'search', class: 'filter', placeholder: 'Search titles and projects', 'aria-label': 'Search sessions', spellcheck: 'false', autocomplete: 'off' });
    this.input.value = this.search;
    this.count = el('span', { class: 'count', role: 'status' }, 'reading\u2026');
    this.notes = el('div', { class: 'notes' });
    this.scroller = el('div', { class: 'scroller', role: 'presentation', tabindex: '-1' });
    const head = (/** @type {string} */ name, /** @type {string} */ words) => el('div', { class: `c ${name}`, role: 'columnheader' }, words);
    this.shelf = el('div', { class: 'shelf', role: 'treegrid', tabindex: '0', 'aria-label': 'Sessions' },
      el('div', { class: 'heads', role: 'row' }, head('title', 'Session'), head('when', 'Last activity'), head('prompts', 'Prompts'), head('calls', 'Calls'),
        head('errors', 'Errors'), head('agents', 'Agents'), head('size', 'Size')), this.scroller);
    refill(this.root, el('header', { class: 'top' }, el('b', { class: 'home' }, 'Waterglass'), this.input, this.count, el('span', { class: 'gap' }),
      button('\u25d0', () => this.place.update({ theme: toggleTheme() }), { class: 'quiet', 'aria-label': 'Light or dark', title: 'Light or dark' })), this.notes, this.shelf);
    this.lines = [];
    this.list = new VirtualList(this.scroller, LINE, { make: makeShelfLine, fill: (line, at) => fillShelfLine(line, this.lines[at], at === this.selected, Date.now(), at) });
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
        this.shelf.focus();
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
    const page = Math.max(1, Math.floor(this.list.viewHeight / LINE) - 1);
    const moves = new Map([['ArrowDown', 1], ['j', 1], ['ArrowUp', -1], ['k', -1], ['PageDown', page], ['PageUp', -page], ['Home', -1e9], ['End', 1e9]]);
    const by = moves.get(event.key);
    if (by !== undefined) this.select(this.selected + by);
    else if (event.key === 'Enter' && !target.closest('button')) this.enter(this.selected);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.toggle(this.selected);
    else if (event.key === '/') this.input.select();
    else if (event.key === 't') this.place.update({ theme: toggleTheme() });
    else return;
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
    if (element) this.shelf.setAttribute('aria-activedescendant', element.id);
  }

  /** @param {number} line */
  enter(line) {
    const at = this.lines[line];
    if (at?.kind === 'session') this.open(at.session.id);
    else this.toggle(line);
  }

  /** @param {number} line */
  toggle(line) {
    const at = this.lines[line];
    if (!at || (at.kind === 'session' && at.chain < 2)) return;
    const [set, key] = at.kind === 'project' ? [this.closedProjects, at.project] : [this.openChains, at.session.group ?? at.session.id];
    if (!set.delete(key)) set.add(key);
    this.show();
  }

  async poll() {
    if (this.closed) return;
    let wait = LATER_MS;
    try {
      const answer = await this.source.sessions(this.revision);
      if (this.closed) return;
      this.last = answer;
      this.revision = answer.revision ?? null;
      const changed = answer.sessions?.length > 0 || !this.painted;
      this.all = mergeSessions(this.known, answer.sessions ?? []);
      if (!answer.complete) wait = SOON_MS;
      if (changed || this.wasLost || !answer.complete || !this.completed) this.show();
      this.completed = answer.complete;
      this.wasLost = false;
    } catch (error) {
      if (this.closed) return;
      const failure = failureOf(error);
      if (!this.painted || failure.status === 401) {
        refill(this.root, failureState(failure, () => window.location.reload(), null));
        document.documentElement.dataset.ready = '1';
        return;
      }
      this.wasLost = true;
      wait = RETRY_S * 1000;
      refill(this.notes, lostBanner(RETRY_S));
    }
    this.timer = setTimeout(() => this.poll(), wait);
  }

  show() {
    const { last } = this;
    if (!last) return;
    const { lines, found } = shelve(this.all ?? [], this.search, this.openChains, this.closedProjects);
    this.lines = lines;
    const total = this.known.size;
    setText(this.count, `${this.search ? `${count(found)} of ` : ''}${counted(total, 'session')}${last.complete ? '' : ', still reading\u2026'}`);
    refill(this.notes, last.sample ? sampleNote(last) : null, total === 0 && last.complete ? emptyNote(last) : null,
      total > 0 && found === 0 ? el('p', { class: 'none' }, 'No session matches. ', button('clear search (Esc)', () => this.clear())) : null, unreadableNote(last.unreadable ?? []));
    this.shelf.hidden = found === 0;
    if (!this.painted && this.lines.length) this.selected = this.firstSession(0);
    this.list.viewHeight = this.scroller.clientHeight;
    this.list.setCount(lines.length);
    if (!this.painted) this.shelf.focus({ preventScroll: true });
    this.painted = true;
    document.documentElement.dataset.ready = '1';
  }

  clear() {
    this.input.value = '';
    this.input.dispatchEvent(new Event('input'));
    this.input.focus();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    document.removeEventListener('keydown', /** @type {any} */ (this.onKey));
    this.list.close();
  }
}
