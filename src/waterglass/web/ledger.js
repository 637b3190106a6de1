/** The time ledger as one bar: its parts add up to the wall clock. */
import { el } from '#el';
import { duration } from '#format';

const PARTS = [
  ['toolMs', 'tools', 'tool'],
  ['permissionMs', 'permission', 'permission'],
  ['modelMs', 'model', 'model'],
  ['userMs', 'you', 'user'],
  ['idleMs', 'idle', 'idle'],
];

/** @param {any} time the payload's `time` @returns {any} an element, null when it is not known */
export function ledgerBar(time) {
  if (!time || !(time.wallMs > 0)) return null;
  const shown = parted(time);
  const bar = el('span', { class: 'ledgerbar', role: 'img', 'aria-label': ledgerWords(time) });
  const words = [];
  for (const [key, name, look] of PARTS) {
    const ms = shown[key];
    if (!(ms > 0)) continue;
    const said = `${name} ${boundOf(time, key)}${duration(ms)}`;
    const part = el('i', { class: `part t-${look}`, title: said });
    // Flex shares keep the sum at the bar's width whatever is rounded.
    part.style.flexGrow = String(ms / time.wallMs);
    bar.append(part);
    words.push(el('span', { class: 'share' }, el('i', { class: `dot t-${look}` }), said));
  }
  return el(
    'span',
    { class: 'ledger', title: ledgerWords(time) },
    el('span', { class: 'wall' }, duration(time.wallMs)),
    bar,
    ...words,
  );
}

/** The parts as they are drawn: a wait for a permission, where it is known, is no tool time. @param {any} time */
function parted(time) {
  return { ...time, toolMs: time.toolMs - (time.permissionMs ?? 0) };
}

/**
 * How sure a part is: the less waiting is known, the more tool time is at most. Without telemetry the words say it.
 * @param {any} time @param {string} key
 */
function boundOf(time, key) {
  const known = time.permissionMs !== null && time.permissionMs !== undefined;
  if (!known || time.toolBound === 'exact' || (key !== 'toolMs' && key !== 'permissionMs')) return '';
  const waits = key === 'permissionMs';
  if (time.permissionBound === 'at_least') return waits ? '\u2265 ' : '\u2264 ';
  if (time.permissionBound === 'at_most') return waits ? '\u2264 ' : '\u2265 ';
  return '~ ';
}

/** @param {any} time */
function ledgerWords(time) {
  const shown = parted(time);
  const parts = PARTS.filter(([key]) => shown[key] > 0).map(
    ([key, name]) => `${name} ${boundOf(time, key)}${duration(shown[key])}`,
  );
  const told = time.permissionMs !== null && time.permissionMs !== undefined;
  let bound = '';
  if (time.toolBound === 'at_most')
    bound = told
      ? ' (telemetry does not tell exactly of every call)'
      : ' (tools: at most; a wait for permission counts as tool time)';
  return `From the first record to the last ${duration(time.wallMs)}: ${parts.join(' + ')}${bound}`;
}
