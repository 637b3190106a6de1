/** One line of the grid as elements: made once, filled again and again. */
import { xOf } from '#axis';
import { barOf } from '#bars';
import { heatOf } from '#density';
import { el, setClass, setText } from '#el';
import { hasBelow } from '#lines';
import { barLabel, lineText } from '#linetext';
import { textOf } from '#match';
import { stringOf } from '#model';
import { visible } from '#plain';
import { CALL, HEAD, MARK, PROMPT, REPLY } from '#tree';

const INDENT = 14;
export const TEXT_LINE = 19;
// Deeper agents keep this indent, so that a name is never pushed out of its column.
const INDENT_MAX = 10;
const KIND_CLASS = new Map([
  [HEAD, 'head'],
  [REPLY, 'reply'],
  [CALL, 'call'],
  [MARK, 'mark'],
  [PROMPT, 'prompt'],
]);
let made = 0;

/** @returns {any} a line with its cells under `parts` */
export function makeLine() {
  const cell = (/** @type {string} */ name, /** @type {...any} */ ...children) =>
    el('div', { class: `c ${name}`, role: 'gridcell' }, ...children);
  const parts = {
    twist: el('span', { class: 'twist', 'aria-hidden': 'true' }),
    time: el('span', { class: 'time' }),
    sign: el('span', { class: 'sign' }),
    inside: el('span', { class: 'inside' }),
    label: el('bdi', { class: 'label' }),
    beside: el('i', { class: 'beside none', 'aria-hidden': 'true' }),
    swatch: el('i', { class: 'swatch' }),
    type: el('span'),
    glyph: el('span', { class: 'glyph' }),
    outcome: el('span', { class: 'words' }),
    heat: el('i', { class: 'heat' }),
    ctx: el('span'),
    bar: el('i', { class: 'bar' }),
    ack: el('i', { class: 'ack' }),
    wait: el('i', { class: 'wait' }),
    off: el('span', { class: 'off', 'aria-hidden': 'true' }),
  };
  const cells = {
    name: cell('name', parts.twist, parts.time, parts.sign, parts.inside, parts.label, parts.beside),
    typeCell: cell('type', parts.swatch, parts.type),
    outcomeCell: cell('outcome', parts.glyph, parts.outcome),
    duration: cell('duration'),
    tokens: cell('tokens'),
    ctxCell: cell('ctx', parts.heat, parts.ctx),
    wf: cell('wf', parts.bar, parts.wait, parts.ack, parts.off),
  };
  const line = el(
    'div',
    { class: 'line', role: 'row', id: `line-${made++}` },
    cells.name,
    cells.typeCell,
    cells.outcomeCell,
    cells.duration,
    cells.tokens,
    cells.ctxCell,
    cells.wf,
  );
  line.parts = { ...parts, ...cells };
  return line;
}

/**
 * @param {any} line @param {any} view @param {number} at index among the lines
 * @param {boolean} whole texts in full, no waterfall
 */
export function fillLine(line, view, at, whole) {
  const node = view.lines[at];
  const { parts } = line;
  const words = lineText(view, node);
  const kind = view.tree.kind[node];
  // Sorted lines have no tree around them.
  const depth = view.sorted ? 0 : view.tree.depth[node];
  const below = !view.sorted && hasBelow(view.tree, node);
  const open = view.found ? true : view.open[node] === 1;
  const outcome = kind === CALL ? (stringOf(view.model, 'outcome', view.tree.ref[node]) ?? '') : '';
  const dim = view.found && view.found.marks[node] !== 1;
  setClass(
    line,
    `line ${KIND_CLASS.get(kind)}${words.kind === 'agent' ? ' agent' : ''}${words.failed ? ' failed' : ''}${at % 2 ? ' odd' : ''}${dim ? ' dim' : ''}` +
      `${node === view.selected ? ' selected' : ''}${outcome && outcome !== 'ok' ? ` o-${outcome}` : ''}${depth === 0 ? '' : ' inner'}`,
  );
  line.setAttribute('aria-level', String(depth + 1));
  line.setAttribute('aria-rowindex', String(at + 2));
  line.setAttribute('aria-selected', String(node === view.selected));
  if (below) line.setAttribute('aria-expanded', String(open));
  else line.removeAttribute('aria-expanded');
  parts.name.style.paddingLeft = `${6 + Math.min(depth, INDENT_MAX) * INDENT}px`;
  setText(parts.twist, below ? (open ? '\u25be' : '\u25b8') : '');
  setText(parts.time, words.time);
  setText(parts.inside, open ? '' : words.inside);
  setText(parts.sign, kind === CALL ? (words.sign && !open ? words.sign : '') : words.sign);
  setText(parts.label, whole && kind !== CALL ? wholeText(view, node) || words.name : words.name);
  setText(parts.type, words.type);
  setClass(parts.swatch, words.kind ? `swatch k-${words.kind}` : 'swatch none');
  setText(parts.glyph, words.glyph);
  setText(parts.outcome, words.outcome);
  setText(parts.duration, words.duration);
  setText(parts.tokens, words.tokens);
  setText(parts.ctx, words.ctx);
  const joins = kind === CALL && !view.sorted ? view.model.beside[view.tree.ref[node]] : 0;
  setClass(parts.beside, joins ? `beside b${joins}` : 'beside none');
  const ctx = kind === CALL ? view.model.ctx[view.tree.ref[node]] : NaN;
  setClass(parts.heat, Number.isNaN(ctx) ? 'heat none' : `heat h${heatOf(ctx)}`);
  if (whole) {
    const height = view.heightOf(at);
    line.style.height = `${height}px`;
    parts.label.style.webkitLineClamp = String(Math.max(1, Math.floor((height - 4) / TEXT_LINE)));
  } else {
    line.style.height = '';
    fillBar(line, view, node, words.kind, outcome);
  }
}

/** @param {any} view @param {number} node */
const wholeText = (view, node) => visible(textOf(view.payload, view.tree, node)).trim();

/** @param {any} line @param {any} view @param {number} node @param {string} kind @param {string} outcome */
function fillBar(line, view, node, kind, outcome) {
  const { bar, wait, ack, off, wf } = line.parts;
  const [from, to] = view.span(node);
  wf.setAttribute('aria-label', barLabel(view, node));
  const drawn = Number.isNaN(from) ? null : barOf(view.axis, view.drawScale, from, to);
  setText(off, drawn && drawn.side ? (drawn.side < 0 ? '\u25c2' : '\u25b8') : '');
  setClass(off, drawn && drawn.side ? `off ${drawn.side < 0 ? 'before' : 'after'}` : 'off');
  const shown = drawn && !drawn.side;
  setClass(bar, shown ? `bar${kind ? ` k-${kind}` : ''}${outcome && outcome !== 'ok' ? ` o-${outcome}` : ''}` : 'bar gone');
  if (shown) {
    bar.style.left = `${drawn.x.toFixed(1)}px`;
    bar.style.width = `${drawn.width.toFixed(1)}px`;
  }
  fillWait(wait, view, shown ? node : -1);
  const ackMs = view.tree.kind[node] === CALL ? view.model.ackMs[view.tree.ref[node]] : NaN;
  const ackX = shown && !Number.isNaN(ackMs) ? xOf(view.axis, view.drawScale, from + ackMs) : -1;
  setClass(ack, ackX >= 0 && ackX <= view.width ? 'ack' : 'ack gone');
  if (ackX >= 0) ack.style.left = `${ackX.toFixed(1)}px`;
}

// A wait that is narrower would hide the call of which it is a small part.
const LEAST_WAIT = 3;

/**
 * The part of a bar in which the call waited for its permission, where telemetry tells it.
 * @param {any} wait @param {any} view @param {number} node -1 for none
 */
function fillWait(wait, view, node) {
  const row = node >= 0 && view.tree.kind[node] === CALL ? view.tree.ref[node] : -1;
  const start = row < 0 ? NaN : view.model.permissionStartMs[row];
  const end = row < 0 ? NaN : start + view.model.permissionMs[row];
  const wide = xOf(view.axis, view.drawScale, end) - xOf(view.axis, view.drawScale, start) >= LEAST_WAIT;
  const drawn = wide ? barOf(view.axis, view.drawScale, start, end) : null;
  const shown = drawn !== null && !drawn.side;
  setClass(wait, shown ? 'wait' : 'wait gone');
  if (!shown) return;
  wait.style.left = `${drawn.x.toFixed(1)}px`;
  wait.style.width = `${drawn.width.toFixed(1)}px`;
}
