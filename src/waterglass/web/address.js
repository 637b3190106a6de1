/** What the fragment of the address says: `#v=1&s=…&row=…&t=…&q=…&theme=…`. Never sent to a server. */

/**
 * @typedef {{page: string|null, s: string|null, row: string|null, reply: string|null, prompt: string|null, agent: string|null, at: string|null,
 *   t: [number, number]|'all'|null, q: string, in: string|null, project: string|null, days: string|null, by: string|null,
 *   tab: string|null, open: string|null, card: string|null, sort: string|null, theme: string|null}} Address
 *   `page`, `in`, `project`, `days` and `by` are of the pages of all sessions, the others of one session
 */

const TEXTS = [
  'page', 's', 'row', 'reply', 'prompt', 'agent', 'at', 'q', 'in', 'project', 'days', 'by', 'tab', 'open', 'sort', 'card', 'theme',
];
const PAGES = ['find', 'stats'];

/** @param {string} hash with or without `#`; unknown keys and unreadable values are ignored @returns {Address} */
export function parseAddress(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const version = given.get('v');
  const readable = version === null || version === '1';
  const get = (/** @type {string} */ key) => (readable ? given.get(key) || null : null);
  const range = /^(\d{1,16})-(\d{1,16})$/.exec(get('t') ?? '');
  const theme = get('theme');
  const page = get('page');
  return {
    page: page !== null && PAGES.includes(page) ? page : null,
    s: get('s'),
    row: get('row'),
    reply: get('reply'),
    prompt: get('prompt'),
    agent: get('agent'),
    at: /^\d{1,16}$/.test(get('at') ?? '') ? get('at') : null,
    q: get('q') ?? '',
    in: get('in'),
    project: get('project'),
    days: get('days'),
    by: get('by'),
    tab: get('tab'),
    open: get('open'),
    card: get('card'),
    sort: /^-?[a-z]{1,12}$/.test(get('sort') ?? '') ? get('sort') : null,
    t: get('t') === 'all' ? 'all' : range && Number(range[1]) < Number(range[2]) ? [Number(range[1]), Number(range[2])] : null,
    theme: theme === 'dark' || theme === 'light' ? theme : null,
  };
}

/** @param {Partial<Address>} address @returns {string} with `#`; keys in a fixed order, empty ones left out */
export function printAddress(address) {
  const out = new URLSearchParams([['v', '1']]);
  for (const key of TEXTS) {
    const value = /** @type {any} */ (address)[key];
    if (value) out.set(key, value);
    if (key === 'agent' && address.t) out.set('t', address.t === 'all' ? 'all' : `${Math.floor(address.t[0])}-${Math.ceil(address.t[1])}`);
  }
  return `#${out.toString()}`;
}
