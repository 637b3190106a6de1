/** Numbers and times as words. Unknown (null, undefined, NaN) is always "–". */

export const UNKNOWN = '\u2013';

/** @param {number|null|undefined} n @returns {n is number} */
export const known = (n) => typeof n === 'number' && Number.isFinite(n);

/** @param {number} n */
const two = (n) => String(n).padStart(2, '0');

/** `219 ms`, `5.37 s`, `12.2 s`, `2m 04s`, `1h 05m`, `2d 03h`. @param {number|null|undefined} ms */
export function duration(ms) {
  if (!known(ms)) return UNKNOWN;
  const whole = Math.round(ms);
  if (whole < 1000) return `${whole} ms`;
  // Rounded before the unit is chosen, so that 9,996 ms is "10.0 s" and 59,960 ms "1m 00s".
  if (whole < 9995) return `${(whole / 1000).toFixed(2)} s`;
  if (whole < 59950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  const minutes = Math.round(whole / 60000);
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`;
  const hours = Math.round(whole / 3600000);
  return `${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}

/** The words of a folded gap: `7 m`, `2 h 14 m`, `3 d 2 h`. @param {number} ms */
export function gap(ms) {
  const minutes = Math.round(ms / 60000);
  if (minutes < 60) return `${minutes} m`;
  if (minutes < 1440) return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} m` : `${minutes / 60} h`;
  const hours = Math.round(ms / 3600000);
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}

/** `754`, `1.1k`, `184k`, `1.2M`. @param {number|null|undefined} n */
export function tokens(n) {
  if (!known(n)) return UNKNOWN;
  if (n < 1000) return String(Math.round(n));
  if (n < 9950) return `${(n / 1000).toFixed(1)}k`;
  if (n < 999500) return `${Math.round(n / 1000)}k`;
  if (n < 9.95e6) return `${(n / 1e6).toFixed(1)}M`;
  if (n < 999.5e6) return `${Math.round(n / 1e6)}M`;
  return `${(n / 1e9).toFixed(1)}G`;
}

/** `812 B`, `4.1 kB`, `12 MB`. @param {number|null|undefined} n */
export function bytes(n) {
  if (!known(n)) return UNKNOWN;
  let value = n;
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (value < 999.5 || unit === 'GB')
      return `${unit === 'B' || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${unit}`;
    value /= 1000;
  }
  return UNKNOWN;
}

/** A whole number with thousands separated by commas. @param {number|null|undefined} n */
export function count(n) {
  return known(n) ? String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',') : UNKNOWN;
}

/** `1 call`, `2 calls`. @param {number|null|undefined} n @param {string} word */
export function counted(n, word) {
  return `${count(n)} ${word}${n === 1 ? '' : 's'}`;
}

/** `42 %`, `<1 %`. @param {number|null|undefined} n percent */
export function percent(n) {
  if (!known(n)) return UNKNOWN;
  return n > 0 && n < 0.5 ? '<1 %' : `${Math.round(n)} %`;
}

/** Minutes to add to UTC for this machine's clock at a time. @param {number} ms */
export const localOffset = (ms) => -new Date(ms).getTimezoneOffset();

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The wall clock, `17:02`, with seconds or milliseconds when asked.
 * @param {number} ms @param {'m'|'s'|'ms'} [unit] @param {number} [offset]
 */
export function clock(ms, unit = 's', offset = localOffset(ms)) {
  if (!known(ms)) return UNKNOWN;
  const iso = new Date(ms + offset * 60000).toISOString();
  return iso.slice(11, unit === 'm' ? 16 : unit === 's' ? 19 : 23);
}

/** `30 Nov`. @param {number} ms @param {number} [offset] */
export function day(ms, offset = localOffset(ms)) {
  const at = new Date(ms + offset * 60000);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`;
}

/**
 * Day and clock, the year only when it is another: `30 Nov 17:02`.
 * @param {number|null|undefined} ms @param {number} nowMs @param {number} [offset]
 */
export function moment(ms, nowMs, offset = localOffset(ms ?? 0)) {
  if (!known(ms)) return UNKNOWN;
  const at = new Date(ms + offset * 60000);
  const now = new Date(nowMs + offset * 60000);
  if (at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return `today ${clock(ms, 'm', offset)}`;
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`;
  return `${day(ms, offset)}${year} ${clock(ms, 'm', offset)}`;
}
