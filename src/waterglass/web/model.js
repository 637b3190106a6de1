/** The payload's table as typed columns. NaN stands for an unknown number, -1 for an unknown string or parent. */
import { kindOf, KINDS } from '#kinds';
import { oneLine } from '#plain';

/**
 * @typedef {{n: number, left: number, beside: Uint8Array, strings: string[], id: string[], parent: Int32Array, depth: Uint16Array, end: Int32Array,
 *   startMs: Float64Array, endMs: Float64Array, untilMs: Float64Array, duration: Float64Array, ackMs: Float64Array,
 *   permissionStartMs: Float64Array, permissionMs: Float64Array, executionMs: Float64Array, permissionBound: Int32Array,
 *   errorsBelow: Uint32Array, background: Uint8Array, isReread: Uint8Array, inputTokens: Float64Array, outputTokens: Float64Array, tokens: Float64Array,
 *   ctx: Float64Array, kind: Uint8Array, toolName: Int32Array, label: Int32Array, outcome: Int32Array, agentId: Int32Array,
 *   startsAgentId: Int32Array, messageId: Int32Array, model: Int32Array, category: Int32Array, targets: (number[]|null)[],
 *   acts: (number[]|null)[], warnings: (number[]|null)[]}} Model
 */

// More lines than this are not drawn: browsers differ in how tall a list may be, and the page would take a gigabyte.
const ROWS_MOST = 600000;

/** @param {(number|null)[]|undefined} values @param {number} n */
function numbers(values, n) {
  const column = new Float64Array(n).fill(NaN);
  if (values)
    for (let i = 0; i < n; i++)
      if (values[i] !== null && values[i] !== undefined) column[i] = /** @type {number} */ (values[i]);
  return column;
}

/** @param {any[]|undefined} values @param {number} n */
const cut = (values, n) => (values && values.length > n ? values.slice(0, n) : (values ?? []));

/** @param {number[]|undefined} values @param {number} n @param {number} missing */
function integers(values, n, missing) {
  const column = new Int32Array(n).fill(missing);
  if (values) for (let i = 0; i < n; i++) if (Number.isInteger(values[i])) column[i] = values[i];
  return column;
}

/**
 * @param {any} payload the document of GET /api/sessions/{id} @param {number} nowMs the reader's clock: where running rows end
 * @returns {Model}
 */
export function buildModel(payload, nowMs) {
  const table = payload.table ?? { count: 0, strings: [], columns: {} };
  const n = Math.min(table.count, ROWS_MOST);
  const columns = table.columns;
  /** @type {any} */
  const model = {
    n,
    strings: table.strings ?? [],
    left: table.count - n,
    id: cut(columns.id, n),
    parent: integers(columns.parent, n, -1),
    depth: Uint16Array.from(cut(columns.depth, n)),
    end: integers(columns.subtreeEnd, n, 0).map((end) => Math.min(end, n)),
    background: Uint8Array.from(cut(columns.background, n)),
    isReread: Uint8Array.from(cut(columns.isReread, n)),
    ctx: numbers(columns.contextFillPercent, n),
    kind: new Uint8Array(n),
    targets: columns.targets ?? [],
    acts: columns.acts ?? [],
    warnings: columns.warnings ?? [],
    usage: columns.usage ?? [],
  };
  for (const name of ['startMs', 'endMs', 'duration', 'ackMs', 'inputTokens', 'outputTokens', 'tokens'])
    model[name] = numbers(columns[name], n);
  for (const name of ['permissionStartMs', 'permissionMs', 'executionMs']) model[name] = numbers(columns[name], n);
  for (const name of [
    'type',
    'toolName',
    'label',
    'outcome',
    'agentId',
    'startsAgentId',
    'messageId',
    'model',
    'category',
    'permissionBound',
  ]) {
    model[name] = integers(columns[name], n, -1);
  }
  fillKinds(model);
  model.untilMs = barEnds(model, payload, nowMs);
  model.errorsBelow = errorsBelow(model);
  model.beside = besides(model);
  return model;
}

/** Each tool name is looked up once. @param {any} model */
function fillKinds(model) {
  const known = new Int8Array(model.strings.length + 1).fill(-1);
  for (let i = 0; i < model.n; i++) {
    const agent = stringOf(model, 'type', i) === 'agent';
    const at = model.toolName[i] + 1;
    if (known[at] < 0) known[at] = KINDS.indexOf(kindOf(model.strings[at - 1] ?? '', null));
    model.kind[i] = agent ? 0 : known[at];
  }
}

/** Errors among a row's descendants. @param {any} model */
function errorsBelow(model) {
  const below = new Uint32Array(model.n);
  const error = model.strings.indexOf('error');
  // In pre-order a parent stands before its children: from the end each sum is whole when it is passed on.
  for (let i = model.n - 1; i >= 0; i--) {
    const parent = model.parent[i];
    if (parent >= 0) below[parent] += below[i] + (error >= 0 && model.outcome[i] === error ? 1 : 0);
  }
  return below;
}

/**
 * Calls of one reply that stand side by side: bit 1 joins a row to the one before it among its siblings, bit 2 to the next.
 * @param {any} model
 */
function besides(model) {
  const beside = new Uint8Array(model.n);
  for (let i = 0; i < model.n; i++) {
    const next = model.end[i];
    if (next >= model.n || model.messageId[i] < 0) continue;
    if (model.messageId[next] !== model.messageId[i] || model.parent[next] !== model.parent[i]) continue;
    beside[i] |= 2;
    beside[next] |= 1;
  }
  return beside;
}

/**
 * A string of an interned column, null when unknown.
 * @param {any} model @param {string} column @param {number} row
 * @returns {string|null}
 */
export function stringOf(model, column, row) {
  const at = model[column][row];
  return at < 0 ? null : (model.strings[at] ?? null);
}

/** The strings of a list column. @param {any} model @param {string} column @param {number} row @returns {string[]} */
export function listOf(model, column, row) {
  return (model[column][row] ?? []).map((/** @type {number} */ at) => model.strings[at] ?? '');
}

/**
 * Where each bar ends: its end; a running one now; any other open one at its agent's last record. Never past its parent.
 * @param {any} model @param {any} payload @param {number} nowMs
 */
function barEnds(model, payload, nowMs) {
  const last = new Map();
  const seen = (/** @type {any} */ agent, /** @type {number} */ ms) => {
    if (ms > (last.get(agent) ?? -Infinity)) last.set(agent, ms);
  };
  for (const agent of payload.agents ?? []) if (agent.endMs) seen(agent.id, agent.endMs);
  for (const reply of payload.replies ?? []) seen(reply.agentId ?? null, reply.endMs ?? reply.ms ?? -Infinity);
  // Rows first by their agent's number, which is quicker than by its name.
  const byNumber = new Float64Array(model.strings.length + 1).fill(-Infinity);
  for (let i = 0; i < model.n; i++) {
    const at = model.agentId[i] + 1;
    const ms = Number.isNaN(model.endMs[i]) ? model.startMs[i] : model.endMs[i];
    if (ms > byNumber[at]) byNumber[at] = ms;
  }
  byNumber.forEach((ms, at) => ms > -Infinity && seen(at ? model.strings[at - 1] : null, ms));
  const told = numbers(payload.table?.columns?.openUntilMs, model.n);
  const until = Float64Array.from(model.endMs);
  for (let i = 0; i < model.n; i++) {
    if (!Number.isNaN(until[i])) continue;
    const running = stringOf(model, 'outcome', i) === 'running';
    const open = Number.isNaN(told[i]) ? (last.get(stringOf(model, 'agentId', i)) ?? model.startMs[i]) : told[i];
    const end = running ? nowMs : open;
    const parent = model.parent[i];
    const limit = parent >= 0 && !Number.isNaN(until[parent]) ? until[parent] : Infinity;
    until[i] = Math.max(Math.min(end, limit), model.startMs[i]);
  }
  return until;
}

/** How long a row took, or has run by now; NaN when not known. @param {Model} model @param {number} row */
export function elapsed(model, row) {
  if (!Number.isNaN(model.duration[row])) return model.duration[row];
  return stringOf(model, 'outcome', row) === 'running' ? model.untilMs[row] - model.startMs[row] : NaN;
}

/** The figure of the Tokens column: what the call's reply wrote. @param {Model} model @param {number} row */
export function tokensOf(model, row) {
  return Number.isNaN(model.outputTokens[row]) ? NaN : model.outputTokens[row];
}

/** A row's name without the tool, which has a column of its own. @param {Model} model @param {number} row */
export function nameOf(model, row) {
  const label = stringOf(model, 'label', row);
  const tool = stringOf(model, 'toolName', row) ?? '';
  if (!label) return tool || '(no name)';
  const rest = label.startsWith(`${tool}:`) ? label.slice(tool.length + 1) : label;
  return oneLine(rest) || oneLine(label);
}
