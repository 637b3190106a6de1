/** Runs a query over a session: which lines match, and which stand above a match. */
import { KINDS } from '#kinds';
import { ANCESTOR, MATCH } from '#lines';
import { elapsed, listOf, tokensOf } from '#model';
import { unlessSpent } from '#pattern';
import { CALL, HEAD, MARK, PROMPT, REPLY } from '#tree';

// Steps that all expressions of a query together may take beyond the time of going through the texts: about 0.2 s.
const ALLOWANCE = 5e6;

/** @param {{sign: string, value: number}} test @param {number} value */
function holds({ sign, value: limit }, value) {
  if (sign === '>') return value > limit;
  if (sign === '<') return value < limit;
  if (sign === '>=') return value >= limit;
  if (sign === '<=') return value <= limit;
  return value === limit;
}

/** @param {any} term @param {string} text */
function textHolds(term, text) {
  if (term.op === 'regex') return term.regex.test(text);
  const folded = text.toLowerCase();
  return term.values.some((/** @type {string} */ value) => folded.includes(value));
}

/**
 * A test over interned strings, each string looked at once.
 * @param {any} model @param {string} column @param {(text: string) => boolean} test
 */
function interned(model, column, test) {
  const seen = new Int8Array(model.strings.length).fill(-1);
  return (/** @type {number} */ row) => {
    const at = model[column][row];
    if (at < 0) return false;
    if (seen[at] < 0) seen[at] = test(model.strings[at]) ? 1 : 0;
    return seen[at] === 1;
  };
}

/** @param {any} context @param {any} term @returns {(row: number) => boolean} */
function measureTest({ model, exchangeOf }, { key, tests }) {
  const value =
    key === 'tokens'
      ? (/** @type {number} */ row) => tokensOf(model, row)
      : key === 'dur'
        ? (/** @type {number} */ row) => elapsed(model, row)
        : key === 'ctx'
          ? (/** @type {number} */ row) => model.ctx[row]
          : (/** @type {number} */ row) => exchangeOf(row) + 1;
  return (row) => {
    const v = value(row);
    return !Number.isNaN(v) && tests.some((/** @type {any} */ t) => holds(t, v));
  };
}

/** @param {any} model @returns {Record<string, (row: number) => boolean>} */
function traits(model) {
  const outcome = (/** @type {string} */ name) => interned(model, 'outcome', (text) => text === name);
  return Object.assign(Object.create(null), {
    agent: (/** @type {number} */ row) => KINDS[model.kind[row]] === 'agent',
    background: (/** @type {number} */ row) => model.background[row] === 1,
    reread: (/** @type {number} */ row) => model.isReread[row] === 1,
    error: outcome('error'),
    running: outcome('running'),
    diff: (/** @type {number} */ row) => KINDS[model.kind[row]] === 'edit',
    file: (/** @type {number} */ row) => (model.targets[row]?.length ?? 0) > 0,
    problem: (/** @type {number} */ row) => (model.warnings[row]?.length ?? 0) > 0,
  });
}

/** @param {any} context @param {any} term @returns {(row: number) => boolean} */
function rowTest(context, term) {
  const { model, agents, contents } = context;
  const values = term.values ?? [];
  const some = (/** @type {(value: string) => boolean} */ test) => values.some(test);
  if (term.op === 'text' || term.op === 'regex') {
    const label = interned(model, 'label', (text) => textHolds(term, text));
    const tool = interned(model, 'toolName', (text) => textHolds(term, text));
    return (row) => label(row) || tool(row);
  }
  if (term.op === 'content') {
    const known = values.map((/** @type {string} */ v) => contents.get(v));
    // A body that was not looked through yet is no match, whether the text is wanted or unwanted.
    return (row) => {
      const said = known.map((/** @type {Map<string, boolean>|undefined} */ ids) => ids?.get(model.id[row]));
      return said.includes(true) || (said.includes(undefined) && term.negate);
    };
  }
  if (term.op === 'type') {
    const tool = interned(model, 'toolName', (text) => some((v) => text.toLowerCase().startsWith(v)));
    return (row) => tool(row) || some((v) => KINDS[model.kind[row]].startsWith(v));
  }
  if (term.op === 'status') return interned(model, 'outcome', (text) => some((v) => text === v));
  if (term.op === 'measure') return measureTest(context, term);
  if (term.op === 'model') return interned(model, 'model', (text) => some((v) => text.toLowerCase().includes(v)));
  if (term.op === 'file')
    return (row) => listOf(model, 'targets', row).some((path) => some((v) => path.toLowerCase().includes(v)));
  if (term.op === 'agent') {
    return interned(model, 'agentId', (id) => some((v) => `${id} ${agents.get(id) ?? ''}`.toLowerCase().includes(v)));
  }
  const known = traits(model);
  const tests = values.map((/** @type {string} */ v) => known[v] ?? (() => false));
  return (row) => tests.some((/** @type {(row: number) => boolean} */ t) => t(row));
}

const TEXTUAL = new Set(['text', 'regex', 'is', 'content']);

/**
 * Lines that are no calls match by their text or as `is:reply` and the like.
 * @param {any} payload @param {any} tree @param {any} term @returns {(node: number) => boolean}
 */
function otherTest(payload, tree, term) {
  if (term.op !== 'is') return (node) => textHolds(term, textOf(payload, tree, node));
  const names = new Map([
    [HEAD, 'prompt'],
    [PROMPT, 'prompt'],
    [REPLY, 'reply'],
  ]);
  return (node) => {
    const mark = tree.kind[node] === MARK ? payload.marks[tree.ref[node]].kind : null;
    return term.values.includes(mark === 'microcompaction' ? 'compaction' : (mark ?? names.get(tree.kind[node])));
  };
}

/**
 * The text of a line that is no call, as far as the payload holds it.
 * @param {any} payload @param {any} tree @param {number} node
 * @returns {string}
 */
export function textOf(payload, tree, node) {
  const ref = tree.ref[node];
  if (tree.kind[node] === REPLY) return payload.replies[ref].text ?? '';
  if (tree.kind[node] === MARK) return payload.marks[ref].label ?? '';
  const prompt = tree.kind[node] === PROMPT ? ref : tree.exchanges[ref].prompt;
  return prompt === null || prompt === undefined ? '' : (payload.prompts[prompt]?.text ?? '');
}

/** What is left of the hits that a term is asked about. @param {Uint8Array} hits @param {(at: number) => boolean} test @param {boolean} negate */
function narrowed(hits, test, negate) {
  const left = hits.slice();
  for (let at = 0; at < left.length; at++) if (left[at] && test(at) === negate) left[at] = 0;
  return left;
}

/**
 * Which rows, and which lines that are no calls, hold to all terms. An expression that takes too long is passed over, and known by it.
 * @param {any} context @param {any} tree @param {any} payload @param {import('#query').Term[]} terms
 */
function hitsOf(context, tree, payload, terms) {
  let rows = new Uint8Array(context.model.n).fill(1);
  let others = new Uint8Array(tree.n);
  if (terms.every((term) => TEXTUAL.has(term.op))) others = others.map((_, node) => (tree.kind[node] === CALL ? 0 : 1));
  const patterns = terms.flatMap((term) => term.regex ?? []);
  for (const pattern of patterns) pattern.allow(ALLOWANCE / patterns.length);
  // Term by term: each loop stays with one test, and rows that fell out are not looked at again.
  for (const term of terms) {
    const left = unlessSpent(() => [
      narrowed(rows, rowTest(context, term), term.negate),
      narrowed(others, otherTest(payload, tree, term), term.negate),
    ]);
    if (left) [rows, others] = left;
  }
  return { rows, others };
}

/**
 * @param {any} model @param {import('#tree').Tree} tree @param {any} payload @param {import('#query').Term[]} terms
 * @param {Map<string, Map<string, boolean>>} [contents] what is known of `text:` terms: by text, then by row id
 * @returns {{marks: Uint8Array, calls: number, errors: number, others: number}|null} null when there is nothing to filter by
 */
export function runQuery(model, tree, payload, terms, contents = new Map()) {
  const asked = terms.filter((term) => !term.regex?.spent);
  if (!asked.length) return null;
  const agents = new Map((payload.agents ?? []).map((/** @type {any} */ a) => [a.id, `${a.type ?? ''} ${a.name ?? ''}`]));
  const rowExchange = new Int32Array(model.n);
  tree.exchanges.forEach((x, i) => rowExchange.fill(i, x.rowStart, x.rowEnd));
  const context = { model, agents, contents, exchangeOf: (/** @type {number} */ row) => rowExchange[row] };
  const { rows, others } = hitsOf(context, tree, payload, asked);
  if (asked.every((term) => term.regex?.spent)) return null;
  const marks = new Uint8Array(tree.n);
  const found = { marks, calls: 0, errors: 0, others: 0 };
  const error = model.strings.indexOf('error');
  for (let node = 0; node < tree.n; node++) {
    const row = tree.ref[node];
    if (tree.kind[node] === CALL) {
      if (!rows[row]) continue;
      found.calls++;
      if (error >= 0 && model.outcome[row] === error) found.errors++;
    } else if (others[node]) found.others++;
    else continue;
    marks[node] = MATCH;
    for (let up = tree.parent[node]; up >= 0 && !marks[up]; up = tree.parent[up]) marks[up] = ANCESTOR;
  }
  return found;
}
