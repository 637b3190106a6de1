/** Ruler ticks at round wall-clock times, none inside a break. */
import { timeOf, xOf } from '#axis';
import { clock, day, localOffset } from '#format';

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5,
  216e5, 432e5, 864e5, 1728e5, 6048e5, 2592e6,
];

const LETTER_PX = 7;
export const WIDE_BREAK_PX = 12;

/** The smallest round step that is at least `least` milliseconds. @param {number} least */
export function stepOf(least) {
  return STEPS.find((step) => step >= least) ?? STEPS[STEPS.length - 1];
}

/**
 * @param {import('#axis').Axis} axis @param {import('#axis').Scale} scale
 * @param {number} [gapPx] least room for a label @param {(ms: number) => number} [offsetOf] minutes to add to UTC
 * @returns {{x: number, ms: number, label: string}[]} label empty where there is no room
 */
export function ticksOf(axis, scale, gapPx = 76, offsetOf = localOffset) {
  const step = stepOf(scale.msPerPx * gapPx);
  const unit = step < 1000 ? 'ms' : step < 60000 ? 's' : 'm';
  const ticks = [];
  let free = -gapPx / 2;
  let lastDay = '';
  for (const [from, to] of segments(axis, scale)) {
    // A narrow break is no more than a line: a label may run over it.
    const edge = scale.breakPx < WIDE_BREAK_PX ? scale.width : xOf(axis, scale, to);
    for (const t of timesIn(from, to, step, offsetOf, from > scale.t0)) {
      const x = xOf(axis, scale, t);
      if (x < free) continue;
      const offset = offsetOf(t);
      const date = day(t, offset);
      const time = step >= 864e5 ? '' : clock(t, unit, offset);
      const label = date === lastDay && time ? time : `${date} ${time}`.trim();
      const room = label.length * LETTER_PX + 8;
      // A label cut by a break or by the right edge is no label; its line stays.
      const fits = x + room <= edge;
      if (fits) lastDay = date;
      ticks.push({ x, ms: t, label: fits ? label : '' });
      free = x + (fits ? Math.max(gapPx, room) : 8);
    }
  }
  return ticks;
}

/**
 * Round times of a stretch; after a break first the time at which work went on.
 * @param {number} from @param {number} to @param {number} step @param {(ms: number) => number} offsetOf
 * @param {boolean} resumed
 */
function* timesIn(from, to, step, offsetOf, resumed) {
  if (resumed) yield from;
  const shift = offsetOf(from) * 60000;
  for (let t = Math.ceil((from + shift) / step) * step - shift; t <= to; t += step) if (t > from || !resumed) yield t;
}

/**
 * The stretches in view between breaks.
 * @param {import('#axis').Axis} axis @param {import('#axis').Scale} scale
 * @returns {[number, number][]}
 */
function segments(axis, scale) {
  const t0 = timeOf(axis, scale, 0);
  const t1 = timeOf(axis, scale, scale.width);
  const parts = [];
  let from = t0;
  for (let i = 0; i < axis.from.length && axis.from[i] < t1; i++) {
    if (axis.to[i] <= t0) continue;
    if (axis.from[i] > from) parts.push(/** @type {[number, number]} */ ([from, axis.from[i]]));
    from = axis.to[i];
  }
  if (from < t1) parts.push(/** @type {[number, number]} */ ([from, t1]));
  return parts;
}

/**
 * The breaks in view.
 * @param {import('#axis').Axis} axis @param {import('#axis').Scale} scale
 * @returns {{x: number, width: number, ms: number}[]}
 */
export function breaksOf(axis, scale) {
  const shown = [];
  for (let i = 0; i < axis.from.length; i++) {
    if (axis.to[i] <= scale.t0 || axis.from[i] >= scale.t1) continue;
    const x = xOf(axis, scale, axis.from[i]);
    shown.push({ x, width: scale.breakPx, ms: axis.to[i] - axis.from[i] });
  }
  return shown;
}
