/** What changed, put into a payload. No document: the same payload and message give the same payload. */

const RENAMED = new Map([
  ['startMs', 'startTime'],
  ['endMs', 'endTime'],
]);
const INTERNED = new Set([
  'type',
  'toolName',
  'label',
  'status',
  'outcome',
  'agentId',
  'startsAgentId',
  'parentAgentId',
  'messageId',
  'model',
  'category',
]);

/**
 * A column's entry for one row, as the table writes it.
 * @param {string} name @param {any} row @param {(text: string) => number} intern
 */
function entryOf(name, row, intern) {
  const value = row[RENAMED.get(name) ?? name] ?? null;
  if (INTERNED.has(name)) return value === null ? -1 : intern(value);
  if (name === 'tokens') return value === null ? null : (value.input ?? 0) + (value.output ?? 0);
  if (Array.isArray(value)) return value.length ? value.map(intern) : null;
  return typeof value === 'boolean' ? Number(value) : value;
}

/**
 * Parents and ends of subtrees follow from the depths of rows in pre-order.
 * @param {number[]} depths @returns {{parent: number[], subtreeEnd: number[]}}
 */
function treeOf(depths) {
  const parent = new Array(depths.length).fill(-1);
  const subtreeEnd = new Array(depths.length).fill(depths.length);
  /** @type {number[]} */
  const open = [];
  depths.forEach((depth, row) => {
    while (open.length && depths[open[open.length - 1]] >= depth) subtreeEnd[/** @type {number} */ (open.pop())] = row;
    if (open.length) parent[row] = open[open.length - 1];
    open.push(row);
  });
  return { parent, subtreeEnd };
}

/** @param {any} table @param {any} message @returns {any} the table with what changed, null where it does not fit */
function mergeTable(table, message) {
  const ids = table.columns.id;
  const named = new Map(message.rows.map((/** @type {any} */ row) => [row.id, row]));
  const removed = new Set(message.removed);
  /** @type {any[]} per place the new row, or the place that it had */
  const places = new Array(message.count).fill(undefined);
  for (const row of message.rows) {
    if (!(row.index < message.count) || places[row.index] !== undefined) return null;
    places[row.index] = row;
  }
  let at = 0;
  for (let old = 0; old < ids.length; old++) {
    if (removed.has(ids[old]) || named.has(ids[old])) continue;
    while (at < message.count && places[at] !== undefined) at++;
    if (at >= message.count) return null;
    places[at++] = old;
  }
  if (places.includes(undefined)) return null;
  const strings = [...table.strings];
  const known = new Map(strings.map((text, index) => [text, index]));
  const intern = (/** @type {string} */ text) => {
    const index = known.get(text) ?? strings.length;
    if (index === strings.length) {
      strings.push(text);
      known.set(text, index);
    }
    return index;
  };
  /** @type {any} */
  const columns = {};
  for (const [name, old] of Object.entries(table.columns))
    columns[name] = places.map((place) => (typeof place === 'number' ? old[place] : entryOf(name, place, intern)));
  return { ...table, count: message.count, strings, columns: { ...columns, ...treeOf(columns.depth) } };
}

/**
 * @param {any} payload as it is shown; it stays as it is @param {any} message of the stream of changes
 * @returns {any} the payload now, null where the message does not fit and the whole has to be fetched
 */
export function applyChanges(payload, message) {
  if (message.reset) return null;
  if (message.gone) return payload;
  const table = mergeTable(payload.table, message);
  if (!table) return null;
  const merged = { ...payload, ...message.head, table };
  for (const [name, { from, items }] of Object.entries(message.lists ?? {})) {
    const old = (name === 'series' ? payload.context?.series : payload[name]) ?? [];
    if (from > old.length) return null;
    const whole = [...old.slice(0, from), ...items];
    if (name !== 'series') merged[name] = whole;
    else if (merged.context) merged.context = { ...merged.context, series: whole };
  }
  for (const name of ['metrics', 'health', 'cost']) merged[name] = message.head[name] ?? payload[name];
  return merged;
}
