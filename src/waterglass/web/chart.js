/** The context over time as a line of steps. No document. */
import { scaleOf, timeOf, xOf } from '#axis';

/** The chart's own units, which its picture is stretched to. */
export const WIDE = 1000;
export const HIGH = 100;

/** @param {import('#axis').Axis} axis */
const scale = (axis) => scaleOf(axis, axis.startMs, axis.endMs, WIDE);

/** Where a time stands, 0 to WIDE. @param {import('#axis').Axis} axis @param {number} ms */
export const chartX = (axis, ms) => Math.max(0, Math.min(xOf(axis, scale(axis), ms), WIDE));

/** The time at a part of the width. @param {import('#axis').Axis} axis @param {number} share 0 to 1 */
export const chartTime = (axis, share) => timeOf(axis, scale(axis), Math.max(0, Math.min(share, 1)) * WIDE);

/**
 * The steps of a series: at most two points a unit of width, its peak and its last; a gap where the size is not known.
 * @param {[number, number|null][]} series [ms, tokens] in time order @param {import('#axis').Axis} axis
 * @param {number} most tokens at the upper edge
 * @returns {string} a path
 */
export function contextPath(series, axis, most) {
  const y = (/** @type {number} */ tokens) => Number((HIGH - (HIGH * Math.min(tokens, most)) / most).toFixed(2));
  const parts = [];
  let on = false;
  for (let i = 0; i < series.length;) {
    const x = Math.floor(chartX(axis, series[i][0]));
    let peak = -1;
    let last = series[i][1];
    for (; i < series.length && Math.floor(chartX(axis, series[i][0])) === x; i++) {
      last = series[i][1];
      peak = Math.max(peak, last ?? -1);
    }
    if (peak >= 0) parts.push(on ? `H${x}V${y(peak)}` : `M${x} ${y(peak)}`);
    if (peak >= 0 && last !== null && last !== peak) parts.push(`V${y(last)}`);
    if (last === null && peak < 0 && on) parts.push(`H${x}`);
    on = last !== null;
  }
  if (on) parts.push(`H${WIDE}`);
  return parts.join('');
}
