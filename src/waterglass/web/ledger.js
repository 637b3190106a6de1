/** The time ledger as one bar: its parts add up to the wall clock. */
import { el } from '#el';
import { duration } from '#format';

const PARTS = [
  ['toolMs', 'tools', 'tool'],
  ['modelMs', 'model', 'model'],
  ['userMs', 'you', 'user'],
  ['idleMs', 'idle', 'idle'],
];

/** @param {any} time the payload's `time` @returns {any} an element, null when it is not known */
export function ledgerBar(time) {
  if (!time || !(time.wallMs > 0)) return null;
  const bar = el('span', { class: 'ledgerbar', role: 'img', 'aria-label': ledgerWords(time) });
  const words = [];
  for (const [key, name, look] of PARTS) {
    const ms = time[key];
    if (!(ms > 0)) continue;
    const part = el('i', { class: `part t-${look}`, title: `${name} ${duration(ms)}` });
    // Flex shares keep the sum at the bar's width whatever is rounded.
    part.style.flexGrow = String(ms / time.wallMs);
    bar.append(part);
    words.push(el('span', { class: 'share' }, el('i', { class: `dot t-${look}` }), `${name} ${duration(ms)}`));
  }
  return el(
    'span',
    { class: 'ledger', title: ledgerWords(time) },
    el('span', { class: 'wall' }, duration(time.wallMs)),
    bar,
    ...words,
  );
}

/** @param {any} time */
function ledgerWords(time) {
  const parts = PARTS.filter(([key]) => time[key] > 0).map(([key, name]) => `${name} ${duration(time[key])}`);
  const bound = time.toolBound === 'at_most' ? ' (tools: at most; a wait for permission counts as tool time)' : '';
  return `From the first record to the last ${duration(time.wallMs)}: ${parts.join(' + ')}${bound}`;
}
