/** The tabs of a prompt, a reply or a mark. */
import { el } from '#el';
import { clock, count, duration, moment } from '#format';
import { visible } from '#plain';
import { factTable } from '#rowtabs';
import { textBlock } from '#textblock';

/**
 * @param {string} tab @param {any} view @param {any} reply @param {{text: string, thinking: string|null}} whole
 * @returns {any} an element
 */
export function replyTab(tab, view, reply, whole) {
  if (tab === 'thinking') {
    if (whole.thinking) return textBlock(whole.thinking, 'prose');
    return el(
      'p',
      { class: 'none' },
      reply.thinkingWithheld ? 'Thinking was withheld: only its signature was kept.' : 'No thinking was written.',
    );
  }
  if (tab === 'timing') {
    const usage = reply.usage;
    return factTable([
      ['Began', moment(reply.ms, view.nowMs)],
      ['Took', typeof reply.endMs === 'number' ? duration(reply.endMs - reply.ms) : null],
      ['Model', reply.model && visible(reply.model)],
      ['Stopped because', reply.stopReason && visible(reply.stopReason)],
      [
        'Tokens',
        usage
          ? `input ${count(usage.input)}, cache write ${count(usage.cacheCreation)}, cache read ${count(usage.cacheRead)}, output ${usage.outputIsLowerBound ? '≥ ' : ''}${count(usage.output)}`
          : null,
      ],
      ['Calls', count(reply.rowIds?.length ?? 0)],
      ['Id', reply.id && visible(String(reply.id))],
    ]);
  }
  return whole.text ? textBlock(whole.text, 'prose') : el('p', { class: 'none' }, 'No text.');
}

/**
 * @param {string} tab @param {any} view @param {any} prompt @param {string} text
 * @param {any} exchange null for a prompt that heads none
 */
export function promptTab(tab, view, prompt, text, exchange) {
  if (tab === 'timing') {
    return factTable([
      ['Sent', moment(prompt?.ms, view.nowMs)],
      ['State', prompt?.state],
      ['Branch', prompt?.branch === 'abandoned' ? 'abandoned: another prompt took its place' : null],
      ['Calls', exchange ? count(exchange.calls) : null],
      ['Errors', exchange ? count(exchange.errors) : null],
      ['Lasted', exchange && exchange.endMs !== null ? duration(exchange.endMs - exchange.startMs) : null],
    ]);
  }
  return text
    ? textBlock(text, 'prose')
    : el('p', { class: 'none' }, prompt ? 'The prompt has no text.' : 'These calls came before the first prompt.');
}

/** @type {Record<string, string>} */
const MARK_FACTS = { kind: 'Kind', ms: 'At', label: 'Says', agentId: 'Agent', trigger: 'Trigger' };

/** @param {any} mark */
export function markTab(mark) {
  return factTable(
    Object.entries(mark)
      .filter(([key, value]) => key !== 'endMs' && value !== null && value !== '')
      .map(([key, value]) => [
        MARK_FACTS[key] ?? key,
        key === 'ms' ? clock(value, 'ms') : visible(typeof value === 'object' ? JSON.stringify(value) : String(value)),
      ]),
  );
}
