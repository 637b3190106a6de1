/** The figures as a table, by day, project, tool or model; a head sorts. */
import { th } from '#columns';
import { button, el, refill } from '#el';
import { count, duration, tokens, UNKNOWN } from '#format';
import { fillSome } from '#more';
import { oneLine, pathEnd } from '#plain';
import { dollars, fresh, outputWords, VERDICTS, verdictWords } from '#statscharts';

/**
 * @typedef {{name: string, words: string, title?: string, value: (line: any) => any, text: (line: any) => string,
 *   number: boolean}} Column
 */

/** @type {Record<string, string>} */
export const GROUPS = { day: 'Days', project: 'Projects', tool: 'Tools', model: 'Models' };
/** @type {Record<string, string>} */
const NO_NAME = { day: '(no time)', project: '(project unknown)' };

/**
 * @param {string} name @param {string} words @param {(line: any) => any} value @param {(line: any) => string} text
 * @param {string} [title]
 */
const column = (name, words, value, text, title) => ({ name, words, value, text, title, number: true });
const number = (/** @type {string} */ name, /** @type {string} */ words) =>
  column(name, words, (line) => line[name], (line) => count(line[name]));
const known = (/** @type {any} */ value) => value !== null && value !== undefined;

/** @param {any} counts */
function signs(counts) {
  if (!counts) return '';
  const some = VERDICTS.filter(([status]) => counts[status]);
  return some.map(([status, , , sign]) => `${sign}${count(counts[status])}`).join(' ');
}

/** @param {any} answer @param {string} by @returns {Column[]} those that some line can tell */
function columnsFor(answer, by) {
  /** @type {Column[]} */
  const all = [
    {
      name: 'key',
      words: GROUPS[by].slice(0, -1),
      value: (line) => line.key ?? '',
      text: (line) => nameOf(line.key, by),
      number: false,
    },
    number('sessions', 'Sessions'),
    number('prompts', 'Prompts'),
    number('toolCalls', 'Calls'),
    number('errors', 'Errors'),
    column('p50', 'p50', (line) => line.p50Ms, (line) => duration(line.p50Ms), 'Half of the calls took no longer'),
    column('p95', 'p95', (line) => line.p95Ms, (line) => duration(line.p95Ms), '95 of 100 calls took no longer'),
    column('input', 'Input', fresh, (line) => tokens(fresh(line)), 'Tokens that were not read from the cache'),
    column('cache', 'Cache read', (line) => line.usage?.cacheRead ?? null, (line) => tokens(line.usage?.cacheRead)),
    column('output', 'Output', (line) => line.usage?.output ?? null, outputWords),
    column('usd', 'Cost', (line) => line.usd, (line) => dollars(line.usd), 'At API list prices'),
    column('peak', 'Peak', (line) => line.peakTokens, (line) => tokens(line.peakTokens), 'The fullest context of a main thread'),
    number('compactions', 'Compactions'),
    ...(answer.scorecard ?? []).map((/** @type {any} */ metric) => {
      const counts = (/** @type {any} */ line) => line.metrics?.[metric.id];
      return column(metric.id, metric.label, (line) => counts(line)?.alert, (line) => signs(counts(line)), 'Sessions by verdict');
    }),
  ];
  return all.filter((one) => !one.number || answer.groups.some((/** @type {any} */ line) => known(one.value(line))));
}

/** @param {string|null} key @param {string} by */
export function nameOf(key, by) {
  if (key === null) return NO_NAME[by] ?? '(no name)';
  return by === 'project' ? pathEnd(oneLine(key, 300), 60) : oneLine(key, 120);
}

/** What is not known stands last both ways. @param {Column} column @param {number} way */
const inOrder = (column, way) => (/** @type {any} */ a, /** @type {any} */ b) => {
  const [one, other] = [column.value(a) ?? null, column.value(b) ?? null];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -way : one > other ? way : 0;
};

export class StatsTable {
  /** @param {(line: any, by: string) => void} choose a project or day was pressed */
  constructor(choose) {
    this.choose = choose;
    /** @type {{name: string, way: number}|null} null: the days from the newest, others as they come */
    this.sorted = null;
    this.element = el('div', { class: 'scroll wide', tabindex: '0', role: 'region', 'aria-label': 'Figures' });
    this.by = '';
  }

  /** @param {any} answer */
  update(answer) {
    if (answer.by !== this.by) this.sorted = null;
    this.by = answer.by;
    this.answer = answer;
    this.columns = columnsFor(answer, answer.by);
    const focused = /** @type {any} */ (document.activeElement)?.dataset?.column;
    const heads = this.columns.map((one) => this.headOf(one));
    const lines = this.lines();
    const wrapped = (/** @type {any} */ more) => el('tr', null, spanning(more, heads.length));
    const body = fillSome(el('tbody'), lines, (line) => this.rowOf(line), 200, wrapped);
    refill(
      this.element,
      el('table', { class: 'figures' }, el('thead', null, el('tr', null, ...heads)), body, el('tfoot', null, this.totalRow(answer.total))),
    );
    if (focused) /** @type {any} */ (this.element.querySelector(`[data-column="${CSS.escape(focused)}"]`))?.focus();
  }

  lines() {
    const { answer, sorted } = this;
    if (!sorted) return this.by === 'day' ? [...answer.groups].reverse() : answer.groups;
    const column = this.columns?.find((one) => one.name === sorted.name);
    return column ? [...answer.groups].sort(inOrder(column, sorted.way)) : answer.groups;
  }

  /** @param {Column} column */
  headOf(column) {
    const sorted = this.sorted?.name === column.name ? this.sorted : null;
    const given = { class: 'link', 'data-column': column.name, title: column.title ?? null };
    const press = button(column.words, () => this.sort(column), given);
    const head = th('');
    head.append(press, sorted ? (sorted.way > 0 ? ' \u25b4' : ' \u25be') : '');
    head.setAttribute('aria-sort', sorted ? (sorted.way > 0 ? 'ascending' : 'descending') : 'none');
    if (column.number) head.className = 'number';
    return head;
  }

  /** The largest first, then the smallest, then as it was. @param {Column} column */
  sort(column) {
    const first = column.number ? -1 : 1;
    if (this.sorted?.name !== column.name) this.sorted = { name: column.name, way: first };
    else this.sorted = this.sorted.way === first ? { name: column.name, way: -first } : null;
    this.update(this.answer);
  }

  /** @param {any} line */
  rowOf(line) {
    const name = th('', 'row');
    const words = nameOf(line.key, this.by);
    const can = (this.by === 'day' && line.key !== null) || this.by === 'project';
    const title = line.key === null ? null : oneLine(line.key);
    name.append(can ? button(words, () => this.choose(line, this.by), { class: 'link', title }) : words);
    return el('tr', null, name, ...(this.columns ?? []).slice(1).map((column) => this.cell(column, line)));
  }

  /** @param {Column} column @param {any} line */
  cell(column, line) {
    const text = column.text(line);
    const some = column.name === 'errors' && line.errors > 0;
    const counts = line.metrics?.[column.name];
    const title = counts && text ? verdictWords(counts) : null;
    return el('td', { class: some ? 'number some' : 'number', title }, text === UNKNOWN ? '' : text);
  }

  /** @param {any} total */
  totalRow(total) {
    return el('tr', null, th('All', 'row'), ...(this.columns ?? []).slice(1).map((column) => this.cell(column, total)));
  }
}

/** @param {any} inner @param {number} columns */
function spanning(inner, columns) {
  const cell = el('td', null, inner);
  cell.colSpan = columns;
  return cell;
}
