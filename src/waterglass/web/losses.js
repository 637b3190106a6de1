/** What compactions lost: of what was in view before each, what its summary names, and what was read or run again. */
import { el } from '#el';
import { finder } from '#evidence';
import { clock, count } from '#format';
import { fillSome } from '#more';
import { oneLine, visible } from '#plain';

const SHOWN = 60;

/** @param {any} payload @returns {any[]} */
export const lossesOf = (payload) => payload.health?.compactionLosses ?? [];

/** @param {any} view @param {(node: number) => void} jump */
export function lossesView(view, jump) {
  const find = finder(view);
  const losses = lossesOf(view.payload);
  return el('div', { class: 'losses' }, ...losses.flatMap((loss, at) => lossView(loss, at, find, jump)));
}

/** @param {any} loss @param {number} at @param {(piece: any) => number} find @param {(node: number) => void} jump */
function lossView(loss, at, find, jump) {
  const sums = { seen: 0, named: 0, unnamedAgain: 0 };
  for (const counts of Object.values(loss.counts ?? {}))
    for (const name of /** @type {(keyof typeof sums)[]} */ (Object.keys(sums))) sums[name] += Number(counts[name] ?? 0);
  const where = loss.agentId ? `sub-agent ${oneLine(String(loss.agentId), 60)}` : 'main thread';
  const when = loss.ms === null ? '' : `, ${clock(loss.ms, 'm')}`;
  const words = loss.summaryEventId
    ? `Of ${count(sums.seen)} paths, commands, numbers and names in view, the summary names ${count(sums.named)}. ${count(sums.unnamedAgain)} of the others came up again afterwards.`
    : 'No summary was written: nothing is named.';
  const body = fillSome(
    el('tbody', null),
    loss.items ?? [],
    (item) => itemRow(item, find, jump),
    SHOWN,
    (more) => el('tr', null, el('td', null, more)),
  );
  const head = ['What was in view', 'Kind', 'In the summary', 'Seen', 'Again'].map((text) => el('th', null, text));
  return [
    el('h3', null, `Compaction ${at + 1}, ${where}${when}`),
    el('p', { class: 'sentence' }, words),
    el('p', { class: 'why' }, visible(String(loss.basis ?? ''))),
    el('table', { class: 'losstable' }, el('thead', null, el('tr', null, ...head)), body),
    loss.leftOut ? el('p', { class: 'why' }, `${count(loss.leftOut)} more are not listed`) : null,
  ].filter(Boolean);
}

/** @param {any} item @param {(piece: any) => number} find @param {(node: number) => void} jump */
function itemRow(item, find, jump) {
  return el(
    'tr',
    null,
    el('td', null, el('code', null, oneLine(String(item.text), 160))),
    el('td', null, oneLine(String(item.kind), 20)),
    el('td', null, item.named ? '\u2713 named' : '\u2013 not named'),
    el('td', null, link(item.seen ?? [], find, jump)),
    el('td', null, link(item.again ?? [], find, jump)),
  );
}

/** @param {string[]} ids @param {(piece: any) => number} find @param {(node: number) => void} jump */
function link(ids, find, jump) {
  if (!ids.length) return '\u2013';
  const node = ids.map((id) => find({ rowId: id, replyId: id })).find((one) => one >= 0) ?? -1;
  const words = `${count(ids.length)}\u00d7`;
  if (node < 0) return words;
  return el('button', { type: 'button', class: 'jump', title: 'Go to the first', on: { click: () => jump(node) } }, words);
}
