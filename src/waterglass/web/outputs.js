/** What the outputs of known tools say, read line by line. No document; null where an output has another form. */

/** Of the lines, this part must have the form: a note before or after does not count. */
const MOST = 0.8;

/**
 * A file with its line numbers, as a reading tool writes it: `12\u2192text` or `12<tab>text`.
 * @param {string} text @returns {{numbers: string, code: string, note: string}|null} numbers and code line by line
 */
export function numberedLines(text) {
  const lines = text.split('\n');
  const numbers = [];
  const code = [];
  let at = 0;
  for (; at < lines.length; at++) {
    const found = /^\s{0,12}(\d{1,9})(?:\u2192|\t)(.*)$/s.exec(lines[at]);
    if (!found) break;
    numbers.push(found[1]);
    code.push(found[2]);
  }
  if (!numbers.length) return null;
  // What follows is a reminder of the program, not the file.
  return { numbers: numbers.join('\n'), code: code.join('\n'), note: lines.slice(at).join('\n').trim() };
}

/**
 * Hits of a search grouped by file: `path:12:text`, with context lines `path-13-text`, or `12:text` for one file.
 * @param {string} text @param {string} path the file or folder that was searched
 * @returns {{groups: {file: string, numbers: string[], texts: string[], hits: number}[], rest: string[]}|null}
 */
export function groupedHits(text, path) {
  /** @type {Map<string, {file: string, numbers: string[], texts: string[], hits: number}>} */
  const groups = new Map();
  const rest = [];
  let read = 0;
  for (const line of text.split('\n')) {
    if (line === '' || line === '--') continue;
    const hit = /^((?:[A-Za-z]:)?[^:]+?):(\d{1,9}):(.*)$/s.exec(line) ?? alone(line, path) ?? context(line, groups);
    if (!hit) {
      rest.push(line);
      continue;
    }
    read++;
    const group = groups.get(hit[1]) ?? { file: hit[1], numbers: [], texts: [], hits: 0 };
    groups.set(hit[1], group);
    group.numbers.push(hit[2]);
    group.texts.push(hit[3]);
    if (hit[4] !== 'context') group.hits++;
  }
  return read > 0 && read >= MOST * (read + rest.length) ? { groups: [...groups.values()], rest } : null;
}

/** @param {string} line @param {string} path */
function alone(line, path) {
  const found = /^(\d{1,9}):(.*)$/s.exec(line);
  return found && path ? [line, path, found[1], found[2]] : null;
}

/** A line around a hit names a file that a hit named. @param {string} line @param {Map<string, any>} groups */
function context(line, groups) {
  const found = /^(.+?)-(\d{1,9})-(.*)$/s.exec(line);
  return found && groups.has(found[1]) ? [line, found[1], found[2], found[3], 'context'] : null;
}

/** The exit code that an output begins with; null where none is written. @param {any} output */
export function exitCode(output) {
  const found = typeof output === 'string' ? /^(?:Error: )?Exit code (\d{1,10})(?:\n|$)/.exec(output) : null;
  return found ? Number(found[1]) : null;
}

/** A text that is a JSON list or object, undefined when it is not. @param {string} text */
export function asJson(text) {
  if (text.length > 2e6 || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {any} input @returns {string|null} the path that a call was given */
export function pathOf(input) {
  for (const key of ['file_path', 'notebook_path', 'path']) if (typeof input?.[key] === 'string') return input[key];
  return null;
}
