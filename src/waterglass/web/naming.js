/** How the address names a line, and which line it names. No document. */
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
 * The node that an address names, -1 when it names none, -2 when what it names is not here. What an agent was told has no
 * line of its own: the call that started it stands for it.
 * @param {any} view @param {any} address
 */
export function findNode(view, address) {
  const { tree, model, payload } = view;
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
  const agent = address.agent ? payload.agents?.find((/** @type {any} */ one) => one.id === address.agent) : null;
  const row = agent?.parent ? model.id.indexOf(agent.parent) : -1;
  return row < 0 ? -2 : tree.nodeOfRow[row];
}
