/** What zoom and pan do to the shown range. Pure; times in milliseconds, x in pixels. */
import { MIN_SPAN_MS, position, scaleOf, timeOf, xOf } from '#axis';

/** @typedef {import('#axis').Axis} Axis */

/**
 * A range kept inside the axis and wide enough to draw.
 * @param {Axis} axis @param {number} t0 @param {number} t1 @returns {[number, number]}
 */
export function clampRange(axis, t0, t1) {
  let from = Math.min(t0, t1);
  let to = Math.max(t0, t1);
  if (!(position(axis, to)[0] - position(axis, from)[0] >= MIN_SPAN_MS)) {
    const mid = (from + to) / 2;
    from = Math.min(from, mid - MIN_SPAN_MS / 2);
    to = Math.max(to, from + MIN_SPAN_MS);
  }
  if (to > axis.endMs) [from, to] = [from - (to - axis.endMs), axis.endMs];
  if (from < axis.startMs) [from, to] = [axis.startMs, Math.min(to + (axis.startMs - from), axis.endMs)];
  return [from, to];
}

/**
 * Zoom by a factor (below 1 = in) around a pixel, which keeps its time.
 * @param {Axis} axis @param {[number, number]} range @param {number} width @param {number} x @param {number} factor
 * @returns {[number, number]}
 */
export function zoomAt(axis, range, width, x, factor) {
  const scale = scaleOf(axis, range[0], range[1], width);
  const [active, breaks] = position(axis, timeOf(axis, scale, x));
  const least = MIN_SPAN_MS / width;
  const most = axis.activeMs / Math.max(width - scale.breakPx * axis.from.length, 1);
  const msPerPx = Math.min(Math.max(scale.msPerPx * factor, least), most);
  const zoomed = { ...scale, msPerPx, leftX: active / msPerPx + scale.breakPx * breaks - x };
  return slide(axis, zoomed);
}

/**
 * @param {Axis} axis @param {[number, number]} range @param {number} width @param {number} dx pixels, right is later
 * @returns {[number, number]}
 */
export function panBy(axis, range, width, dx) {
  const scale = scaleOf(axis, range[0], range[1], width);
  return slide(axis, { ...scale, leftX: scale.leftX + dx });
}

/**
 * The range that a scale shows, moved as a whole until it lies in the axis.
 * @param {Axis} axis @param {import('#axis').Scale} scale
 * @returns {[number, number]}
 */
function slide(axis, scale) {
  const over = xOf(axis, scale, axis.endMs) - scale.width;
  let leftX = over < 0 ? scale.leftX + over : scale.leftX;
  leftX = Math.max(leftX, 0);
  const moved = { ...scale, leftX };
  return [Math.max(timeOf(axis, moved, 0), axis.startMs), Math.min(timeOf(axis, moved, scale.width), axis.endMs)];
}

/**
 * A range around [from, to] with a margin on both sides.
 * @param {Axis} axis @param {number} from @param {number} to @param {number} [share] margin as a part of the span @returns {[number, number]}
 */
export function fitRange(axis, from, to, share = 0.03) {
  const span = Math.max(position(axis, to)[0] - position(axis, from)[0], 200);
  const margin = span * share;
  return clampRange(axis, from - margin, Math.max(to, from + 200) + margin);
}

/**
 * The range of the same width with a time in its middle.
 * @param {Axis} axis @param {[number, number]} range @param {number} width @param {number} t
 * @returns {[number, number]}
 */
export function centreOn(axis, range, width, t) {
  const scale = scaleOf(axis, range[0], range[1], width);
  return panBy(axis, range, width, xOf(axis, scale, t) - width / 2);
}
