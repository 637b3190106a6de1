/** The filter grammar: text to terms. A term that cannot be read is named and ignored. */
import { Refused } from '#expression';
import { OUTCOMES } from '#kinds';
import { Pattern } from '#pattern';

const KEYS = new Set(['type', 'status', 'tokens', 'dur', 'ctx', 'agent', 'file', 'model', 'turn', 'is', 'has', 'text']);
const MEASURES = new Set(['tokens', 'dur', 'ctx', 'turn']);
export const FLAGS = new Set(['error', 'running', 'ok']);
export const IS = ['agent', 'background', 'compaction', 'error', 'prompt', 'reply', 'reread', 'running'];
export const HAS = ['agent', 'diff', 'file', 'problem'];
const TIME_UNITS = new Map(Object.entries({ ms: 1, s: 1000, m: 60000, h: 3600000, '': 1000 }));
const TOKEN_UNITS = new Map(Object.entries({ k: 1e3, K: 1e3, m: 1e6, M: 1e6, '': 1 }));

// Each is looked for in all names: this many in the time of a blink, in most sessions.
const MOST_ASKED = 250;

/**
 * @typedef {{op: 'text'|'regex'|'type'|'status'|'measure'|'has'|'is'|'agent'|'file'|'model'|'content', negate: boolean, values?: string[],
 *   key?: string, tests?: {sign: string, value: number}[], regex?: Pattern}} Term
 * @typedef {{term: string, from: number, to: number}} Piece
 * @typedef {Piece & {message: string}} Fault
 */

/**
 * @param {string} text
 * @param {number} [most]
 * @returns {Piece[]} pieces between spaces, the first of them; quotes and /…/ hold spaces
 */
export function splitQuery(text, most = MOST_ASKED + 1) {
  const pieces = [];
  const pattern = /-?(?:[a-z]+:)?(?:"[^"]*"?|\/(?:\\.|[^/\\])+\/(?=\s|$)|[^\s"]+(?:"[^"]*"?)?)+/gi;
  for (const found of text.matchAll(pattern)) {
    pieces.push({ term: found[0], from: found.index, to: found.index + found[0].length });
    if (pieces.length === most) break;
  }
  return pieces;
}

/** @param {string} value @returns {string} without quotes */
const bare = (value) => value.replace(/^"|"$/g, '');

/**
 * @param {string} text `>5s`, `1k` @param {string} key
 * @returns {{sign: string, value: number}|string} the message when unreadable
 */
function measure(text, key) {
  const found = /^(>=|<=|>|<|=)?(\d+(?:\.\d+)?|\.\d+)?(\D*)$/.exec(text);
  if (!found || found[2] === undefined) return 'number expected';
  const units =
    key === 'dur'
      ? TIME_UNITS
      : key === 'tokens'
        ? TOKEN_UNITS
        : key === 'ctx'
          ? new Map([
              ['%', 1],
              ['', 1],
            ])
          : new Map([['', 1]]);
  const unit = units.get(found[3]);
  if (unit === undefined) return `unknown unit ${found[3]}, one of ${[...units.keys()].filter(Boolean).join(' ') || 'none'}`;
  return { sign: found[1] ?? (key === 'turn' ? '=' : '>='), value: Number(found[2]) * unit };
}

/** @param {string} key @param {string} value @param {boolean} negate @returns {Term|string} */
function keyed(key, value, negate) {
  if (!KEYS.has(key)) return 'unknown key; quote it to look for the text';
  const values = value.split(',').map(bare).filter(Boolean);
  if (!values.length) return 'value expected';
  if (MEASURES.has(key)) {
    const tests = values.map((v) => measure(v, key));
    const wrong = tests.find((t) => typeof t === 'string');
    if (wrong) return /** @type {string} */ (wrong);
    return { op: 'measure', key, negate, tests: /** @type {any} */ (tests) };
  }
  const known = key === 'status' ? OUTCOMES : key === 'is' ? IS : key === 'has' ? HAS : null;
  const folded = values.map((v) => v.toLowerCase());
  const odd = known && folded.find((v) => !known.includes(v));
  if (odd) return `unknown ${key} ${odd}, one of ${known.join(' ')}`;
  return { op: /** @type {any} */ (key === 'text' ? 'content' : key), negate, values: folded };
}

/** @param {string} body @param {boolean} negate @param {Piece} piece @returns {Term|string} */
function expression(body, negate, piece) {
  try {
    return { op: 'regex', negate, regex: new Pattern(body, piece) };
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** @param {Piece} piece @returns {Term|string} */
function read(piece) {
  const { term } = piece;
  const negate = term.length > 1 && term[0] === '-';
  const rest = negate ? term.slice(1) : term;
  if (/^\/.+\/$/.test(rest)) return expression(rest.slice(1, -1), negate, piece);
  if (rest[0] === '"') return bare(rest) ? { op: 'text', negate, values: [bare(rest).toLowerCase()] } : 'text expected';
  if (/^[<>=]/.test(rest)) {
    const test = measure(rest, 'dur');
    return typeof test === 'string' ? test : { op: 'measure', key: 'dur', negate, tests: [test] };
  }
  const split = /^([a-zA-Z]+):(.*)$/s.exec(rest);
  if (split) return keyed(split[1].toLowerCase(), split[2], negate);
  if (FLAGS.has(rest.toLowerCase())) return { op: 'status', negate, values: [rest.toLowerCase()] };
  return { op: 'text', negate, values: [rest.toLowerCase()] };
}

/**
 * @param {string} text what is in the filter box
 * @returns {{terms: Term[], faults: Fault[]}} all terms must hold; status terms that are not negated are one term, any of them
 */
export function parseQuery(text) {
  /** @type {Term[]} */
  const terms = [];
  /** @type {Fault[]} */
  const faults = [];
  /** @type {string[]} */
  const statuses = [];
  let asked = 0;
  for (const piece of splitQuery(text)) {
    const term = read(piece);
    asked += typeof term === 'string' ? 1 : (term.values ?? term.tests ?? [term]).length;
    if (asked > MOST_ASKED) {
      const { from } = piece;
      faults.push({ term: text.slice(from), from, to: text.length, message: `not looked for: more than ${MOST_ASKED} terms and values` });
      break;
    }
    if (typeof term === 'string') faults.push({ ...piece, message: term });
    else if (term.op === 'status' && !term.negate) statuses.push(...(term.values ?? []));
    else terms.push(term);
  }
  if (statuses.length) terms.push({ op: 'status', negate: false, values: statuses });
  return { terms, faults };
}

/** What a query was found to take too long for, once it ran. @param {Term[]} terms @returns {Fault[]} */
export function slowFaults(terms) {
  return terms.flatMap(({ regex }) => (regex?.spent ? { ...regex.piece, message: 'this expression takes too long' } : []));
}
