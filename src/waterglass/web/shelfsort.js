/** The order of the start page's sessions by a column: one flat list, without projects. No document. */

/** @typedef {{key: string, down: boolean}} Sort */

/** @type {Map<string, (session: any) => any>} what each column goes by */
const COLUMNS = new Map(
  Object.entries({
    title: (/** @type {any} */ s) => (s.title ? String(s.title).toLowerCase() : null),
    when: (/** @type {any} */ s) => s.lastActivityMs ?? s.endMs,
    prompts: (/** @type {any} */ s) => s.prompts,
    calls: (/** @type {any} */ s) => s.toolCalls,
    errors: (/** @type {any} */ s) => s.errors,
    agents: (/** @type {any} */ s) => s.agents,
    size: (/** @type {any} */ s) => s.bytes,
  }),
);

/** `-errors` as the address has it, null for the order by project. @param {string|null} text @returns {Sort|null} */
export function parseShelfSort(text) {
  const key = (text ?? '').replace(/^-/, '');
  return COLUMNS.has(key) ? { key, down: /** @type {string} */ (text)[0] === '-' } : null;
}

/**
 * What another press on a column's head does. Numbers begin with the largest, titles with A; then the other way, then by project.
 * @param {Sort|null} sort @param {string} key @returns {Sort|null}
 */
export function nextShelfSort(sort, key) {
  const first = key !== 'title';
  if (sort?.key !== key) return { key, down: first };
  return sort.down === first ? { key, down: !first } : null;
}

/** @param {any[]} sessions @param {Sort} sort @returns {any[]} what is not known stands last either way, equal ones the newest first */
export function sortSessions(sessions, { key, down }) {
  const of = /** @type {(session: any) => any} */ (COLUMNS.get(key));
  const newest = /** @type {(session: any) => any} */ (COLUMNS.get('when'));
  const sign = down ? -1 : 1;
  const unknown = (/** @type {any} */ value) => value === null || value === undefined;
  return [...sessions].sort((a, b) => {
    const [x, y] = [of(a), of(b)];
    if (unknown(x) !== unknown(y)) return unknown(x) ? 1 : -1;
    if (!unknown(x) && x !== y) return sign * (x < y ? -1 : 1);
    return (newest(b) ?? 0) - (newest(a) ?? 0);
  });
}
