/** The bar above the session view: title, filter, switches. */
import { button, el } from '#el';
import { showHelp } from '#help';

/**
 * @param {any} view @param {{title: string, filter: any, home: ((() => void)&{words: string})|null, follow: () => void, theme: () => void,
 *   session: () => void, export: any}} given
 * @returns {{element: any, mark: () => void}} `mark` shows which switches are on
 */
export function makeToolbar(view, given) {
  const mode = (/** @type {string} */ words, /** @type {() => void} */ press, /** @type {string} */ title) =>
    button(words, press, { class: 'toggle', title });
  const switches = {
    calls: mode(
      'Calls',
      () => view.setShown('calls', !view.calls),
      'Show the calls; without them the page reads as the conversation',
    ),
    replies: mode('Replies', () => view.setShown('replies', !view.replies), 'Show the replies as text lines'),
    follow: mode('Follow', given.follow, 'The window moves with the lines in view (L)'),
    idle: mode('Fold idle', () => view.setFolded(!view.folded), 'Fold stretches without a record (G)'),
  };
  const { home } = given;
  const element = el(
    'div',
    { class: 'top' },
    home
      ? button(`\u25a4 ${home.words}`, home, { class: 'home', title: `Back to ${home.words.toLowerCase()} (Esc)` })
      : el('b', { class: 'home' }, 'Waterglass'),
    el('h1', { title: given.title }, given.title),
    given.filter,
    el('span', { class: 'modes' }, ...Object.values(switches)),
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'aria-label': 'Overview',
        title: 'The session: prompts, context over time, coverage (I)',
        on: { click: given.session },
      },
      el('span', { class: 'wide' }, 'Overview'),
      el('span', { class: 'narrow' }, '\u2261'),
    ),
    button('Fit', () => view.fitAll(), { class: 'quiet', title: 'All of the session (0)' }),
    given.export,
    button('\u25d0', given.theme, { class: 'quiet', 'aria-label': 'Light or dark (T)', title: 'Light or dark (T)' }),
    button('?', () => showHelp(), { class: 'quiet', 'aria-label': 'Keys (?)', title: 'Keys (?)' }),
  );
  const mark = () => {
    const on = { calls: view.calls, replies: view.replies, follow: view.follow, idle: view.folded };
    for (const [name, press] of Object.entries(switches))
      press.setAttribute('aria-pressed', String(/** @type {any} */ (on)[name]));
    switches.idle.hidden = !view.timeline.gaps.length;
  };
  return { element, mark };
}
