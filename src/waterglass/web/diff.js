/** A line difference of two texts, for edits. */

// Above this many line pairs the middle is shown as removed and added whole: 4 million cells are 16 MB and about 20 ms.
const CELLS_MAX = 4e6;

/**
 * @param {string} before @param {string} after
 * @returns {{sign: ' '|'-'|'+', text: string}[]} all lines in reading order, removed before added
 */
export function diffLines(before, after) {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (/** @type {string} */ text) => ({ sign: /** @type {' '} */ (' '), text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

/**
 * Longest common subsequence of what differs.
 * @param {string[]} a @param {string[]} b
 * @returns {{sign: ' '|'-'|'+', text: string}[]}
 */
function middle(a, b) {
  const removed = (/** @type {string} */ text) => ({ sign: /** @type {'-'} */ ('-'), text });
  const added = (/** @type {string} */ text) => ({ sign: /** @type {'+'} */ ('+'), text });
  if (!a.length || !b.length || a.length * b.length > CELLS_MAX) return [...a.map(removed), ...b.map(added)];
  const wide = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * wide + j] =
        a[i] === b[j]
          ? longest[(i + 1) * wide + j + 1] + 1
          : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  /** @type {{sign: ' '|'-'|'+', text: string}[]} */
  const out = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push({ sign: ' ', text: a[i++] });
      j++;
    } else if (longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) out.push(removed(a[i++]));
    else out.push(added(b[j++]));
  }
  return [...out, ...a.slice(i).map(removed), ...b.slice(j).map(added)];
}

/**
 * The lines of a recorded change with their numbers in the file before and after.
 * @param {any} hunks `{oldStart, newStart, lines}` each, lines after their signs
 * @returns {{sign: string, text: string, old?: number, now?: number}[][]|null} null where they have no such form (a report may have hidden it)
 */
export function patchLines(hunks) {
  if (!Array.isArray(hunks) || !hunks.length) return null;
  const read = hunks.map((hunk) => {
    // What was hidden has no sign, and nobody knows how many lines it was: none has a number after it.
    let [old, now] = [hunk.oldStart, hunk.newStart];
    return hunk.lines.map((/** @type {string} */ line) => {
      const sign = line[0];
      if (sign === '-') return { sign, text: line.slice(1), old: old++ };
      if (sign === '+') return { sign, text: line.slice(1), now: now++ };
      if (sign === ' ') return { sign, text: line.slice(1), old: old++, now: now++ };
      old = now = NaN;
      return { sign: ' ', text: line };
    });
  });
  return read.some((lines) => Number.isNaN(lines[0]?.old ?? lines[0]?.now ?? NaN)) ? null : read;
}

/**
 * The lines of a difference in pairs: what was removed beside what came instead.
 * @param {{sign: string, text: string}[]} lines
 * @returns {[any, any][]} left and right, null where one side has no line
 */
export function sideBySide(lines) {
  /** @type {[any, any][]} */
  const pairs = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].sign === ' ') {
      pairs.push([lines[at], lines[at]]);
      at++;
      continue;
    }
    const removed = [];
    const added = [];
    for (; at < lines.length && lines[at].sign !== ' '; at++) (lines[at].sign === '-' ? removed : added).push(lines[at]);
    for (let i = 0; i < Math.max(removed.length, added.length); i++) pairs.push([removed[i] ?? null, added[i] ?? null]);
  }
  return pairs;
}
