/** What the filter box can offer for the word at the caret: keys, and values that occur in this session. No document. */
import { counted } from '#format';
import { KINDS } from '#kinds';
import { FLAGS, HAS, IS, splitQuery } from '#query';

/**
 * @typedef {{text: string, words: string, kind: 'key'|'value'|'past', from: number, to: number}} Suggestion
 *   `text` takes the place of the characters from `from` to `to`; `words` say what it is
 * @typedef {Map<string, Map<string, number>>} Facts values by key, with the calls that have them
 */

const MOST = 10;
// Longer names would push the counts out of the list.
const LONG = 80;

/** @type {[string, string][]} */
const KEYS = [
  ['type:', 'kind or tool'],
  ['status:', 'outcome'],
  ['agent:', 'type or name of the agent'],
  ['file:', 'part of a path'],
  ['model:', 'part of the model\u2019s name'],
  ['is:', 'agent, background, reread, reply \u2026'],
  ['has:', 'agent, diff, file, problem'],
  ['text:', 'words in inputs and outputs'],
  ['dur:', 'duration: dur:>5s, or just >5s'],
  ['tokens:', 'written by the reply: tokens:>1k'],
  ['ctx:', 'how full the context was: ctx:>50%'],
  ['turn:', 'number of the exchange: turn:3'],
];

/** A server's tools begin alike: `mcp__github`. @param {string} tool */
const serverOf = (tool) => /^(mcp__.+?)__/.exec(tool)?.[1] ?? null;

/** @param {Map<string, number>} counts @param {string|null|undefined} value @param {number} calls */
function add(counts, value, calls) {
  if (value && calls) counts.set(value, (counts.get(value) ?? 0) + calls);
}

/**
 * How often each string stands in a column: numbers are counted, and each string is looked at once.
 * @param {any} model @param {Int32Array|(number[]|null)[]} column @returns {[string, number][]}
 */
function counts(model, column) {
  const found = new Uint32Array(model.strings.length);
  for (const at of column) {
    if (typeof at === 'number') {
      if (at >= 0) found[at]++;
    } else if (at) for (const one of at) found[one]++;
  }
  /** @type {[string, number][]} */
  const said = [];
  found.forEach((calls, at) => calls && said.push([model.strings[at], calls]));
  return said;
}

/**
 * The values that occur in a session.
 * @param {any} model @param {any[]} agents of the payload @returns {Facts}
 */
export function factsOf(model, agents) {
  const kinds = new Uint32Array(KINDS.length);
  for (const kind of model.kind) kinds[kind]++;
  const types = new Map();
  KINDS.forEach((kind, at) => add(types, kind, kinds[at]));
  for (const [tool, calls] of counts(model, model.toolName)) {
    // `type:` heeds no case: the kind stands for the tool of its name.
    if (KINDS.includes(tool.toLowerCase())) continue;
    add(types, tool, calls);
    add(types, serverOf(tool), calls);
  }
  dropLoneServers(types);
  const named = new Map(agents.map((agent) => [agent.id, [agent.type, agent.name].filter(Boolean)]));
  const names = new Map();
  for (const [agent, calls] of counts(model, model.agentId)) for (const name of named.get(agent) ?? []) add(names, name, calls);
  return new Map([
    ['type', types],
    ['status', new Map(counts(model, model.outcome))],
    ['agent', names],
    ['file', new Map(counts(model, model.targets))],
    ['model', new Map(counts(model, model.model))],
  ]);
}

/** A server of one tool says no more than its tool. @param {Map<string, number>} types */
function dropLoneServers(types) {
  for (const [tool, calls] of [...types]) {
    const server = serverOf(tool);
    if (server && types.get(server) === calls) types.delete(server);
  }
}

/** A value as it is written in the box; null where the grammar has no way to write it. @param {string} value */
function written(value) {
  if (value.length > LONG || /["\u0000-\u001f]/.test(value)) return null;
  if (value.includes(',')) return null;
  return /\s/.test(value) ? `"${value}"` : value;
}

/**
 * Values that hold what was typed: those that begin with it first, then the commonest.
 * @param {Iterable<[string, number|null]>} values @param {string} typed @returns {[string, number|null][]}
 */
function ranked(values, typed) {
  const rank = (/** @type {string} */ value) => (value.toLowerCase().startsWith(typed) ? 0 : 1);
  return [...values]
    .filter(([value]) => value.toLowerCase().includes(typed) && value.toLowerCase() !== typed)
    .sort((a, b) => rank(a[0]) - rank(b[0]) || (b[1] ?? 0) - (a[1] ?? 0) || (a[0].toLowerCase() < b[0].toLowerCase() ? -1 : 1));
}

/** @param {string} key @param {Facts} facts @returns {Iterable<[string, number|null]>} */
function valuesOf(key, facts) {
  const fixed = key === 'is' ? IS : key === 'has' ? HAS : null;
  return fixed ? fixed.map((name) => [name, null]) : (facts.get(key) ?? []);
}

/** @param {number|null} calls */
const callsWords = (calls) => (calls === null ? '' : counted(calls, 'call'));

/** @param {string} key @param {string} typed @param {Facts} facts @param {number} from @param {number} to */
function valueSuggestions(key, typed, facts, from, to) {
  /** @type {Suggestion[]} */
  const found = [];
  for (const [value, calls] of ranked(valuesOf(key, facts), typed)) {
    const text = written(value);
    if (text !== null) found.push({ text, words: callsWords(calls), kind: 'value', from, to });
    if (found.length === MOST) break;
  }
  return found;
}

/** Keys, states and values that a bare word begins. @param {string} typed @param {Facts} facts @param {number} from @param {number} to */
function wordSuggestions(typed, facts, from, to) {
  /** @type {Suggestion[]} */
  const found = [];
  for (const [key, words] of KEYS) if (key.startsWith(typed) && key !== typed) found.push({ text: key, words, kind: 'key', from, to });
  if (!typed) return found;
  for (const flag of FLAGS) {
    const calls = facts.get('status')?.get(flag);
    if (flag.startsWith(typed) && flag !== typed && calls) found.push({ text: flag, words: callsWords(calls), kind: 'value', from, to });
  }
  for (const key of ['type', 'agent', 'model'])
    for (const [value, calls] of ranked(facts.get(key) ?? [], typed)) {
      const text = value.toLowerCase().startsWith(typed) ? written(value) : null;
      if (text !== null) found.push({ text: `${key}:${text}`, words: callsWords(calls), kind: 'value', from, to });
    }
  return found.slice(0, MOST);
}

/**
 * @param {string} text of the box @param {number} caret @param {Facts} facts @param {string[]} past earlier filters, oldest first
 * @returns {Suggestion[]} best first; empty where nothing helps
 */
export function suggest(text, caret, facts, past) {
  if (!text.trim()) {
    const earlier = past.slice(-5).reverse();
    return [
      ...earlier.map((query) => ({ text: query, words: 'earlier', kind: /** @type {'past'} */ ('past'), from: 0, to: text.length })),
      ...wordSuggestions('', facts, 0, text.length),
    ];
  }
  const piece = splitQuery(text).find((p) => p.from < caret && caret <= p.to) ?? { term: '', from: caret, to: caret };
  const from = piece.from + (piece.term.length > 1 && piece.term[0] === '-' ? 1 : 0);
  const typed = text.slice(from, caret).toLowerCase();
  if (/^["/<>=]/.test(typed)) return [];
  const keyed = /^([a-z]+):(.*)$/s.exec(typed);
  if (!keyed) return wordSuggestions(typed, facts, from, piece.to);
  const last = keyed[2].slice(keyed[2].lastIndexOf(',') + 1);
  const rest = text.slice(caret, piece.to);
  const end = caret + (rest.includes(',') ? rest.indexOf(',') : rest.length);
  return valueSuggestions(keyed[1], last.replace(/^"|"$/g, ''), facts, caret - last.length, end);
}

/**
 * The box after a suggestion was taken. A key waits for its value; a value is done, and a space parts it from what comes.
 * @param {string} text @param {Suggestion} taken @returns {{text: string, caret: number}}
 */
export function take(text, taken) {
  const after = text.slice(taken.to);
  const space = taken.kind === 'value' && !/^[\s,]/.test(after) ? ' ' : '';
  const before = text.slice(0, taken.from) + taken.text + space;
  return { text: before + after, caret: before.length };
}
