/** What Claude Code's own telemetry told of the calls, and how much of it fits. */
import { el } from '#el';
import { bytes, count, duration } from '#format';
import { oneLine } from '#plain';
import { factTable } from '#rowtabs';

const COUNTS = [
  ['byTime', 'Of them by tool and time alone'],
  ['unmatched', 'Told calls that fit none'],
  ['ambiguous', 'Ambiguous, not used'],
  ['disagreeing', 'At another time, not used'],
  ['otherSessions', 'Of other sessions'],
];
const LOST = [
  ['badLines', 'bad'],
  ['longLines', 'too long'],
  ['badItems', 'spans or events that cannot be read'],
  ['leftOut', 'spans or events more than are kept'],
];
const BY = new Map(Object.entries({ user: 'you', config: 'a rule', hook: 'a hook', unknown: 'not told by whom' }));

/** @param {any} told the payload's `telemetry` @returns {any[]} elements, none where none was given */
export function telemetryView(told) {
  if (!told) return [];
  const waited = Object.entries(told.waitMs ?? {}).map(([by, ms]) => `${duration(ms)} (${BY.get(by) ?? oneLine(by, 20)})`);
  return [
    el('h3', null, 'Telemetry'),
    factTable([
      ['Calls told of', `${count(told.calls)} of ${count(told.calls + told.callsWithout)}`],
      ...COUNTS.map(([key, words]) => /** @type {[string, any]} */ ([words, told[key] ? count(told[key]) : null])),
      ['Waits for a permission', told.waits ? `${count(told.waits)}: ${waited.join(', ')}` : 'none'],
      ['Execution', duration(told.executionMs)],
    ]),
    el('ul', { class: 'folders' }, ...(told.files ?? []).map(fileLine)),
  ];
}

/** @param {any} file */
function fileLine(file) {
  const lost = LOST.filter(([key]) => file[key]).map(([key, words]) => `${count(file[key])} ${words}`);
  const said = lost.length ? `, of ${count(file.lines)} lines ${lost.join(', ')}` : '';
  return el('li', null, el('code', null, oneLine(String(file.path ?? ''), 300)), ` ${bytes(file.bytes)}${said}`);
}
