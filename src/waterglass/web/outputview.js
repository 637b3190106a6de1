/** What a call gave back, in the form that its tool asks for. */
import { button, el } from '#el';
import { bytes, counted, duration, tokens } from '#format';
import { jsonTree } from '#jsontree';
import { KINDS, outcomeWords } from '#kinds';
import { elapsed, stringOf } from '#model';
import { fillSome } from '#more';
import { asJson, exitCode, groupedHits, numberedLines, pathOf } from '#outputs';
import { oneLine, visible } from '#plain';
import { foldAt, textBlock } from '#textblock';

const FILES_SHOWN = 60;

/**
 * @param {any} view @param {number} row @param {any} body the answer for the row, its output a text that is not empty
 * @returns {any} an element
 */
export function outputView(view, row, body) {
  const tool = stringOf(view.model, 'toolName', row) ?? '';
  const kind = KINDS[view.model.kind[row]];
  const failed = stringOf(view.model, 'outcome', row) === 'error';
  const { output } = body;
  const known = failed ? null : formOf(tool, kind, body);
  if (known) return known;
  if (kind === 'agent') return textBlock(output, failed ? 'prose failed' : 'prose');
  return textBlock(output, failed ? 'failed' : kind === 'web' ? 'prose' : '');
}

/** @param {string} tool @param {string} kind @param {any} body */
function formOf(tool, kind, { input, output }) {
  if (kind === 'read') {
    const read = numberedLines(output);
    return read && numberedView(read);
  }
  if (tool === 'Grep') {
    const found = groupedHits(output, pathOf(input) ?? '');
    return found && hitsView(found);
  }
  if (kind === 'mcp' || kind === 'other') {
    const value = asJson(output);
    return value === undefined ? null : jsonTree(value);
  }
  return null;
}

/** Numbers and text in two columns: the numbers are not copied with the text. @param {{numbers: string, code: string}} lines */
function columns({ numbers, code }) {
  return el(
    'div',
    { class: 'numbered' },
    el('pre', { class: 'numbers', 'aria-hidden': 'true' }, numbers),
    el('pre', { class: 'code', tabindex: '0' }, visible(code)),
  );
}

/** @param {{numbers: string, code: string, note: string}} read */
function numberedView({ numbers, code, note }) {
  const cut = foldAt(code);
  const holder = el('div', { class: 'numberedview' });
  const lines = cut < code.length ? code.slice(0, cut).split('\n').length : 0;
  holder.append(columns(lines ? { numbers: numbers.split('\n').slice(0, lines).join('\n'), code: code.slice(0, cut) } : { numbers, code }));
  if (lines) {
    const rest = el(
      'p',
      { class: 'folded' },
      `${counted(lines, 'line')} of ${counted(code.split('\n').length, 'line')} (${bytes(code.length)}) `,
      button('show all', () => {
        rest.remove();
        holder.replaceChildren(columns({ numbers, code }));
      }),
    );
    holder.append(rest);
  }
  if (note) holder.append(textBlock(note, 'note'));
  return holder;
}

/** @param {{groups: any[], rest: string[]}} found */
function hitsView({ groups, rest }) {
  const hits = groups.reduce((sum, group) => sum + group.hits, 0);
  const body = el('div', { class: 'hits' }, el('p', { class: 'none' }, `${counted(hits, 'hit')} in ${counted(groups.length, 'file')}`));
  fillSome(
    body,
    groups,
    ({ file, numbers, texts, hits: here }) =>
      el(
        'section',
        null,
        el('h3', null, el('bdi', null, oneLine(file)), ` ${counted(here, 'hit')}`),
        columns({ numbers: numbers.join('\n'), code: texts.join('\n') }),
      ),
    FILES_SHOWN,
  );
  if (rest.length) body.append(textBlock(rest.join('\n'), 'note'));
  return body;
}

/**
 * What stands above an output: a command with its end, what an agent did.
 * @param {any} view @param {number} row @param {any} body @param {(node: number) => void} jump
 * @returns {any} an element, null when the tool has none
 */
export function outputHead(view, row, body, jump) {
  const { model } = view;
  if (KINDS[model.kind[row]] === 'agent') return agentHead(view, row, () => jump(firstCall(view, model.id[row])));
  if (typeof body.input?.command !== 'string') return null;
  const code = exitCode(body.output);
  const outcome = stringOf(model, 'outcome', row) ?? '';
  const took = elapsed(model, row);
  return el(
    'div',
    { class: 'commandhead' },
    textBlock(body.input.command, 'command'),
    el(
      'p',
      { class: 'none' },
      [
        code === null ? outcomeWords(outcome) : `exit code ${code}`,
        Number.isNaN(took) ? null : `took ${duration(took)}`,
        model.background[row] ? 'in the background' : null,
      ]
        .filter(Boolean)
        .join(' \u00b7 '),
    ),
  );
}

/** The first call below a row as the session is now, -1 without any. @param {any} view @param {string} id */
function firstCall({ model, tree }, id) {
  const row = model.id.indexOf(id);
  return row >= 0 && model.end[row] > row + 1 ? tree.nodeOfRow[row + 1] : -1;
}

/** @param {any} view @param {number} row @param {() => void} enter */
function agentHead(view, row, enter) {
  const { model, payload } = view;
  const started = stringOf(model, 'startsAgentId', row);
  const agent = (payload.agents ?? []).find((/** @type {any} */ a) => a.id === started);
  const kinds = new Map();
  for (let below = row + 1; below < model.end[row]; below++)
    kinds.set(KINDS[model.kind[below]], (kinds.get(KINDS[model.kind[below]]) ?? 0) + 1);
  const calls = model.end[row] - row - 1;
  const parts = [...kinds].sort((a, b) => b[1] - a[1]).map(([kind, n]) => `${kind} ${n}`);
  const words = [
    `${counted(calls, 'call')}${parts.length ? ` (${parts.join(', ')})` : ''}`,
    model.errorsBelow[row] ? counted(model.errorsBelow[row], 'error') : null,
    agent?.usage ? `${tokens(agent.usage.output)} tokens written` : null,
    agent?.contextTokens ? `context ${tokens(agent.contextTokens)}` : null,
    agent?.missing ? 'its transcript is not there' : null,
  ];
  return el(
    'p',
    { class: 'agenthead' },
    `${words.filter(Boolean).join(' \u00b7 ')} `,
    calls ? button('go to its first call', enter, { class: 'link' }) : null,
  );
}
