/**
 * The start page's lines: sessions by project, continued ones under the newest of their chain, searched as you type; or all in the
 * order of a column.
 */
import { sortSessions } from '#shelfsort';

/**
 * @typedef {{kind: 'project', project: string|null, count: number, open: boolean}
 *   | {kind: 'session', session: any, chain: number, open: boolean, inner: boolean, alone?: boolean}} ShelfLine `alone`: no project's head is above
 */

/** @param {any} session @param {string[]} words */
function matches(session, words) {
  const text =
    `${session.title ?? ''} ${session.project ?? ''} ${session.id} ${session.worktree ?? ''} ${session.slug ?? ''}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The time that a list is ordered by. @param {any} session */
const activity = (session) => session.lastActivityMs ?? session.endMs ?? -Infinity;

/**
 * @param {any[]} sessions any order @param {string} search @param {Set<string>} openChains ids of groups that are open
 * @param {Set<string|null>} [closed] projects whose sessions are not listed; a search looks into them all the same
 * @param {import('#shelfsort').Sort|null} [sort]
 * @returns {{lines: ShelfLine[], found: number}} projects by their newest session
 */
export function shelve(sessions, search, openChains, closed = new Set(), sort = null) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sessions.filter((s) => matches(s, words)).sort((a, b) => activity(b) - activity(a));
  if (sort) {
    const alone = (/** @type {any} */ session) => ({ kind: /** @type {'session'} */ ('session'), session, chain: 1, open: false, inner: false, alone: true });
    return { lines: sortSessions(found, sort).map(alone), found: found.length };
  }
  /** @type {Map<string|null, any[]>} */
  const projects = new Map();
  for (const session of found) {
    const list = projects.get(session.project ?? null);
    if (list) list.push(session);
    else projects.set(session.project ?? null, [session]);
  }
  /** @type {ShelfLine[]} */
  const lines = [];
  for (const [project, list] of projects) {
    const open = words.length > 0 || !closed.has(project);
    lines.push({ kind: 'project', project, count: list.length, open });
    if (open) chains(list, openChains, lines);
  }
  return { lines, found: found.length };
}

/** @param {any[]} list newest first @param {Set<string>} openChains @param {ShelfLine[]} lines added to */
function chains(list, openChains, lines) {
  /** @type {Map<string, any[]>} */
  const groups = new Map();
  for (const session of list) {
    const key = session.group ?? session.id;
    const group = groups.get(key);
    if (group) group.push(session);
    else groups.set(key, [session]);
  }
  for (const [key, group] of groups) {
    const open = openChains.has(key);
    group.forEach((session, i) => {
      if (i === 0 || open) lines.push({ kind: 'session', session, chain: i === 0 ? group.length : 1, open, inner: i > 0 });
    });
  }
}

/**
 * An answer of the list put over the known sessions, by id.
 * @param {Map<string, any>} known changed in place @param {{sessions?: any[], removed?: string[]}} answer @param {boolean} whole all sessions, not only what changed
 * @returns {any[]} all sessions
 */
export function mergeSessions(known, answer, whole) {
  if (whole) known.clear();
  for (const session of answer.sessions ?? []) known.set(session.id, session);
  for (const id of answer.removed ?? []) known.delete(id);
  return [...known.values()];
}
