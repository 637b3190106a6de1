/** The results of a search: a list for each session, each result a button that leads to its line. */
import { el } from '#el';
import { count, counted, moment } from '#format';
import { isSettled } from '#indexstate';
import { oneLine, pathEnd, visible } from '#plain';
import { bySession, pieces } from '#snippet';

/** @type {Record<string, string>} */
const PARTS = { prompt: 'Prompt', reply: 'Reply', input: 'Input', output: 'Output' };

/** @param {any} hit @param {number} nowMs @param {(hit: any) => void} open */
function result(hit, nowMs, open) {
  const agent = hit.agentId ? el('span', { class: 'ofagent', title: oneLine(hit.agentId, 80) }, 'agent') : null;
  const text = el('span', { class: 'snippet' }, agent);
  for (const piece of pieces(hit.snippet, hit.matches))
    text.append(piece.hit ? el('mark', null, visible(piece.text)) : visible(piece.text));
  return el(
    'li',
    null,
    el(
      'button',
      { type: 'button', class: 'hit', 'data-event': hit.eventId, 'data-session': hit.session, on: { click: () => open(hit) } },
      el('span', { class: `part p-${hit.part}` }, PARTS[hit.part] ?? oneLine(hit.part, 20)),
      el('span', { class: 'when' }, moment(hit.ms, nowMs)),
      text,
    ),
  );
}

/**
 * @param {any[]} hits @param {number} nowMs @param {(hit: any) => void} open
 * @returns {any[]} a section for each session
 */
export function resultSections(hits, nowMs, open) {
  return bySession(hits).map((group) => {
    const title = oneLine(group.title ?? '', 160) || `Untitled ${oneLine(group.session.slice(0, 8))}`;
    const project = group.project === null ? 'project unknown' : oneLine(group.project);
    return el(
      'section',
      { class: 'found' },
      el('h2', null, title, el('span', { class: 'note', title: project }, pathEnd(project, 48))),
      el('ul', null, ...group.hits.map((hit) => result(hit, nowMs, open))),
    );
  });
}

/** What was found, in words. @param {any} answer */
export function resultWords(answer) {
  const { hits, more } = answer;
  if (!hits.length) return isSettled(answer.index) && !more ? 'Nothing found' : 'Nothing found so far';
  const sessions = new Set(hits.map((/** @type {any} */ hit) => hit.session)).size;
  return `${counted(hits.length, 'result')} in ${counted(sessions, 'session')}${more ? `, up to ${count(more)} more` : ''}`;
}
