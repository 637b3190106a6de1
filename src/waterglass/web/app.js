/** Which page is shown: one session, or one of the pages of all sessions. */
import { refill } from '#el';
import { failureOf } from '#failure';
import { Place } from '#location';
import { SessionPage } from '#sessionpage';
import { openSource } from '#source';
import { failureState, loadingState } from '#states';
import { applyTheme, fitPaper } from '#theme';

/**
 * What an address says of the page that is shown; without it that is the start page in the person's theme.
 * @type {Partial<import('#address').Address>}
 */
const NOTHING = {
  page: null, s: null, row: null, reply: null, prompt: null, agent: null, at: null, t: null, q: '', tab: null, open: null, card: null,
  sort: null, in: null, project: null, days: null, by: null,
};

/**
 * @typedef {{session: (id: string, line?: Partial<import('#address').Address>) => void,
 *   page: (address: Partial<import('#address').Address>) => void}} Go leads to a session, or to a page of all sessions
 * @typedef {{close: () => void}} Page
 * @typedef {(root: HTMLElement, source: import('#source').Source, place: Place, go: Go) => Page} Make
 */

/** Shows what the address says, now and whenever it changes. @param {Make|null} make the pages of all sessions, null in a report */
export function runApp(make) {
  const root = /** @type {HTMLElement} */ (document.getElementById('app'));
  root.setAttribute('role', 'main');
  fitPaper();
  const source = openSource();
  const place = new Place((before) => {
    leave(before);
    route(false);
  });
  /** @type {Page|null} */
  let page = null;
  /** @type {string|null} the session that is shown or being read */
  let shown = null;
  /** Counts the ways that were taken: a session that was read for an earlier one is not shown. */
  let ways = 0;
  let waiting = 0;
  /** @type {Partial<import('#address').Address>} the page of all sessions that was shown last */
  let last = {};

  const go = {
    session: (/** @type {string} */ id, /** @type {Partial<import('#address').Address>} */ line = {}) => to({ ...line, s: id }),
    page: (/** @type {Partial<import('#address').Address>} */ address) => to(address),
  };
  /** Back to the page of all sessions that was left; `words` name it. */
  const back = () => Object.assign(() => to(last), { words: { find: 'Search', stats: 'Statistics' }[last.page ?? ''] ?? 'Sessions' });

  /** Remembers a page of all sessions, also where the address was edited. @param {import('#address').Address} before */
  function leave(before) {
    if (!before.s) last = { ...before, theme: undefined };
  }

  /** @param {Partial<import('#address').Address>} address */
  function to(address) {
    leave(place.now);
    place.update({ ...NOTHING, ...address, theme: place.now.theme }, true);
    route(true);
  }

  /** @param {boolean} fresh the page must be made anew even for the same session */
  function route(fresh) {
    applyTheme(place.now.theme);
    const { s } = place.now;
    if (!fresh && page instanceof SessionPage && (source.report || s === shown)) {
      page.restore(place.now, false);
      return;
    }
    ways++;
    clearTimeout(waiting);
    page?.close();
    page = null;
    shown = s;
    if (s || source.report || !make) openSession(s ?? '');
    else page = make(root, source, place, go);
  }

  /** @param {string} id */
  async function openSession(id) {
    const way = ways;
    waiting = window.setTimeout(() => refill(root, loadingState('Reading session\u2026')), 60);
    try {
      const payload = await source.payload(id);
      if (way !== ways) return;
      clearTimeout(waiting);
      page = new SessionPage(root, payload, source, place, source.report ? null : back());
    } catch (error) {
      if (way !== ways) return;
      clearTimeout(waiting);
      const failure = failureOf(error);
      refill(
        root,
        failureState(failure, () => route(true), source.report ? null : () => to({})),
      );
      if (failure.status === -1) console.error(error);
    }
    document.documentElement.dataset.ready = '1';
  }

  route(true);
}
