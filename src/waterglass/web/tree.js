/**
 * All lines of a session in one pre-order: exchange heads, and below them replies, calls and marks, agents nested at any depth.
 * Flat columns: kind, ref (index into exchanges, replies, rows, marks or prompts), depth, end (after the last descendant), parent.
 */

export const HEAD = 0;
export const REPLY = 1;
export const CALL = 2;
export const MARK = 3;
export const PROMPT = 4;

// Marks that stand as lines of their own; the others are said elsewhere (prompts and replies are lines, notifications end rows).
const MARK_LINES = new Set(['compaction', 'microcompaction', 'api_error', 'interrupt', 'command', 'shell']);

/**
 * @typedef {{n: number, kind: Uint8Array, ref: Int32Array, depth: Uint16Array, end: Int32Array, parent: Int32Array,
 *   nodeOfRow: Int32Array, exchanges: any[]}} Tree
 * @typedef {{kind: number, ref: number, ms: number}} Extra
 */

/** @param {any} model @param {any} payload @returns {Tree} */
export function buildTree(model, payload) {
  // Rows that are not drawn leave their exchange empty or shorter.
  const within = (/** @type {any} */ x) =>
    x.rowEnd <= model.n ? x : { ...x, rowStart: Math.min(x.rowStart, model.n), rowEnd: model.n };
  const exchanges = payload.exchanges?.length
    ? payload.exchanges.map(within)
    : [
        {
          prompt: null,
          startMs: payload.session?.startMs ?? null,
          endMs: payload.session?.endMs ?? null,
          calls: model.n,
          errors: 0,
          rowStart: 0,
          rowEnd: model.n,
        },
      ];
  const places = placeExtras(model, payload, exchanges);
  return emit(model, exchanges, places);
}

/** @param {any[]} exchanges @param {number} ms the exchange that a time falls in */
function exchangeAt(exchanges, ms) {
  let low = 0;
  let high = exchanges.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((exchanges[mid].startMs ?? -Infinity) <= ms) low = mid + 1;
    else high = mid;
  }
  return Math.max(low - 1, 0);
}

/**
 * Every reply, mark and stray prompt gets its place: before a row, or at the end of an agent's rows or of an exchange.
 * @param {any} model @param {any} payload @param {any[]} exchanges
 */
function placeExtras(model, payload, exchanges) {
  const before = new Map();
  const starter = new Map();
  for (let i = 0; i < model.n; i++) {
    if (model.startsAgentId[i] >= 0) starter.set(model.strings[model.startsAgentId[i]], i);
  }
  /** @type {Map<string, Extra[]>} extras that go by time, under a row ("r5") or an exchange ("x2") */
  const timed = new Map();
  const push = (/** @type {Map<any, Extra[]>} */ map, /** @type {any} */ key, /** @type {Extra} */ extra) => {
    const list = map.get(key);
    if (list) list.push(extra);
    else map.set(key, [extra]);
  };
  const byTime = (/** @type {any} */ agentId, /** @type {Extra} */ extra, /** @type {number|undefined} */ exchange) => {
    const row = agentId === null || agentId === undefined ? undefined : starter.get(agentId);
    push(timed, row === undefined ? `x${exchange ?? exchangeAt(exchanges, extra.ms)}` : `r${row}`, extra);
  };
  (payload.replies ?? []).forEach((/** @type {any} */ reply, /** @type {number} */ ref) => {
    if (!reply.text) return;
    const extra = { kind: REPLY, ref, ms: reply.ms ?? -Infinity };
    const first = reply.rowIndexes?.length ? Math.min(...reply.rowIndexes) : -1;
    if (first >= 0 && first < model.n) push(before, first, extra);
    else byTime(reply.agentId, extra, exchanges[reply.exchange] ? reply.exchange : undefined);
  });
  (payload.marks ?? []).forEach((/** @type {any} */ mark, /** @type {number} */ ref) => {
    if (MARK_LINES.has(mark.kind)) byTime(mark.agentId, { kind: MARK, ref, ms: mark.ms ?? -Infinity }, undefined);
  });
  const heads = new Set(exchanges.map((x) => x.prompt));
  (payload.prompts ?? []).forEach((/** @type {any} */ prompt, /** @type {number} */ ref) => {
    if (!heads.has(ref)) byTime(null, { kind: PROMPT, ref, ms: prompt.ms ?? -Infinity }, undefined);
  });
  const atEnd = mergeTimed(model, exchanges, timed, before, push);
  return { before, atEnd };
}

/**
 * Extras that go by time are put before the first later row among their siblings, else at the end.
 * @param {any} model @param {any[]} exchanges @param {Map<string, Extra[]>} timed @param {Map<number, Extra[]>} before @param {Function} push
 */
function mergeTimed(model, exchanges, timed, before, push) {
  const atEnd = new Map();
  for (const [key, extras] of timed) {
    extras.sort((a, b) => a.ms - b.ms);
    const index = Number(key.slice(1));
    let row = key[0] === 'r' ? index + 1 : exchanges[index].rowStart;
    const stop = key[0] === 'r' ? model.end[index] : exchanges[index].rowEnd;
    for (const extra of extras) {
      while (row < stop && model.startMs[row] <= extra.ms) row = Math.max(model.end[row], row + 1);
      push(row < stop ? before : atEnd, row < stop ? row : key, extra);
    }
  }
  for (const list of before.values()) list.sort((a, b) => a.ms - b.ms);
  return atEnd;
}

/**
 * @param {any} model @param {any[]} exchanges
 * @param {{before: Map<number, Extra[]>, atEnd: Map<string, Extra[]>}} places
 * @returns {Tree}
 */
function emit(model, exchanges, { before, atEnd }) {
  let n = exchanges.length + model.n;
  for (const list of before.values()) n += list.length;
  for (const list of atEnd.values()) n += list.length;
  const tree = {
    n,
    kind: new Uint8Array(n),
    ref: new Int32Array(n),
    depth: new Uint16Array(n),
    end: new Int32Array(n),
    parent: new Int32Array(n).fill(-1),
    nodeOfRow: new Int32Array(model.n),
    exchanges,
  };
  let at = 0;
  const add = (
    /** @type {number} */ kind,
    /** @type {number} */ ref,
    /** @type {number} */ depth,
    /** @type {number} */ parent,
  ) => {
    tree.kind[at] = kind;
    tree.ref[at] = ref;
    tree.depth[at] = depth;
    tree.parent[at] = parent;
    tree.end[at] = at + 1;
    return at++;
  };
  exchanges.forEach((exchange, x) => {
    const head = add(HEAD, x, 0, -1);
    /** @type {number[]} nodes of the open rows */
    const stack = [];
    const top = () => (stack.length ? stack[stack.length - 1] : head);
    const close = () => {
      const node = /** @type {number} */ (stack.pop());
      for (const extra of atEnd.get(`r${tree.ref[node]}`) ?? []) add(extra.kind, extra.ref, tree.depth[node] + 1, node);
      tree.end[node] = at;
    };
    for (let row = exchange.rowStart; row < exchange.rowEnd; row++) {
      while (stack.length && model.end[tree.ref[top()]] <= row) close();
      for (const extra of before.get(row) ?? []) add(extra.kind, extra.ref, stack.length + 1, top());
      const node = add(CALL, row, stack.length + 1, top());
      tree.nodeOfRow[row] = node;
      stack.push(node);
    }
    while (stack.length) close();
    for (const extra of atEnd.get(`x${x}`) ?? []) add(extra.kind, extra.ref, 1, head);
    tree.end[head] = at;
  });
  return tree;
}
