/** The runs of two sessions' aligned steps, in words and in a number that a strip has room for. No document. */
import { count } from '#format';

// More segments than this are too narrow to press, and too many elements.
const SEGMENTS_MOST = 400;

/**
 * @typedef {{op: string, a: [number, number], b: [number, number]}} Run ranges of rows, the end not in it
 * @typedef {{op: string, a: [number, number], b: [number, number], runs: number, differ: number}} Segment `runs` that stand in it,
 *   and the share of their steps that differ
 */

const OPS = new Map(
  Object.entries({
    equal: ['=', 'the same'],
    changed: ['~', 'the same tools about something else'],
    replaced: ['\u2260', 'other calls'],
    removed: ['\u2212', 'only in the first'],
    added: ['+', 'only in the other'],
    mixed: ['\u2026', 'several short runs, filled as far as their steps differ'],
  }),
);

/** @param {string} op @returns {{glyph: string, words: string}} */
export function opOf(op) {
  const [glyph, words] = OPS.get(op) ?? ['?', op];
  return { glyph, words };
}

/** `A` to `Z`, then numbers. @param {number} n */
export const letterOf = (n) => (n < 26 ? String.fromCharCode(65 + n) : String(n + 1));

/** `step 5`, `steps 5\u20137`, `no step`. @param {[number, number]} range */
export function stepsWords([from, to]) {
  if (from === to) return 'no step';
  return to - from === 1 ? `step ${count(to)}` : `steps ${count(from + 1)}\u2013${count(to)}`;
}

/** `steps 5\u20137 of A, no step of B`. @param {Run} run @param {string} a @param {string} b */
export const runWords = (run, a, b) => `${stepsWords(run.a)} of ${a}, ${stepsWords(run.b)} of ${b}`;

/**
 * The runs as they are, or neighbours joined until there are few enough.
 * @param {Run[]} runs @param {number} [most] @returns {Segment[]}
 */
export function segmentsOf(runs, most = SEGMENTS_MOST) {
  const size = Math.max(1, Math.ceil(runs.length / most));
  /** @type {Segment[]} */
  const segments = [];
  for (let at = 0; at < runs.length; at += size) {
    const part = runs.slice(at, at + size);
    const last = part[part.length - 1];
    segments.push({
      op: part.every((run) => run.op === part[0].op) ? part[0].op : 'mixed',
      a: [part[0].a[0], last.a[1]],
      b: [part[0].b[0], last.b[1]],
      runs: part.length,
      differ: stepsOf(part.filter((run) => run.op !== 'equal')) / Math.max(1, stepsOf(part)),
    });
  }
  return segments;
}

/** How many steps a run is long, on its longer side. @param {Run} run */
export const lengthOf = (run) => Math.max(run.a[1] - run.a[0], run.b[1] - run.b[0]);

/** @param {Run[]} runs */
const stepsOf = (runs) => runs.reduce((sum, run) => sum + lengthOf(run), 0);

/** Runs and steps of each kind, in the order of `OPS`. @param {Run[]} runs @returns {{op: string, runs: number, steps: number}[]} */
export function countsOf(runs) {
  return [...OPS.keys()]
    .map((op) => {
      const own = runs.filter((run) => run.op === op);
      return { op, runs: own.length, steps: stepsOf(own) };
    })
    .filter((counts) => counts.runs > 0);
}
