/** Data from the report's own blocks: base64 of gzip of JSON, 256 rows or texts a block. */
import { Failure } from '#failure';

const BLOCK = 256;
// Blocks kept unpacked: a block of long outputs can be some megabytes.
const KEPT = 4;

/** @param {string} id of a data block @returns {Promise<any>} @throws {Failure} */
async function unpack(id) {
  const node = document.getElementById(id);
  if (!node) throw new Failure('This part is not in the report', '', 404);
  const binary = atob((node.textContent ?? '').trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** @returns {import('#source').Source} */
export function reportSource() {
  /** @type {Map<string, Promise<any>>} */
  const blocks = new Map();
  /** @type {any} */
  let head = null;
  const block = (/** @type {string} */ id) => {
    const known = blocks.get(id) ?? unpack(id);
    blocks.delete(id);
    blocks.set(id, known);
    if (blocks.size > KEPT) blocks.delete(/** @type {string} */ (blocks.keys().next().value));
    return known;
  };
  const text = async (/** @type {string} */ kind, /** @type {string} */ key) => {
    const texts = head?.report?.texts ?? {};
    if (!Object.hasOwn(texts, key)) throw new Failure('This text is not in the report', '', 404);
    const found = (await block(`wg-texts-${texts[key]}`)).find((/** @type {any} */ item) => item[kind] === key);
    if (!found) throw new Failure('This text is not in the report', '', 404);
    return found;
  };
  return {
    report: true,
    sessions: () => Promise.reject(new Failure('A report holds one session', '', 404)),
    payload: async () => {
      head = await unpack('wg-head');
      return head;
    },
    row: async (id, index) => {
      const found = (await block(`wg-rows-${Math.floor(index / BLOCK)}`))[index % BLOCK];
      if (!found) throw new Failure('This call is not in the report', '', 404);
      return found;
    },
    reply: (id, replyId) => text('reply', replyId),
    prompt: (id, uuid) => text('prompt', uuid),
  };
}
