/** Days as a row of places, and what a scale is marked with. No document. */

const DAY_MS = 86400000;
// More days than this are not drawn: they would be thinner than a line, and a wrong clock may name any year.
export const MOST_DAYS = 800;

/** The number of a day, `2026-03-02`, since 1970; NaN for none. @param {string|null} day */
export const dayNumber = (day) => (day !== null && /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) / DAY_MS : NaN);

/** @param {number} number @returns {string} `2026-03-02` */
export const dayName = (number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * Each day from the first to the last with its line, null where nothing happened.
 * @param {any[]} lines in any order, each with its day as `key` @param {[string|null, string|null]} range what was asked for;
 *   without it the days are those of the lines @param {string} today
 * @returns {{days: string[], lines: (any|null)[], left: number}} `left` lines are of days before, or have no day
 */
export function daysOf(lines, range, today) {
  const byNumber = new Map();
  for (const line of lines) {
    const number = dayNumber(line.key);
    if (!Number.isNaN(number)) byNumber.set(number, line);
  }
  const numbers = [...byNumber.keys()].sort((a, b) => a - b);
  const now = dayNumber(today);
  // A clock that ran ahead must not push what is real out of sight.
  const known = numbers.filter((number) => number <= now + 1);
  const last = dayNumber(range[1]) || (known.at(-1) ?? now);
  const first = Math.max(dayNumber(range[0]) || (known[0] ?? last), last - MOST_DAYS + 1);
  const days = [];
  const shown = [];
  for (let number = first; number <= last; number++) {
    days.push(dayName(number));
    shown.push(byNumber.get(number) ?? null);
  }
  return { days, lines: shown, left: lines.length - shown.filter(Boolean).length };
}

/** The next round number, 1, 2 or 5 times a power of ten. @param {number} value */
export function roundUp(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const by = [1, 2, 5, 10].find((step) => step * power >= value * 0.999999) ?? 10;
  return by * power;
}

/**
 * Columns that stand on each other.
 * @param {(number|null)[][]} series values by series and day
 * @param {number} most what the full height stands for
 * @returns {{from: number, to: number}[][]} heights, 0 to 1, by series and day
 */
export function stacked(series, most) {
  const base = series.length ? series[0].map(() => 0) : [];
  return series.map((values) =>
    values.map((value, i) => {
      const from = base[i];
      base[i] += Math.max(value ?? 0, 0) / most;
      return { from, to: base[i] };
    }),
  );
}

/**
 * Where a duration stands on a scale of powers of ten, 0 to 1.
 * @param {number} ms @param {number} low @param {number} high both above 0
 */
export const onLog = (ms, low, high) =>
  Math.max(0, Math.min(Math.log10(Math.max(ms, low) / low) / Math.log10(high / low), 1));
