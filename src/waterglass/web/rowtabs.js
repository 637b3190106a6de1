/** The tabs of a call: output, input, timing, context, raw. */
import { el } from '#el';
import { bytes, clock, count, duration, known, moment, percent, UNKNOWN } from '#format';
import { imageViews } from '#images';
import { jsonTree } from '#jsontree';
import { outcomeWords } from '#kinds';
import { elapsed, listOf, stringOf } from '#model';
import { outputHead, outputView } from '#outputview';
import { oneLine } from '#plain';
import { copyButton, textBlock } from '#textblock';
import { changeOf, inputView } from '#toolview';

export const ROW_TABS = ['output', 'input', 'timing', 'context', 'raw'];

/** A table of names and values; null values are left out. @param {[string, any][]} pairs */
export function factTable(pairs) {
  return el(
    'dl',
    { class: 'pairs' },
    ...pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .flatMap(([name, value]) => [el('dt', null, name), el('dd', null, value)]),
  );
}

/**
 * @param {string} tab @param {any} view @param {number} row @param {any} body the answer for the row
 * @param {(node: number) => void} jump goes to another line
 * @returns {any} an element
 */
export function rowTab(tab, view, row, body, jump) {
  if (tab === 'input') return inputTab(view, row, body);
  if (tab === 'timing') return timingTab(view, row);
  if (tab === 'context') return contextTab(view, row);
  if (tab === 'raw') return rawTab(body);
  return outputTab(view, row, body, jump);
}

/** @param {any} view @param {number} row @param {any} body */
function inputTab(view, row, body) {
  return el('div', null, inputView(stringOf(view.model, 'toolName', row) ?? '', body.input));
}

/** @param {any} view @param {number} row @param {any} body @param {(node: number) => void} jump */
function outputTab(view, row, body, jump) {
  const outcome = stringOf(view.model, 'outcome', row);
  const parts = [outputHead(view, row, body, jump), changeOf(stringOf(view.model, 'toolName', row) ?? '', body)];
  if (body.output === null || body.output === undefined) {
    parts.push(
      el(
        'p',
        { class: 'none' },
        outcome === 'running' ? 'Still running: no output yet.' : 'No result was written for this call.',
      ),
    );
  } else if (body.output === '') parts.push(el('p', { class: 'none' }, body.images?.length ? '' : 'The result is empty.'));
  else parts.push(outputView(view, row, body));
  if (body.truncated)
    parts.push(
      el(
        'p',
        { class: 'folded' },
        `Cut here: the whole output has ${known(body.outputBytes) ? bytes(body.outputBytes) : 'more'}`,
      ),
    );
  if (body.imagesLeftOut)
    parts.push(el('p', { class: 'folded' }, `Pictures are left out of a report: ${body.imagesLeftOut}. The session has them.`));
  return el('div', null, ...parts, ...imageViews(body.images ?? []));
}

/** @param {any} view @param {number} row */
function timingTab(view, row) {
  const { model } = view;
  const start = model.startMs[row];
  const end = model.endMs[row];
  const ack = model.ackMs[row];
  const outcome = stringOf(model, 'outcome', row) ?? '';
  const siblings = parallelTo(view, row);
  return factTable([
    ['Outcome', outcomeWords(outcome)],
    ['Started', `${moment(start, view.nowMs)} (${clock(start, 'ms')})`],
    ['Ended', Number.isNaN(end) ? UNKNOWN : clock(end, 'ms')],
    [
      'Duration',
      Number.isNaN(model.duration[row])
        ? outcome === 'running'
          ? `${duration(elapsed(model, row))} so far`
          : UNKNOWN
        : `${duration(model.duration[row])} (${count(model.duration[row])} ms)`,
    ],
    ['Waited for permission', waitWords(model, row)],
    ['Execution', Number.isNaN(model.executionMs[row]) ? null : duration(model.executionMs[row])],
    ['Background', model.background[row] ? 'yes: ends at its notification' : null],
    ['Acknowledged', Number.isNaN(ack) ? null : `after ${duration(ack)}`],
    ['Since the session began', duration(start - view.axis.startMs)],
    ['Side by side with', siblings ? `${count(siblings)} more of the same reply` : null],
  ]);
}

/** What Claude Code's telemetry tells of the wait; null where it was not given. @param {any} model @param {number} row */
function waitWords(model, row) {
  const ms = model.permissionMs[row];
  if (Number.isNaN(ms)) return null;
  if (ms === 0) return 'no';
  const exact = stringOf(model, 'permissionBound', row) === 'exact';
  return exact ? duration(ms) : `at most ${duration(ms)} (from the call to the decision)`;
}

/** Calls of the same reply. @param {any} view @param {number} row */
function parallelTo(view, row) {
  const { model } = view;
  const message = model.messageId[row];
  if (message < 0) return 0;
  let others = 0;
  for (let i = Math.max(0, row - 200); i < Math.min(model.n, row + 200); i++)
    if (i !== row && model.messageId[i] === message) others++;
  return others;
}

/** @param {any} view @param {number} row */
function contextTab(view, row) {
  const { model, payload } = view;
  const number = (/** @type {number} */ n) => (Number.isNaN(n) ? UNKNOWN : count(n));
  const usage = model.usage[row];
  const agentId = stringOf(model, 'agentId', row);
  const agent = (payload.agents ?? []).find((/** @type {any} */ a) => a.id === agentId);
  const started = stringOf(model, 'startsAgentId', row);
  const below = (payload.agents ?? []).find((/** @type {any} */ a) => a.id === started);
  const window = payload.context?.window;
  const assumed = payload.context?.windowSource === 'assumed' ? ', assumed' : '';
  const facts = factTable([
    [
      'Context size',
      `${number(model.inputTokens[row])}${Number.isNaN(model.ctx[row]) ? '' : ` (${percent(model.ctx[row])} of ${count(window)}${assumed})`}`,
    ],
    ['Written by the reply', number(model.outputTokens[row])],
    [
      'Cache',
      usage && known(usage.cacheRead)
        ? `read ${count(usage.cacheRead)}, written ${count(usage.cacheCreation)}, new input ${count(usage.input)}`
        : null,
    ],
    ['Model', oneLine(stringOf(model, 'model', row) ?? UNKNOWN)],
    [
      'Made by',
      agent ? oneLine(`${agent.type ?? 'agent'} ${agent.name ?? ''}`) : agentId === null ? 'main thread' : oneLine(agentId),
    ],
    [
      'Started agent',
      below
        ? oneLine(
            `${below.type ?? ''} ${below.name ?? ''} ${below.contextTokens ? `· context ${count(below.contextTokens)}` : ''}`,
          )
        : started && oneLine(started),
    ],
    ['Category', stringOf(model, 'category', row)],
    ['Does', listOf(model, 'acts', row).join(', ')],
    [
      'Targets',
      listOf(model, 'targets', row)
        .map((t) => oneLine(t))
        .join(', '),
    ],
    ['Read before', model.isReread[row] ? 'yes, unchanged since' : null],
    [
      'Notes',
      listOf(model, 'warnings', row)
        .map((t) => oneLine(t))
        .join(', '),
    ],
    ['Id', oneLine(String(model.id[row]))],
  ]);
  const said = thinkingOf(view, row);
  return el('div', null, facts, ...(said ? [el('h3', null, 'Thought before this call'), textBlock(said, 'prose')] : []));
}

/**
 * The thinking of the reply that made a call, null without any.
 * @param {any} view @param {number} row
 * @returns {string|null}
 */
function thinkingOf(view, row) {
  const message = stringOf(view.model, 'messageId', row);
  const reply = message === null ? null : view.payload.replies.find((/** @type {any} */ r) => r.id === message);
  return reply?.thinking || null;
}

/** @param {any} body */
function rawTab(body) {
  const { call, result } = body.raw ?? {};
  if (!call && !result) return el('p', { class: 'none' }, 'The records are not kept here.');
  const part = (/** @type {string} */ name, /** @type {any} */ record) =>
    record
      ? [
          el(
            'h3',
            null,
            name,
            ' ',
            copyButton('copy JSON', () => JSON.stringify(record, null, 2)),
          ),
          jsonTree(record),
        ]
      : [];
  return el('div', null, ...part('Call', call), ...part('Result', result));
}
