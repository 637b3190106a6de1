/** The statistics page: all sessions added up, as charts over days and as tables. */
import { Columns } from '#columns';
import { button, el, refill, setText } from '#el';
import { failureOf } from '#failure';
import { count, counted, day, duration, percent, tokens } from '#format';
import { indexBanner, isSettled } from '#indexstate';
import { isMuted } from '#letters';
import { unreadableNote } from '#notes';
import { oneLine } from '#plain';
import { siteBar, siteKey } from '#sitenav';
import { failureState } from '#states';
import { chartsFor, costOf, fresh, outputWords, VERDICTS } from '#statscharts';
import { daysOf, dayNumber, MOST_DAYS } from '#statsdays';
import { NO_PROJECT, StatsForm } from '#statsform';
import { GROUPS, StatsTable } from '#statstable';

// While sessions are still being counted or judged, the figures are asked for again; afterwards now and then.
const SOON_MS = 1500;
const LATER_MS = 30000;

export class StatsPage {
  /**
   * @param {HTMLElement} root @param {import('#source').Source} source @param {import('#location').Place} place
   * @param {import('#app').Go} go
   */
  constructor(root, source, place, go) {
    this.root = root;
    this.source = source;
    this.place = place;
    this.go = go;
    this.shown = '';
    this.today = '';
    /** @type {string[]} the days that are drawn */
    this.days = [];
    this.left = 0;
    /** @type {AbortController|null} */
    this.asking = null;
    this.timer = 0;
    /** @type {Map<string, Columns>} */
    this.charts = new Map();
    this.build();
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    document.addEventListener('keydown', this.onKey);
    this.ask();
  }

  get by() {
    const by = this.place.now.by ?? 'day';
    return Object.hasOwn(GROUPS, by) ? by : 'day';
  }

  build() {
    document.title = 'Statistics \u2013 Waterglass';
    this.form = new StatsForm(this.place, () => this.ask());
    this.count = el('span', { class: 'count', role: 'status' }, 'reading\u2026');
    this.form.element.append(this.count);
    this.notes = el('div', { class: 'notes' });
    this.totals = el('dl', { class: 'totals' });
    this.plots = el('div', { class: 'daycharts' });
    const patches = VERDICTS.map(([, look, words, sign]) => el('span', null, el('i', { class: `patch ${look}` }), `${sign} ${words}`));
    this.legend = el('p', { class: 'legend' }, ...patches);
    this.table = new StatsTable((line, by) => this.choose(line, by));
    this.tabs = Object.entries(GROUPS).map(([by, words]) =>
      button(words, () => this.group(by), { class: 'toggle', 'data-by': by }),
    );
    this.foot = el('div', { class: 'none' });
    this.sheet = el(
      'div',
      { class: 'sheet', tabindex: '0', role: 'region', 'aria-label': 'Statistics' },
      this.totals,
      el('h2', { class: 'unseen' }, 'Charts'),
      this.plots,
      el(
        'div',
        { class: 'tablehead' },
        el('h2', null, 'Figures'),
        el('span', { class: 'group', role: 'group', 'aria-label': 'A line for each of the' }, ...this.tabs),
      ),
      this.table.element,
      this.foot,
    );
    refill(
      this.root,
      siteBar('stats', 'Statistics', this.place, this.go),
      this.form.element,
      this.notes,
      this.sheet,
    );
    this.mark();
  }

  mark() {
    for (const tab of this.tabs) tab.setAttribute('aria-pressed', String(tab.dataset.by === this.by));
  }

  /** @param {string} by */
  group(by) {
    this.place.update({ by: by === 'day' ? null : by });
    this.mark();
    this.ask();
  }

  /** @param {any} line a day or project of the table @param {string} by */
  choose(line, by) {
    this.form.set(by === 'day' ? { days: `${line.key}..${line.key}` } : { project: line.key ?? NO_PROJECT });
    this.sheet.scrollTop = 0;
  }

  async ask() {
    clearTimeout(this.timer);
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    const { days, project } = this.place.now;
    try {
      const asked = { by: this.by, days, project: project === NO_PROJECT ? '' : project };
      const answer = await /** @type {any} */ (this.source).stats(asked, asking.signal);
      if (this.asking !== asking) return;
      this.show(answer);
      this.timer = window.setTimeout(() => this.ask(), answer.index.complete ? LATER_MS : SOON_MS);
    } catch (error) {
      if (this.asking === asking) this.failed(failureOf(error));
    }
    document.documentElement.dataset.ready = '1';
  }

  /** @param {import('#failure').Failure} failure */
  failed(failure) {
    if (failure.status === 401) return void refill(this.root, failureState(failure, () => window.location.reload(), null));
    setText(this.count, '');
    refill(
      this.notes,
      el(
        'div',
        { class: 'banner problem', role: 'alert' },
        `${oneLine(failure.what)}. ${oneLine(failure.hint)} `,
        button('Try again', () => this.ask()),
        this.form.narrowed ? button('All days and projects', () => this.form.widen()) : null,
      ),
    );
  }

  /** @param {any} answer */
  show(answer) {
    const waiting = Object.values(answer.total.metrics)[0]?.waiting ?? 0;
    const words = [counted(answer.total.sessions, 'session')];
    if (answer.uncounted) words.push(`${count(answer.uncounted)} not counted${isSettled(answer.index) ? '' : ' yet'}`);
    if (waiting) words.push(`${count(waiting)} not judged yet`);
    setText(this.count, words.join(', '));
    refill(this.notes, indexBanner(answer.index, 'Figures are of what is counted so far.'));
    const { index, ...figures } = answer;
    const state = JSON.stringify(figures);
    if (state === this.shown) return;
    this.shown = state;
    this.today = answer.today;
    this.form.update(answer);
    this.showTotals(answer.total, answer.prices.asOf !== null);
    this.showCharts(answer);
    this.table.update(answer);
    this.showFoot(answer);
  }

  /** @param {any} total @param {boolean} priced */
  showTotals(total, priced) {
    const pair = (/** @type {string} */ name, /** @type {string} */ words, /** @type {string} */ more = '') =>
      el('div', null, el('dt', null, name), el('dd', null, words, more ? el('small', null, more) : null));
    const median = total.medianPeakTokens === null ? '' : `median ${tokens(total.medianPeakTokens)}`;
    refill(
      this.totals,
      pair('Sessions', count(total.sessions)),
      pair('Prompts', count(total.prompts)),
      pair('Calls', count(total.toolCalls)),
      pair('Errors', count(total.errors), total.toolCalls ? percent((100 * total.errors) / total.toolCalls) : ''),
      pair('Durations', duration(total.p50Ms), `p95 ${duration(total.p95Ms)}`),
      pair('Input', tokens(fresh(total)), `${tokens(total.usage.cacheRead)} cached`),
      pair('Output', outputWords(total)),
      priced ? pair('Cost', costOf(total)) : null,
      pair('Context peak', tokens(total.peakTokens), median),
      pair('Compactions', count(total.compactions)),
    );
  }

  /** @param {any} answer */
  showCharts(answer) {
    const { days, lines, left } = daysOf(answer.days, answer.range, answer.today);
    const wanted = chartsFor(answer);
    if (wanted.map((chart) => chart.id).join() !== [...this.charts.keys()].join()) {
      const calls = {
        move: (/** @type {number} */ to) => this.charts.forEach((chart) => chart.point(to)),
        choose: (/** @type {number} */ at) => this.choose({ key: this.days[at] }, 'day'),
        dayWords: (/** @type {string} */ name) => this.dayWords(name),
      };
      this.charts = new Map(wanted.map((chart) => [chart.id, new Columns(chart, calls)]));
      const plots = [...this.charts.values()].map((chart) => chart.element);
      const judged = wanted.findIndex((chart) => chart.series.length === VERDICTS.length);
      if (judged >= 0) plots.splice(judged, 0, this.judgedHead());
      refill(this.plots, ...plots);
    }
    this.days = days;
    this.left = left;
    for (const chart of this.charts.values()) chart.update(days, lines, answer.total);
  }

  judgedHead() {
    const about = el('span', { class: 'about' }, 'sessions by verdict, on the day of their newest record');
    return el('div', { class: 'judgedhead' }, el('h2', null, 'Scorecard'), about, this.legend);
  }

  /** `3 Mar`, with the year where it is another than today's. @param {string} name */
  dayWords(name) {
    const words = day(dayNumber(name) * 86400000, 0);
    return name.slice(0, 4) === this.today.slice(0, 4) ? words : `${words} ${name.slice(0, 4)}`;
  }

  /** @param {any} answer */
  showFoot(answer) {
    const { deleted, prices, zone } = answer;
    const said = [
      `Days are those of ${oneLine(zone ?? 'this machine', 60)}. A session is judged as a whole and counts on the day of its ` +
        'newest record. What a session copied from another counts once.',
    ];
    if (this.left)
      said.push(`${counted(this.left, 'day')} without a time or outside of the ${count(MOST_DAYS)} drawn: in the table alone.`);
    if (deleted.sessions) said.push(`${counted(deleted.sessions, 'session')} deleted meanwhile: only the figures are left.`);
    if (prices.asOf && prices.unpriced.length)
      said.push(`Without a known price, and in no cost: ${prices.unpriced.map((/** @type {string} */ m) => oneLine(m, 80)).join(', ')}.`);
    refill(this.foot, ...said.map((words) => el('p', null, words)), unreadableNote(answer.unreadable));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') {
      if (this.form.narrowed) this.form.widen();
      else this.go.page({});
    } else if (target.closest('input, select') || isMuted(event)) return;
    else if (!siteKey(event.key, this.place, this.go, 'stats')) return;
    event.preventDefault();
  }

  close() {
    clearTimeout(this.timer);
    const { asking } = this;
    this.asking = null;
    asking?.abort();
    document.removeEventListener('keydown', this.onKey);
  }
}
