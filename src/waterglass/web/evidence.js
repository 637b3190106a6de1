/** What a verdict rests on: its sentence, the notes, and a list whose entries lead to the calls and texts. */
import { el } from '#el';
import { jsonTree } from '#jsontree';
import { lineText } from '#linetext';
import { fillSome } from '#more';
import { oneLine, visible } from '#plain';
import { figure, signalName, statusOf } from '#scorecard';
import { CALL, REPLY } from '#tree';

const SHOWN = 200;

/**
 * Nodes by the ids that evidence names.
 * @param {any} view @returns {(piece: any) => number} -1 where the session has no such line
 */
export function finder(view) {
  const { model, tree, payload } = view;
  const rows = new Map(model.id.map((/** @type {string} */ id, /** @type {number} */ row) => [id, row]));
  /** @type {Map<string, number>|null} */
  let replies = null;
  return (piece) => {
    const row = rows.get(piece?.rowId);
    if (row !== undefined && row < model.n) return tree.nodeOfRow[row];
    if (!piece?.replyId) return -1;
    if (!replies) {
      replies = new Map();
      for (let node = 0; node < tree.n; node++)
        if (tree.kind[node] === REPLY) replies.set(payload.replies[tree.ref[node]].id, node);
    }
    return replies.get(piece.replyId) ?? -1;
  };
}

/** @param {any} view @param {number} node @param {string} why @param {(node: number) => void} jump */
function entry(view, node, why, jump) {
  if (node < 0) return el('li', { class: 'gone' }, visible(why) || 'not among the lines');
  const words = lineText(view, node);
  const name = view.tree.kind[node] === CALL ? `${words.type} \u00b7 ${words.name}` : `${words.sign} ${words.name}`;
  return el(
    'li',
    null,
    el(
      'button',
      { type: 'button', class: 'jump', on: { click: () => jump(node) } },
      words.kind ? el('i', { class: `swatch k-${words.kind}` }) : null,
      el('bdi', { class: 'jumpname' }, oneLine(name, 160)),
      words.glyph ? el('span', { class: 'jumpstate' }, ` ${words.glyph} ${words.outcome}`) : null,
    ),
    why ? el('span', { class: 'why' }, visible(why)) : null,
  );
}

/** @param {any} view @param {any[]} pieces @param {(node: number) => void} jump */
function evidenceList(view, pieces, jump) {
  const find = finder(view);
  return fillSome(
    el('ol', { class: 'evidence' }),
    pieces,
    (piece) => entry(view, find(piece), String(piece?.why ?? ''), jump),
    SHOWN,
    (more) => el('li', null, more),
  );
}

/**
 * A metric as a panel of the detail.
 * @param {any} view @param {any} metric @param {(node: number) => void} jump
 */
export function metricPanel(view, metric, jump) {
  const { look, glyph, words } = statusOf(metric.status);
  const pieces = metric.evidence ?? [];
  const detail = metric.detail && Object.keys(metric.detail).length ? metric.detail : null;
  const evidence = () =>
    el(
      'div',
      { class: 'verdictview' },
      el(
        'p',
        { class: 'sentence' },
        el('span', { class: `verdict m-${look}` }, el('span', { class: 'verdictglyph', 'aria-hidden': 'true' }, glyph), words),
        el('b', null, visible(String(metric.display ?? ''))),
      ),
      el('p', { class: 'none' }, visible(String(metric.explanation ?? ''))),
      ...(metric.notes ?? []).map((/** @type {any} */ note) => el('p', { class: 'note' }, visible(String(note)))),
      pieces.length ? evidenceList(view, pieces, jump) : el('p', { class: 'none' }, 'No call or text is named as evidence.'),
    );
  return {
    key: String(metric.id),
    title: oneLine(String(metric.label ?? metric.id), 80),
    tabs: detail
      ? [
          ['evidence', `Evidence ${pieces.length || ''}`.trim(), evidence],
          ['figures', 'Figures', () => el('div', null, figureLine(metric), jsonTree(detail))],
        ]
      : [['evidence', `Evidence ${pieces.length || ''}`.trim(), evidence]],
  };
}

/** @param {any} metric */
function figureLine(metric) {
  const better = metric.better === 'lower' ? ', lower is better' : metric.better === 'higher' ? ', higher is better' : '';
  return el('p', null, `${figure(metric.value, metric.unit)}${better}`);
}

/**
 * A signal of health as a panel of the detail.
 * @param {any} view @param {any} signal @param {(node: number) => void} jump
 */
export function signalPanel(view, signal, jump) {
  const pieces = (signal.rowIds ?? []).map((/** @type {string} */ rowId) => ({ rowId, why: '' }));
  const { basis } = signal;
  return {
    key: `signal ${signal.id}`,
    title: signalName(signal.id),
    tabs: [
      [
        'evidence',
        `Calls ${pieces.length || ''}`.trim(),
        () =>
          el(
            'div',
            { class: 'verdictview' },
            el('p', { class: 'sentence' }, el('b', null, figure(signal.value, signal.unit))),
            typeof basis === 'string' ? el('p', { class: 'none' }, visible(basis)) : basis ? jsonTree(basis) : null,
            pieces.length ? evidenceList(view, pieces, jump) : el('p', { class: 'none' }, 'No call is named.'),
          ),
      ],
    ],
  };
}
