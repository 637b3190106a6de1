/**
 * The mapping between time and x. Stretches without a record are folded to a break of fixed width; all else is linear.
 *
 * An axis knows, for each break, its start, its end and the active time before it. X is pixels from the axis' start at a given
 * zoom: active(t) / msPerPx + breakPx * breaks(t); inside a break x runs linearly over the break's width. So a break is as
 * wide at every zoom, and zooming keeps the time under the cursor where it is.
 */

const FOLD_MS = 300000;
// A call that runs is worth seeing at its length; only a stretch as long as the ledger's idle limit is folded inside one.
const FOLD_COVERED_MS = 1800000;
export const MIN_SPAN_MS = 4;
const BREAK_PX = 26;
// Many breaks may take this share of the width at most.
const BREAK_SHARE = 0.3;

/**
 * @typedef {{startMs: number, endMs: number, from: Float64Array, to: Float64Array, before: Float64Array, activeMs: number}} Axis
 * @typedef {{msPerPx: number, breakPx: number, leftX: number, width: number, t0: number, t1: number}} Scale
 */

/**
 * Gaps to fold, as [from, to] pairs in time order.
 * @param {number[]|Float64Array} points times of records, any order
 * @param {number[]|Float64Array} spans busy intervals, start and end in turn
 * @returns {[number, number][]}
 */
export function gapsOf(points, spans) {
  const times = Float64Array.from(points).sort();
  /** @type {[number, number][]} */
  const wide = [];
  for (let i = 1; i < times.length; i++) if (times[i] - times[i - 1] > FOLD_MS) wide.push([times[i - 1], times[i]]);
  const covered = new Set();
  for (let i = 0; i < spans.length; i += 2) {
    // Gaps are few: each span looks only for those that it could cover.
    for (let gap = firstFrom(wide, spans[i]); gap < wide.length && wide[gap][1] <= spans[i + 1]; gap++) covered.add(gap);
  }
  return wide.filter(([from, to], gap) => !covered.has(gap) || to - from > FOLD_COVERED_MS);
}

/** The first gap that begins at or after a time. @param {[number, number][]} gaps @param {number} t */
function firstFrom(gaps, t) {
  let low = 0;
  let high = gaps.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (gaps[mid][0] < t) low = mid + 1;
    else high = mid;
  }
  return low;
}

/**
 * @param {number} startMs @param {number} endMs @param {[number, number][]} gaps within the range, in order, apart
 * @returns {Axis}
 */
export function makeAxis(startMs, endMs, gaps) {
  const last = Math.max(endMs, startMs + MIN_SPAN_MS);
  const before = new Float64Array(gaps.length);
  let folded = 0;
  gaps.forEach(([from, to], i) => {
    before[i] = from - startMs - folded;
    folded += to - from;
  });
  return {
    startMs,
    endMs: last,
    before,
    activeMs: Math.max(last - startMs - folded, MIN_SPAN_MS),
    from: Float64Array.from(gaps, (g) => g[0]),
    to: Float64Array.from(gaps, (g) => g[1]),
  };
}

/** How many breaks begin at or before a time. @param {Axis} axis @param {number} t */
function begun(axis, t) {
  let low = 0;
  let high = axis.from.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (axis.from[mid] <= t) low = mid + 1;
    else high = mid;
  }
  return low;
}

/**
 * Active milliseconds and breaks (the last one by its part) before a time.
 * @param {Axis} axis @param {number} t
 * @returns {[number, number]}
 */
export function position(axis, t) {
  const i = begun(axis, t) - 1;
  if (i < 0) return [t - axis.startMs, 0];
  if (t < axis.to[i]) return [axis.before[i], i + (t - axis.from[i]) / (axis.to[i] - axis.from[i])];
  return [axis.before[i] + t - axis.to[i], i + 1];
}

/** The width of one break in pixels. @param {Axis} axis @param {number} width */
function breakWidth(axis, width) {
  return axis.from.length ? Math.min(BREAK_PX, (width * BREAK_SHARE) / axis.from.length) : 0;
}

/**
 * The scale that shows [t0, t1] on `width` pixels.
 * @param {Axis} axis @param {number} t0 @param {number} t1 @param {number} width
 * @returns {Scale}
 */
export function scaleOf(axis, t0, t1, width) {
  const breakPx = breakWidth(axis, width);
  const [a0, b0] = position(axis, t0);
  const [a1, b1] = position(axis, t1);
  const room = Math.max(width - breakPx * (b1 - b0), 1);
  const msPerPx = Math.max(a1 - a0, MIN_SPAN_MS) / room;
  return { msPerPx, breakPx, leftX: a0 / msPerPx + breakPx * b0, width, t0, t1 };
}

/**
 * Pixels from the left edge; may lie outside [0, width].
 * @param {Axis} axis @param {Scale} scale @param {number} t
 */
export function xOf(axis, scale, t) {
  const [active, breaks] = position(axis, t);
  return active / scale.msPerPx + scale.breakPx * breaks - scale.leftX;
}

/** The time at a pixel from the left edge. @param {Axis} axis @param {Scale} scale @param {number} x */
export function timeOf(axis, scale, x) {
  const at = x + scale.leftX;
  let low = 0;
  let high = axis.from.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (axis.before[mid] / scale.msPerPx + scale.breakPx * mid <= at) low = mid + 1;
    else high = mid;
  }
  const i = low - 1;
  if (i < 0) return axis.startMs + at * scale.msPerPx;
  const inside = at - (axis.before[i] / scale.msPerPx + scale.breakPx * i);
  if (inside < scale.breakPx) return axis.from[i] + (inside / scale.breakPx) * (axis.to[i] - axis.from[i]);
  return axis.to[i] + (inside - scale.breakPx) * scale.msPerPx;
}
