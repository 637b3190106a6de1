/** A chart of days: columns in a picture, a cursor that keys and the pointer move, the same as a table. */
import { el, refill, setText } from '#el';
import { onLog, roundUp, stacked } from '#statsdays';

const SVG = 'http://www.w3.org/2000/svg';
const HIGH = 100;
const WEEK = 7;
// Wide columns stand apart; thin ones would lose half of their width to the gaps.
const APART_BELOW = 150;

/** @param {string} d @param {string} look */
function path(d, look) {
  const drawn = document.createElementNS(SVG, 'path');
  drawn.setAttribute('d', d);
  drawn.setAttribute('class', look);
  return drawn;
}

const fixed = (/** @type {number} */ n) => Number(n.toFixed(3));

/** A rectangle of a column. @param {number} i @param {number} gap @param {number} from 0 to 1 @param {number} to */
function box(i, gap, from, to) {
  return `M${fixed(i + gap)} ${fixed(HIGH * (1 - from))}V${fixed(HIGH * (1 - to))}H${fixed(i + 1 - gap)}V${fixed(HIGH * (1 - from))}Z`;
}

/** The least height at which something is still seen. */
const SEEN = 0.015;

/**
 * What is drawn: paths by look, and what the edges stand for.
 * @param {import('#statscharts').Chart} chart @param {(any|null)[]} lines
 */
function drawing(chart, lines) {
  const gap = lines.length < APART_BELOW ? 0.12 : 0;
  const values = chart.series.map((series) => lines.map((line) => (line ? series.of(line) : null)));
  if (chart.form === 'span') {
    const all = values.flat().filter((value) => value !== null && value > 0);
    const least = all.reduce((/** @type {number} */ found, value) => Math.min(found, value ?? found), Infinity);
    const longest = all.reduce((/** @type {number} */ found, value) => Math.max(found, value ?? found), 1);
    const low = 10 ** Math.floor(Math.log10(Math.max(1, Math.min(least, longest))));
    const high = Math.max(low * 10, 10 ** Math.ceil(Math.log10(longest)));
    const at = (/** @type {number|null} */ value) => onLog(value ?? low, low, high);
    const spans = lines.map((_, i) => {
      if (values[0][i] === null) return '';
      const from = at(values[0][i]);
      return box(i, gap, from, Math.max(at(values[1][i]), from + SEEN));
    });
    const feet = lines.map((_, i) => (values[0][i] === null ? '' : box(i, gap, at(values[0][i]) - SEEN, at(values[0][i]) + SEEN)));
    const none = all.length === 0;
    const edges = { top: none ? '' : chart.print(high), foot: none ? '' : chart.print(low) };
    return { paths: [[spans.join(''), 'c-light'], [feet.join(''), 'c-strong']], ...edges };
  }
  const standing = chart.form === 'over' ? values.slice(0, 1) : values;
  const sums = lines.map((_, i) => standing.reduce((sum, one) => sum + Math.max(one[i] ?? 0, 0), 0));
  const most = roundUp(sums.reduce((high, sum) => Math.max(high, sum), 0));
  const told = { top: sums.some((sum) => sum > 0) ? chart.print(most) : '', foot: '' };
  if (chart.form === 'over') {
    const marks = values[1].map((value, i) => (value === null ? '' : box(i, gap, Math.max(value / most - SEEN, 0), value / most + SEEN)));
    const columns = values[0].map((value, i) => (value === null ? '' : box(i, gap, 0, value / most)));
    return { paths: [[columns.join(''), chart.series[0].look], [marks.join(''), chart.series[1].look]], ...told };
  }
  const heights = stacked(values, most);
  const paths = chart.series.map((series, s) => [
    heights[s].map(({ from, to }, i) => (to > from ? box(i, gap, from, Math.max(to, from + SEEN)) : '')).join(''),
    series.look,
  ]);
  return { paths, ...told };
}

/** Up to four days, evenly apart, as marks under the picture. @param {number} n @returns {number[]} */
function markedDays(n) {
  const step = Math.max(1, Math.ceil(n / 4));
  return Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
}

export class Columns {
  /**
   * @param {import('#statscharts').Chart} chart
   * @param {{move: (to: number) => void, choose: (day: number) => void, dayWords: (day: string) => string}} calls
   */
  constructor(chart, calls) {
    this.chart = chart;
    this.calls = calls;
    /** @type {string[]} */
    this.days = [];
    this.at = -1;
    /** @type {(any|null)[]} */
    this.lines = [];
    this.head = el('span', { class: 'figure' });
    this.top = el('span', { class: 'plotlevel', 'aria-hidden': 'true' });
    this.foot = el('span', { class: 'plotlevel foot', 'aria-hidden': 'true' });
    this.cursor = el('span', { class: 'cursor', 'aria-hidden': 'true' });
    this.svg = document.createElementNS(SVG, 'svg');
    this.svg.setAttribute('preserveAspectRatio', 'none');
    this.svg.setAttribute('aria-hidden', 'true');
    this.plot = el(
      'div',
      {
        class: 'plot days',
        role: 'slider',
        tabindex: '0',
        'aria-label': chart.title,
        'aria-roledescription': 'chart',
        'aria-valuemin': '0',
      },
      this.svg,
      this.top,
      this.foot,
      this.cursor,
    );
    this.ends = el('p', { class: 'plotends', 'aria-hidden': 'true' });
    this.table = el('details', null, el('summary', null, 'Table'));
    this.element = el(
      'figure',
      { class: chart.series.length > 2 ? 'daychart judged' : 'daychart', id: `chart-${chart.id}` },
      el('figcaption', null, el('h3', null, chart.title), chart.about ? el('span', { class: 'about' }, chart.about) : null, this.head),
      this.plot,
      this.ends,
      this.table,
    );
    this.listen();
  }

  listen() {
    const dayAt = (/** @type {MouseEvent} */ event) => {
      const box = this.plot.getBoundingClientRect();
      return Math.max(0, Math.min(Math.floor(((event.clientX - box.left) / box.width) * this.days.length), this.days.length - 1));
    };
    this.plot.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => this.calls.move(dayAt(event)));
    this.plot.addEventListener('pointerleave', () => document.activeElement !== this.plot && this.calls.move(-1));
    this.plot.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => this.calls.choose(dayAt(event)));
    this.plot.addEventListener('blur', () => this.calls.move(-1));
    this.plot.addEventListener('focus', () => this.calls.move(this.at < 0 ? this.days.length - 1 : this.at));
    this.plot.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const last = this.days.length - 1;
      const at = this.at < 0 ? last : this.at;
      const to = new Map([
        ['ArrowLeft', at - 1],
        ['ArrowDown', at - 1],
        ['ArrowRight', at + 1],
        ['ArrowUp', at + 1],
        ['PageUp', at - WEEK],
        ['PageDown', at + WEEK],
        ['Home', 0],
        ['End', last],
      ]).get(event.key);
      if (to !== undefined) this.calls.move(Math.max(0, Math.min(to, last)));
      else if (event.key === 'Enter') this.calls.choose(at);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.table.addEventListener('toggle', () => this.fillTable());
  }

  /** @param {string[]} days @param {(any|null)[]} lines by day @param {any} total */
  update(days, lines, total) {
    const pointed = this.days[this.at];
    this.days = days;
    this.lines = lines;
    this.total = total;
    const { paths, top, foot } = drawing(this.chart, lines);
    this.svg.setAttribute('class', days.length < APART_BELOW ? 'apart' : 'thin');
    this.svg.setAttribute('viewBox', `0 0 ${Math.max(days.length, 1)} ${HIGH}`);
    this.svg.replaceChildren(...paths.map(([d, look]) => path(d, look)));
    setText(this.top, top);
    setText(this.foot, foot);
    this.plot.setAttribute('aria-valuemax', String(Math.max(days.length - 1, 0)));
    refill(
      this.ends,
      ...markedDays(days.length).map((i) => {
        const mark = el('span', null, this.calls.dayWords(days[i]));
        mark.style.left = `${(100 * i) / days.length}%`;
        return mark;
      }),
    );
    this.point(pointed ? days.indexOf(pointed) : -1);
    this.fillTable();
  }

  /** Puts the cursor on a day; -1: on none, and the whole is told. @param {number} at */
  point(at) {
    this.at = at < this.days.length ? at : -1;
    this.cursor.hidden = this.at < 0;
    const line = this.at < 0 ? this.total : this.lines[this.at];
    const words = line ? this.chart.words(line) : 'nothing';
    const day = this.at < 0 ? '' : this.calls.dayWords(this.days[this.at]);
    if (this.at >= 0) this.cursor.style.left = `${(100 * (this.at + 0.5)) / this.days.length}%`;
    setText(this.head, day ? `${day}: ${words}` : words);
    this.plot.setAttribute('aria-valuenow', String(Math.max(this.at, 0)));
    this.plot.setAttribute('aria-valuetext', day ? `${day}: ${words}` : `All days: ${words}`);
  }

  /** The table is made while it is open: a year of it in thirteen charts would be many elements. */
  fillTable() {
    this.table.querySelector('div')?.remove();
    if (!this.table.open) return;
    const rows = this.days.map((day, i) => [day, this.lines[i]]).filter(([, line]) => line).reverse();
    this.table.append(
      el(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${this.chart.title} by day` },
        el(
          'table',
          { class: 'figures' },
          el('thead', null, el('tr', null, th('Day'), ...this.chart.series.map((series) => th(series.name)))),
          el(
            'tbody',
            null,
            ...rows.map(([day, line]) =>
              el('tr', null, th(day, 'row'), ...this.chart.series.map((series) => el('td', null, cellOf(this.chart, series.of(line))))),
            ),
          ),
        ),
      ),
    );
  }
}

/** @param {import('#statscharts').Chart} chart @param {number|null} value */
const cellOf = (chart, value) => (value === null ? '\u2013' : chart.print(value));

/** The head of a column or a row. @param {string} words @param {'col'|'row'} [scope] */
export function th(words, scope = 'col') {
  const head = el('th', null, words);
  head.scope = scope;
  return head;
}
