/** Which page is shown: the start page, or one session. */
import { refill } from '#el';
import { failureOf } from '#failure';
import { Place } from '#location';
import { SessionPage } from '#sessionpage';
import { openSource } from '#source';
import { StartPage } from '#startpage';
import { failureState, loadingState } from '#states';
import { applyTheme } from '#theme';

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
root.setAttribute('role', 'main');
const source = openSource();
const place = new Place(() => route(false));
/** @type {SessionPage|StartPage|null} */
let page = null;
/** @type {string|null} the session that is shown or being read */
let shown = null;

function goHome() {
  place.update({ s: null, row: null, reply: null, prompt: null, t: null, q: '', tab: null, open: null, card: null, sort: null }, true);
  route(true);
}

/** @param {string} id */
function goTo(id) {
  place.update({ s: id, row: null, reply: null, prompt: null, t: null, q: '', tab: null, open: null, card: null, sort: null }, true);
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
  page?.close();
  page = null;
  shown = s;
  if (s || source.report) openSession(s ?? '');
  else page = new StartPage(root, source, place, goTo);
}

/** @param {string} id */
async function openSession(id) {
  const waiting = setTimeout(() => refill(root, loadingState('Reading session\u2026')), 60);
  try {
    const payload = await source.payload(id);
    clearTimeout(waiting);
    if (shown !== (id || null) && !source.report) return;
    page = new SessionPage(root, payload, source, place, source.report ? null : goHome);
  } catch (error) {
    clearTimeout(waiting);
    if (shown !== (id || null) && !source.report) return;
    const failure = failureOf(error);
    refill(
      root,
      failureState(failure, () => route(true), source.report ? null : goHome),
    );
    if (failure.status === -1) console.error(error);
  }
  document.documentElement.dataset.ready = '1';
}

route(true);
