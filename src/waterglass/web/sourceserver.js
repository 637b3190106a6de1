/** Data from the running server. Ids go into addresses encoded; nothing else does. */
import { Failure } from '#failure';
import { fetchFile, sendFile } from '#transfers';

/** @param {string} path @param {AbortSignal} [stop] @returns {Promise<any>} @throws {Failure} */
async function ask(path, stop) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', signal: stop });
  } catch {
    throw new Failure('The server does not answer', 'Is waterglass still running in its terminal?', 0);
  }
  let body = null;
  try {
    body = await response.json();
  } catch {
    if (response.ok) throw new Failure('The answer could not be read', 'Reload the page', response.status);
  }
  if (!response.ok)
    throw new Failure(
      body?.error?.what ?? `The server answered ${response.status}`,
      body?.error?.hint ?? '',
      response.status,
    );
  return body;
}

/** @param {string} path @param {Record<string, string|number|null>} asked what is null is left out */
function withQuery(path, asked) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== null) query.set(name, String(value));
  return `${path}?${query}`;
}

/** @returns {import('#source').Source} */
export function serverSource() {
  const session = (/** @type {string} */ id) => `/api/sessions/${encodeURIComponent(id)}`;
  return {
    report: false,
    sessions: (after, first = null) => ask(after !== null ? `/api/sessions?after=${after}` : first ? `/api/sessions?first=${first}` : '/api/sessions'),
    payload: (id) => ask(session(id)),
    row: (id, index, rowId) => ask(`${session(id)}/rows/${encodeURIComponent(rowId)}`),
    reply: (id, replyId) => ask(`${session(id)}/replies/${encodeURIComponent(replyId)}`),
    prompt: (id, uuid) => ask(`${session(id)}/prompts/${encodeURIComponent(uuid)}`),
    find: (id, texts, from) => {
      const query = new URLSearchParams(texts.map((text) => ['q', text]));
      if (from !== null) query.set('from', from);
      return ask(`${session(id)}/find?${query}`);
    },
    reportFile: (id, level) => fetchFile(`${session(id)}/report?redact=${encodeURIComponent(level)}`),
    drop: async (file) => (await sendFile('/api/dropped', file)).id,
    scorecard: (id) => ask(`${session(id)}/scorecard`),
    search: (asked, stop) => ask(withQuery('/api/search', asked), stop),
    stats: (asked, stop) => ask(withQuery('/api/stats', asked), stop),
    changes: (id, state) => new EventSource(`${session(id)}/changes?lists=tails&from=${encodeURIComponent(state)}`),
  };
}
