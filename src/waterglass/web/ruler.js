/** The ruler above the waterfall, and the lines, breaks and compactions over it. */
import { xOf } from '#axis';
import { mergeMarks } from '#density';
import { el, refill } from '#el';
import { clock, gap, tokens } from '#format';
import { breaksOf, ticksOf, WIDE_BREAK_PX } from '#ticks';

const COMPACTION_APART = 12;

/** @param {any} view @param {any} ruler @param {any} overlay */
export function drawRuler(view, ruler, overlay) {
  const scale = view.scale;
  const breaks = breaksOf(view.axis, scale);
  const heads = [];
  const lines = [];
  for (const tick of ticksOf(view.axis, scale)) {
    const label = el('span', { class: 'tick' }, tick.label);
    label.style.left = `${tick.x.toFixed(1)}px`;
    const line = el('i', { class: 'tickline' });
    line.style.left = `${tick.x.toFixed(1)}px`;
    if (tick.label) heads.push(label);
    lines.push(line);
  }
  for (const fold of breaks) {
    const words = `${gap(fold.ms)} idle`;
    const wide = fold.width >= WIDE_BREAK_PX;
    const band = el('i', { class: wide ? 'fold' : 'fold thin' }, wide ? el('span', { class: 'foldwords' }, words) : null);
    const head = el(
      'span',
      { class: 'foldhead', title: `${words}: nothing was written. Press g to unfold` },
      '\u2571\u2571',
    );
    for (const node of [head, band]) {
      node.style.left = `${fold.x.toFixed(1)}px`;
      node.style.width = `${fold.width.toFixed(1)}px`;
    }
    if (wide) heads.push(head);
    lines.push(band);
  }
  for (const mark of compactionMarks(view, scale)) {
    const words = mark.count > 1 ? `${mark.count} compactions from ${clock(mark.ms)}` : mark.words;
    const glyph = el('span', { class: 'compactglyph', title: words }, '\u25c6');
    const line = el('i', { class: 'compactline' });
    glyph.style.left = `${mark.x.toFixed(1)}px`;
    line.style.left = `${mark.x.toFixed(1)}px`;
    lines.push(line, glyph);
  }
  refill(ruler, ...heads);
  refill(overlay, ...lines);
}

/** Main-thread compactions in view. @param {any} view @param {import('#axis').Scale} scale @returns {any[]} */
export function compactionMarks(view, scale) {
  const marks = (view.payload.compactions ?? [])
    .filter((/** @type {any} */ c) => typeof c.ms === 'number' && !c.agentId)
    .map((/** @type {any} */ c) => ({
      x: xOf(view.axis, scale, c.ms),
      ms: c.ms,
      words: `compaction ${clock(c.ms)}: ${tokens(c.preTokens)} \u2192 ${tokens(c.postTokens)}`,
    }))
    .filter((/** @type {any} */ mark) => mark.x >= 0 && mark.x <= scale.width);
  return mergeMarks(marks, COMPACTION_APART);
}
