/** The chart of the main thread's context, with its compactions as a list that leads to them. */
import { chartTime, chartX, contextPath, HIGH, WIDE } from '#chart';
import { el } from '#el';
import { clock, counted, moment, percent, tokens } from '#format';
import { fillSome } from '#more';
import { oneLine } from '#plain';
import { contextWords } from '#sessionhead';
import { CALL, MARK } from '#tree';

const SVG = 'http://www.w3.org/2000/svg';

/** @param {string} d @param {number} limit y of the window's line, NaN for none */
function picture(d, limit) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const line = (/** @type {string} */ path, /** @type {string} */ look) => {
    const drawn = document.createElementNS(SVG, 'path');
    drawn.setAttribute('d', path);
    drawn.setAttribute('class', look);
    drawn.setAttribute('vector-effect', 'non-scaling-stroke');
    svg.append(drawn);
  };
  if (!Number.isNaN(limit)) line(`M0 ${limit}H${WIDE}`, 'limit');
  line(d, 'size');
  return svg;
}

/** What a height of the chart stands for. @param {string} words @param {number} y */
function level(words, y) {
  const label = el('span', { class: 'plotlevel' }, words);
  label.style.top = `${y}%`;
  return label;
}

/** The call of the main thread that ran at a time, or the last before it; -1 without any. @param {any} view @param {number} ms */
function callAt({ model, tree }, ms) {
  let found = -1;
  for (let row = 0; row < model.n; row = Math.max(model.end[row], row + 1)) {
    if (model.startMs[row] > ms) break;
    found = row;
  }
  return found < 0 ? -1 : tree.nodeOfRow[found];
}

/** @param {any} view @param {any} compaction the node of its mark, -1 without one */
function markOf({ tree, payload }, compaction) {
  for (let node = 0; node < tree.n; node++) {
    if (tree.kind[node] !== MARK) continue;
    const mark = payload.marks[tree.ref[node]];
    if (mark.kind === 'compaction' && mark.ms === compaction.ms && (mark.agentId ?? null) === (compaction.agentId ?? null)) return node;
  }
  return -1;
}

/** @param {any} view @param {any} compaction @param {(node: number) => void} jump */
function compactionEntry(view, compaction, jump) {
  const node = markOf(view, compaction);
  const words = `${clock(compaction.ms)}  ${tokens(compaction.preTokens)} \u2192 ${tokens(compaction.postTokens)}`;
  const more = [compaction.trigger, compaction.agentId ? 'in an agent' : null].filter(Boolean).join(', ');
  return el(
    'li',
    null,
    node < 0
      ? `\u25c6 ${words}`
      : el('button', { type: 'button', class: 'jump', on: { click: () => jump(node) } }, `\u25c6 ${words}`),
    more ? ` ${oneLine(more, 60)}` : null,
  );
}

/** @param {any} view @param {(node: number) => void} jump @returns {any} an element */
export function contextChart(view, jump) {
  const { payload, axis } = view;
  const { context } = payload;
  const series = (context?.series ?? []).filter((/** @type {any} */ step) => Number.isFinite(step?.[0]));
  const compactions = (payload.compactions ?? []).filter((/** @type {any} */ c) => Number.isFinite(c?.ms));
  const list = compactions.length
    ? [
        el('h3', null, counted(compactions.length, 'compaction')),
        fillSome(el('ul', { class: 'evidence plain' }), compactions, (c) => compactionEntry(view, c, jump), 100, (more) => el('li', null, more)),
      ]
    : [];
  if (!series.length) return el('div', null, el('p', { class: 'none' }, 'The size of the context is not known.'), ...list);
  const window = context.window ?? null;
  const peak = Math.max(1, ...[context.peakTokens ?? 0], series.reduce((/** @type {number} */ most, /** @type {any} */ step) => Math.max(most, step[1] ?? 0), 0));
  const most = Math.max(window ?? 0, peak) * 1.05;
  const words = contextWords(context);
  const plot = el(
    'div',
    {
      class: 'plot',
      role: 'img',
      'aria-label': `Context of the main thread over time: ${words}, peak ${tokens(peak)}, ${counted(compactions.length, 'compaction')}`,
      title: 'A press goes to the call that ran then',
    },
    window
      ? level(`${tokens(window)}${context.windowSource === 'assumed' ? ', assumed' : ''}`, HIGH - (HIGH * window) / most)
      : level(tokens(peak), HIGH - (HIGH * peak) / most),
    picture(contextPath(series, axis, most), window ? HIGH - (HIGH * window) / most : NaN),
    ...compactions.filter((/** @type {any} */ c) => !c.agentId).slice(0, 100).map((/** @type {any} */ c) => {
      const glyph = el('span', { class: 'plotmark' }, '\u25c6');
      glyph.style.left = `${(chartX(axis, c.ms) / WIDE) * 100}%`;
      return glyph;
    }),
  );
  plot.addEventListener('click', (/** @type {MouseEvent} */ event) => {
    const box = plot.getBoundingClientRect();
    const node = callAt(view, chartTime(axis, (event.clientX - box.left) / box.width));
    if (node >= 0 && view.tree.kind[node] === CALL) jump(node);
  });
  const assumed = context.windowSource === 'assumed' ? ', assumed' : '';
  return el(
    'div',
    { class: 'chart' },
    el(
      'p',
      null,
      `${words}; peak ${tokens(peak)}${window ? ` (${percent((peak / window) * 100)} of the window${assumed})` : ''}`,
    ),
    plot,
    el('p', { class: 'plotends', 'aria-hidden': 'true' }, el('span', null, moment(axis.startMs, view.nowMs)), el('span', null, moment(axis.endMs, view.nowMs))),
    ...list,
  );
}
