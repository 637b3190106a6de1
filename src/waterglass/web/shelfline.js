/** One line of the start page's list. */
import { el, setClass, setText } from '#el';
import { bytes, count, moment } from '#format';
import { oneLine, pathEnd } from '#plain';

let made = 0;

/** @returns {any} a line with its cells under `parts` */
export function makeShelfLine() {
  const cell = (/** @type {string} */ name, /** @type {...any} */ ...children) =>
    el('div', { class: `c ${name}`, role: 'gridcell' }, ...children);
  const parts = {
    twist: el('span', { class: 'fold-mark', 'aria-hidden': 'true' }),
    dot: el('i', { class: 'dot' }),
    title: el('bdi', { class: 'label' }),
    chain: el('span', { class: 'chain' }),
    note: el('span', { class: 'note' }),
    when: cell('when'),
    prompts: cell('prompts'),
    calls: cell('calls'),
    errors: cell('errors'),
    agents: cell('agents'),
    size: cell('size'),
  };
  const line = el(
    'div',
    { class: 'line', role: 'row', id: `shelf-${made++}` },
    cell('title', parts.twist, parts.dot, parts.title, parts.chain, parts.note),
    parts.when,
    parts.prompts,
    parts.calls,
    parts.errors,
    parts.agents,
    parts.size,
  );
  line.parts = parts;
  return line;
}

/** @param {any} session @param {boolean} alone without its project above it @returns {string} what stands behind the title */
function noteOf(session, alone) {
  const words = [];
  if (alone && session.project) words.push(pathEnd(oneLine(session.project, 300), 40));
  if (session.deleted) words.push('transcript deleted');
  if (session.state === 'orphan') words.push('main transcript missing');
  if (session.state === 'empty') words.push('empty');
  if (session.worktree) words.push(`worktree ${oneLine(String(session.worktree).split(/[\\/]/).pop() ?? '', 40)}`);
  return words.join(' \u00b7 ');
}

/**
 * @param {any} line @param {import('#shelf').ShelfLine} at @param {boolean} selected @param {number} nowMs
 * @param {number} index
 */
export function fillShelfLine(line, at, selected, nowMs, index) {
  const { parts } = line;
  const look = `${at.kind === 'project' ? 'project' : 'session'}${at.kind === 'session' && at.inner ? ' inner' : ''}${at.kind === 'session' && at.alone ? ' alone' : ''}${selected ? ' selected' : ''}`;
  setClass(line, `line ${look}`);
  line.setAttribute('aria-rowindex', String(index + 2));
  line.setAttribute('aria-level', at.kind === 'project' || at.alone ? '1' : at.inner ? '3' : '2');
  line.setAttribute('aria-selected', String(selected));
  if (at.kind === 'project') {
    setText(parts.twist, at.open ? '\u25be' : '\u25b8');
    line.setAttribute('aria-expanded', String(at.open));
    setText(parts.title, at.project === null ? '(project unknown)' : oneLine(at.project, 300));
    setText(parts.note, count(at.count));
    for (const part of [parts.chain, parts.when, parts.prompts, parts.calls, parts.errors, parts.agents, parts.size])
      setText(part, '');
    setClass(parts.dot, 'dot none');
    return;
  }
  const { session } = at;
  setText(parts.twist, '');
  if (at.chain > 1) line.setAttribute('aria-expanded', String(at.open));
  else line.removeAttribute('aria-expanded');
  setText(parts.title, oneLine(session.title ?? '', 300) || `Untitled ${oneLine(String(session.id).slice(0, 8))}`);
  setText(parts.chain, at.chain > 1 ? `${at.open ? '\u25be' : '\u25b8'} ${at.chain - 1} before` : '');
  setText(parts.note, noteOf(session, at.alone ?? false));
  setClass(parts.dot, `dot s-${session.state}`);
  parts.dot.title = session.state ?? '';
  setText(parts.when, moment(session.lastActivityMs, nowMs));
  const counted = session.counted !== false;
  setText(parts.prompts, counted ? count(session.prompts) : '');
  setText(parts.calls, counted ? count(session.toolCalls) : 'reading\u2026');
  setText(parts.errors, counted ? count(session.errors) : '');
  parts.errors.classList.toggle('some', counted && session.errors > 0);
  setText(parts.agents, counted ? count(session.agents) : '');
  setText(parts.size, bytes(session.bytes));
}
