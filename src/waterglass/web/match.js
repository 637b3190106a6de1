/** Runs a query over a session: which lines match, and which stand above a match. */
import { KINDS } from '#kinds';
import { ANCESTOR, MATCH } from '#lines';
import { elapsed, listOf, tokensOf } from '#model';
import { CALL, HEAD, MARK, PROMPT, REPLY } from '#tree';

// Patterns run over this much of a name (a hostile name and a slow pattern must not hang the page).
const NAME_MAX = 300;

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
  if (term.op === 'regex') return term.regex.test(text.slice(0, NAME_MAX));
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
 * @param {any} payload @param {any} tree @param {any[]} terms
 */
function otherTest(payload, tree, terms) {
  const sameOp = terms.every((t) => TEXTUAL.has(t.op));
  if (!terms.length || !sameOp) return () => false;
  const names = new Map([
    [HEAD, 'prompt'],
    [PROMPT, 'prompt'],
    [REPLY, 'reply'],
  ]);
  return (/** @type {number} */ node) => {
    const text = textOf(payload, tree, node);
    const mark = tree.kind[node] === MARK ? payload.marks[tree.ref[node]].kind : null;
    const name = mark === 'microcompaction' ? 'compaction' : (mark ?? names.get(tree.kind[node]));
    return terms.every((t) => (t.op === 'is' ? t.values.includes(name) : textHolds(t, text)) !== t.negate);
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

/**
 * @param {any} model @param {import('#tree').Tree} tree @param {any} payload @param {import('#query').Term[]} terms
 * @param {Map<string, Map<string, boolean>>} [contents] what is known of `text:` terms: by text, then by row id
 * @returns {{marks: Uint8Array, calls: number, errors: number, others: number}|null} null when there is nothing to filter by
 */
export function runQuery(model, tree, payload, terms, contents = new Map()) {
  if (!terms.length) return null;
  const agents = new Map((payload.agents ?? []).map((/** @type {any} */ a) => [a.id, `${a.type ?? ''} ${a.name ?? ''}`]));
  const rowExchange = new Int32Array(model.n);
  tree.exchanges.forEach((x, i) => rowExchange.fill(i, x.rowStart, x.rowEnd));
  const context = { model, agents, contents, exchangeOf: (/** @type {number} */ row) => rowExchange[row] };
  const tests = terms.map((term) => ({ test: rowTest(context, term), negate: term.negate }));
  const other = otherTest(payload, tree, terms);
  const marks = new Uint8Array(tree.n);
  const found = { marks, calls: 0, errors: 0, others: 0 };
  const hits = new Uint8Array(model.n).fill(1);
  // Term by term: each loop stays with one test, and rows that fell out are not looked at again.
  for (const { test, negate } of tests) {
    for (let row = 0; row < model.n; row++) if (hits[row] && test(row) === negate) hits[row] = 0;
  }
  const error = model.strings.indexOf('error');
  for (let node = 0; node < tree.n; node++) {
    const row = tree.ref[node];
    if (tree.kind[node] === CALL) {
      if (!hits[row]) continue;
      found.calls++;
      if (error >= 0 && model.outcome[row] === error) found.errors++;
    } else if (other(node)) found.others++;
    else continue;
    marks[node] = MATCH;
    for (let up = tree.parent[node]; up >= 0 && !marks[up]; up = tree.parent[up]) marks[up] = ANCESTOR;
  }
  return found;
}
