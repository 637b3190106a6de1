/** What the start page says around its list: the sample, nothing found, what could not be read. */
import { el } from '#el';
import { count, counted, day } from '#format';
import { oneLine } from '#plain';

const COMMAND = 'waterglass serve --root DIR';

/** @param {any[]} folders */
function lookedIn(folders) {
  return el(
    'ul',
    { class: 'folders' },
    ...(folders ?? []).map((f) =>
      el('li', null, el('code', null, oneLine(String(f.path), 300)), f.exists ? ' (no session there)' : ' (not there)'),
    ),
  );
}

/** @param {any} answer */
export function sampleNote(answer) {
  const sample = el('b', null, 'This is the sample: invented sessions.');
  if (answer.begun) {
    const again = ' Sessions of your own have begun since: end Waterglass (Ctrl-C) and start it again to see them.';
    return el('div', { class: 'banner sample', role: 'note' }, el('p', null, sample, again));
  }
  return el(
    'div',
    { class: 'banner sample', role: 'note' },
    el('p', null, sample, ' No session of yours was found in:'),
    lookedIn(answer.lookedIn),
    el('p', null, 'To look in another folder: ', el('code', null, COMMAND)),
  );
}

/** @param {any} answer */
export function emptyNote(answer) {
  return el(
    'div',
    { class: 'stateview' },
    el('h1', null, 'No sessions found'),
    el('p', null, 'Looked in:'),
    lookedIn(answer.lookedIn),
    el('p', null, 'Name the folder that holds the project folders: ', el('code', null, COMMAND)),
    el('p', null, 'or see the sample: ', el('code', null, 'waterglass sample -o sample && waterglass serve --root sample')),
  );
}

/** @param {any} answer @returns {HTMLElement|null} which sessions Claude Code is about to delete, and how many are gone */
export function goingNote(answer) {
  const { going, deleted } = answer;
  const soon = going?.sessions ?? 0;
  if (!soon && !deleted) return null;
  const gone = `${counted(deleted, 'session')} ${deleted === 1 ? 'is' : 'are'} already deleted: `;
  return el(
    'p',
    { class: 'banner going', role: 'note' },
    soon ? `Claude Code deletes ${counted(soon, 'session')} within about ${going.days} days, ` : null,
    soon ? `the first about ${day(going.nextMs)}, unless it is set otherwise. To keep copies: ` : null,
    soon ? el('code', null, 'waterglass archive --to DIR') : null,
    soon && deleted ? '. ' : null,
    deleted ? gone : null,
    deleted ? el('code', null, 'waterglass list --deleted') : null,
  );
}

const SHOWN = 100;

/** @param {{path: string, reason: string}[]} unreadable */
export function unreadableNote(unreadable) {
  if (!unreadable.length) return null;
  const items = unreadable
    .slice(0, SHOWN)
    .map((u) => el('li', null, el('code', null, oneLine(u.path, 300)), ` ${oneLine(u.reason, 200)}`));
  if (unreadable.length > SHOWN) items.push(el('li', null, `and ${count(unreadable.length - SHOWN)} more`));
  return el(
    'details',
    { class: 'banner problem' },
    el('summary', null, `${count(unreadable.length)} file${unreadable.length === 1 ? '' : 's'} could not be read`),
    el('ul', null, ...items),
  );
}
