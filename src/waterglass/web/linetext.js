/** The words of a line: what its cells say. No document. */
import { clock, counted, duration, percent, tokens } from '#format';
import { glyphOf, KINDS, outcomeWords, typeWords } from '#kinds';
import { textOf } from '#match';
import { elapsed, nameOf, stringOf, tokensOf } from '#model';
import { oneLine, pathEnd } from '#plain';
import { CALL, HEAD, MARK, PROMPT, REPLY } from '#tree';

// Characters of a path that the name column has room for at its usual width.
const PATH_ROOM = 46;

const MARK_SIGNS = new Map(
  Object.entries({
    compaction: '\u25c6',
    microcompaction: '\u25c7',
    api_error: '\u26a0',
    interrupt: '\u25a0',
    command: '\u203a',
    shell: '$',
  }),
);

/**
 * @param {any} view @param {number} node
 * @returns {{sign: string, name: string, time: string, type: string, kind: string, outcome: string, glyph: string, duration: string,
 *   tokens: string, ctx: string, title: string, inside: string, failed: boolean}} `inside`: errors of what is below
 */
export function lineText(view, node) {
  const kind = view.tree.kind[node];
  const blank = {
    sign: '',
    name: '',
    time: '',
    type: '',
    kind: '',
    outcome: '',
    glyph: '',
    duration: '',
    tokens: '',
    ctx: '',
    title: '',
    inside: '',
    failed: false,
  };
  if (kind === CALL) return callText(view, node, blank);
  const text = oneLine(textOf(view.payload, view.tree, node), 400);
  const [from] = view.span(node);
  const time = Number.isNaN(from) ? '' : clock(from, 'm');
  if (kind === HEAD) {
    const exchange = view.tree.exchanges[view.tree.ref[node]];
    const took = exchange.endMs !== null && exchange.startMs !== null ? exchange.endMs - exchange.startMs : null;
    return {
      ...blank,
      sign: '\u276f',
      time,
      name: text || (exchange.prompt === null ? 'Before the first prompt' : '(prompt without text)'),
      type: exchange.calls ? counted(exchange.calls, 'call') : 'no calls',
      glyph: exchange.errors ? '\u2715' : '',
      outcome: exchange.errors ? counted(exchange.errors, 'error') : '',
      duration: duration(took),
      title: text,
    };
  }
  if (kind === REPLY) {
    const failed = view.payload.replies[view.tree.ref[node]].apiError;
    return { ...blank, sign: failed ? '\u26a0' : '\u25cf', name: text, failed: Boolean(failed) };
  }
  if (kind === PROMPT) {
    const state = view.payload.prompts[view.tree.ref[node]].state;
    return { ...blank, sign: '\u276f', time, name: `${state && state !== 'sent' ? `(${state}) ` : ''}${text}` };
  }
  if (kind === MARK) {
    const mark = view.payload.marks[view.tree.ref[node]];
    return { ...blank, sign: MARK_SIGNS.get(mark.kind) ?? '\u25c7', time, name: markWords(view.payload, mark, text) };
  }
  return blank;
}

/** @param {any} view @param {number} node @param {any} blank */
function callText(view, node, blank) {
  const { model } = view;
  const row = view.tree.ref[node];
  const kind = KINDS[model.kind[row]];
  const tool = stringOf(model, 'toolName', row) ?? '';
  const outcome = stringOf(model, 'outcome', row) ?? '';
  const below = model.end[row] - row - 1;
  const type = oneLine(typeWords(tool, kind), 40);
  const took = elapsed(model, row);
  return {
    ...blank,
    name: pathEnd(nameOf(model, row), PATH_ROOM),
    sign: below ? String(below) : '',
    inside: model.errorsBelow[row] ? `\u2715 ${model.errorsBelow[row]}` : '',
    type,
    kind,
    outcome: outcomeWords(outcome),
    glyph: glyphOf(outcome),
    duration: outcome === 'running' && !Number.isNaN(took) ? `${duration(took)}\u2026` : duration(took),
    tokens: tokens(tokensOf(model, row)),
    ctx: percent(model.ctx[row]),
    title: `${type} \u00b7 ${nameOf(model, row)}`,
  };
}

/**
 * A compaction says what it left of the context; other marks say their label.
 * @param {any} payload @param {any} mark @param {string} label
 */
function markWords(payload, mark, label) {
  if (mark.kind !== 'compaction') return label || mark.kind.replace('_', ' ');
  const agent = mark.agentId ?? null;
  const told = (payload.compactions ?? []).find((/** @type {any} */ c) => c.ms === mark.ms && (c.agentId ?? null) === agent);
  const sizes = told && told.preTokens !== null ? ` ${tokens(told.preTokens)} \u2192 ${tokens(told.postTokens)}` : '';
  return `compaction${sizes}${label && !label.startsWith('compaction') ? ` (${label})` : ''}`;
}

/** What a waterfall cell says to a screen reader. @param {any} view @param {number} node */
export function barLabel(view, node) {
  const [from, to] = view.span(node);
  if (Number.isNaN(from)) return 'time unknown';
  if (to <= from) return `at ${clock(from)}`;
  const beside = view.tree.kind[node] === CALL && view.model.beside[view.tree.ref[node]] ? ', beside others of its reply' : '';
  const waited = view.tree.kind[node] === CALL ? view.model.permissionMs[view.tree.ref[node]] : 0;
  const wait = waited > 0 ? `, of it ${duration(waited)} waiting for permission` : '';
  return `starts ${clock(from)}, lasts ${duration(to - from)}${wait}${beside}`;
}
