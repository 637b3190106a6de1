/** What minimap and heat strip draw: per pixel column, busy time by kind, errors, and how full the context was. */
import { scaleOf, xOf } from '#axis';
import { KINDS } from '#kinds';
import { stringOf } from '#model';

/**
 * Parts of each column in which a kind was busy. Agents count only where nothing below them ran.
 * @param {any} model @param {import('#axis').Axis} axis @param {number} width pixels
 * @returns {{busy: Float32Array[], errors: Uint8Array}} busy[kind][column] in calls side by side
 */
export function densityOf(model, axis, width) {
  const scale = scaleOf(axis, axis.startMs, axis.endMs, width);
  const busy = KINDS.map(() => new Float32Array(width));
  const errors = new Uint8Array(width);
  for (let row = 0; row < model.n; row++) {
    const from = Math.max(xOf(axis, scale, model.startMs[row]), 0);
    // What never got a result may have been left at once: it counts as a moment, though its outline is long.
    const open = Number.isNaN(model.endMs[row]) && stringOf(model, 'outcome', row) !== 'running';
    const end = open ? model.startMs[row] : model.untilMs[row];
    const to = Math.min(Math.max(xOf(axis, scale, end), from + 0.5), width);
    if (!(from < width)) continue;
    if (stringOf(model, 'outcome', row) === 'error') errors[Math.min(Math.floor(from), width - 1)] = 1;
    // An agent's own calls show what it did; its whole bar would only say that it ran.
    if (model.end[row] > row + 1) continue;
    const column = busy[model.kind[row]];
    for (let x = Math.floor(from); x < to; x++) column[x] += Math.min(to, x + 1) - Math.max(from, x);
  }
  return { busy, errors };
}

/** Heat level 0 to 4 of a context fill. @param {number} percent */
export function heatOf(percent) {
  return percent < 25 ? 0 : percent < 50 ? 1 : percent < 75 ? 2 : percent < 90 ? 3 : 4;
}

/**
 * Steps of the context strip: from each reading to the next.
 * @param {[number, number|null][]} series [ms, tokens] in time order @param {number|null} window tokens
 * @param {import('#axis').Axis} axis @param {import('#axis').Scale} scale
 * @returns {{x: number, width: number, share: number}[]} share of the window, 0 to 1
 */
export function heatSteps(series, window, axis, scale) {
  if (!window) return [];
  const steps = [];
  for (let i = 0; i < series.length; i++) {
    const tokens = series[i][1];
    if (tokens === null || tokens === undefined) continue;
    const from = Math.max(xOf(axis, scale, series[i][0]), 0);
    const until = i + 1 < series.length ? series[i + 1][0] : axis.endMs;
    const to = Math.min(xOf(axis, scale, until), scale.width);
    if (to <= 0 || from >= scale.width) continue;
    steps.push({ x: from, width: Math.max(to - from, 0.5), share: Math.min(tokens / window, 1) });
  }
  return steps;
}

/**
 * Marks on one axis merged where they would lie on each other.
 * @param {{x: number, ms: number}[]} marks in order of x @param {number} apart pixels
 */
export function mergeMarks(marks, apart) {
  /** @type {{x: number, ms: number, count: number}[]} */
  const merged = [];
  for (const mark of marks) {
    const last = merged[merged.length - 1];
    if (last && mark.x - last.x < apart) last.count++;
    else merged.push({ ...mark, count: 1 });
  }
  return merged;
}
