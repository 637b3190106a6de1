/** Where a line's bar lies. Pixels from the waterfall's left edge, cut to a little outside it. */
import { xOf } from '#axis';

const EDGE = 6;
const LEAST_PX = 2;

/**
 * @param {import('#axis').Axis} axis @param {import('#axis').Scale} scale @param {number} from @param {number} to ms
 * @returns {{x: number, width: number, side: -1|0|1}} side: -1 wholly before the window, 1 wholly after it
 */
export function barOf(axis, scale, from, to) {
  const left = xOf(axis, scale, from);
  const right = to > from ? xOf(axis, scale, to) : left;
  if (right < 0) return { x: 0, width: 0, side: -1 };
  if (left > scale.width) return { x: 0, width: 0, side: 1 };
  const x = Math.max(left, -EDGE);
  // The last pixels stay visible for what starts at the very end.
  const shown = Math.min(x, scale.width - LEAST_PX);
  return { x: shown, width: Math.max(Math.min(right, scale.width + EDGE) - shown, LEAST_PX), side: 0 };
}
