/** The text around a hit, cut where the hit begins and ends. No document. */

/**
 * @param {string} snippet @param {[number, number][]} matches places in characters, as Python counts them: a sign beyond the
 *   first 65,536 is one
 * @returns {{text: string, hit: boolean}[]} pieces in their order, without empty ones
 */
export function pieces(snippet, matches) {
  const characters = Array.from(snippet);
  const out = [];
  let at = 0;
  const put = (/** @type {number} */ to, /** @type {boolean} */ hit) => {
    if (to > at) out.push({ text: characters.slice(at, to).join(''), hit });
    at = Math.max(at, to);
  };
  for (const [from, to] of [...matches].sort((a, b) => a[0] - b[0])) {
    put(Math.min(from, characters.length), false);
    put(Math.min(to, characters.length), true);
  }
  put(characters.length, false);
  return out;
}

/**
 * Hits by session, in the order in which they come.
 * @param {any[]} hits @returns {{session: string, project: string|null, title: string|null, hits: any[]}[]}
 */
export function bySession(hits) {
  /** @type {Map<string, any>} */
  const found = new Map();
  for (const hit of hits) {
    const group = found.get(hit.session);
    if (group) group.hits.push(hit);
    else found.set(hit.session, { session: hit.session, project: hit.project, title: hit.title, hits: [hit] });
  }
  return [...found.values()];
}

/**
 * Where a hit stands in its session, as the address names it.
 * @param {any} hit @returns {Partial<import('#address').Address>}
 */
export function lineOfHit(hit) {
  const place = { agent: hit.agentId, at: hit.ms === null ? null : String(hit.ms) };
  if (hit.rowId) return { ...place, row: hit.rowId, tab: hit.part === 'input' ? 'input' : 'output' };
  return hit.part === 'prompt' ? { ...place, prompt: hit.promptId } : { ...place, reply: hit.replyId };
}
