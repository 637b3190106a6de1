/** How the address names a line, and which line it names. No document. */
import { stringOf } from '#model';
import { CALL, HEAD, PROMPT, REPLY } from '#tree';

/** @param {any} view @param {number} node @returns {{row: string|null, reply: string|null, prompt: string|null}} */
export function nameNode({ tree, model, payload }, node) {
  const none = { row: null, reply: null, prompt: null };
  if (node < 0) return none;
  const ref = tree.ref[node];
  if (tree.kind[node] === CALL) return { ...none, row: String(model.id[ref]) };
  if (tree.kind[node] === REPLY) return { ...none, reply: payload.replies[ref].id ?? null };
  const prompt = tree.kind[node] === HEAD ? tree.exchanges[ref].prompt : tree.kind[node] === PROMPT ? ref : null;
  return prompt === null ? none : { ...none, prompt: payload.prompts[prompt]?.uuid ?? null };
}

/**
 * The node that an address names, -1 when it names none, -2 when what it names is not here.
 * @param {any} view @param {any} address
 */
export function findNode(view, address) {
  const { tree, model } = view;
  if (address.row !== null) {
    const row = model.id.indexOf(address.row);
    return row < 0 ? -2 : tree.nodeOfRow[row];
  }
  if (address.reply === null && address.prompt === null) return -1;
  for (let node = 0; node < tree.n; node++) {
    if (tree.kind[node] === CALL) continue;
    const names = nameNode(view, node);
    if (address.reply !== null ? names.reply === address.reply : names.prompt === address.prompt) return node;
  }
  return -2;
}

/**
 * The line that stands for a text without one: of what an agent was told the call that started it, else its first call; of
 * any other text what was there at its time. -1 for none.
 * @param {any} view @param {any} address
 */
function standIn({ tree, model, payload }, address) {
  if (address.agent) {
    const agent = payload.agents?.find((/** @type {any} */ one) => one.id === address.agent);
    const started = agent?.parent ? model.id.indexOf(agent.parent) : -1;
    for (let row = started < 0 ? 0 : started; row < model.n; row++)
      if (row === started || stringOf(model, 'agentId', row) === address.agent) return tree.nodeOfRow[row];
  }
  const at = Number(address.at ?? NaN);
  let found = -1;
  let best = -Infinity;
  for (let node = 0; node < tree.n; node++) {
    const ms = startOf({ tree, model, payload }, node);
    if (ms <= at && ms >= best) [found, best] = [node, ms];
  }
  return found;
}

/** @param {any} view @param {number} node @returns {number} when a line begins, NaN where that is not known */
function startOf({ tree, model, payload }, node) {
  const ref = tree.ref[node];
  if (tree.kind[node] === CALL) return model.startMs[ref];
  if (tree.kind[node] === HEAD) return tree.exchanges[ref].startMs ?? NaN;
  return (tree.kind[node] === REPLY ? payload.replies[ref].ms : null) ?? NaN;
}

/**
 * The line that an address names, or the one that stands for it, and what a person is to be told.
 * @param {any} view @param {any} address @returns {{node: number, words: string}} node as of `findNode`
 */
export function lineNamed(view, address) {
  const node = findNode(view, address);
  if (node !== -2) return { node, words: '' };
  const other = standIn(view, address);
  if (other < 0) return { node, words: 'The line of this address is not in this session' };
  return { node: other, words: 'That text has no line of its own: this is where it belongs' };
}
