/** The page of a comparison, put together: sessions, figures, steps, and the waterfalls under each other. */
import { CompareFall } from '#comparefall';
import { figuresTable } from '#comparefigures';
import { letterOf } from '#compareruns';
import { SharedScale } from '#compareshared';
import { RunStrip, shownWords, stepsView } from '#comparesteps';
import { button, el, refill, setText } from '#el';
import { count, counted, duration, known, moment } from '#format';
import { oneLine } from '#plain';
import { toggleTheme } from '#theme';

export class ComparePage {
  /**
   * @param {HTMLElement} root
   * @param {{comparison: any, payloads: any[], shown: number[], report: any}} packed `shown`: for each session the index of its payload
   */
  constructor(root, { comparison, payloads, shown, report }) {
    this.root = root;
    this.comparison = comparison;
    this.report = report;
    this.letters = comparison.sessions.map((/** @type {any} */ _, /** @type {number} */ n) => letterOf(n));
    this.falls = shown.map((at, n) => new CompareFall(payloads[at], this.letters[n], report.createdMs));
    this.shared = new SharedScale(this.falls.map((fall) => fall.view));
    /** @type {Map<string, any>} */
    this.headings = new Map();
    this.said = el('p', { class: 'runsaid', role: 'status' });
  }

  /** Puts it into the document. */
  start() {
    const { comparison, letters } = this;
    document.title = `Comparison of ${counted(comparison.sessions.length, 'session')} \u2013 Waterglass`;
    const pairs = comparison.steps.map((/** @type {any} */ steps, /** @type {number} */ n) =>
      stepsView(steps, letters[0], letters[n + 1], (run) => this.jump(run, n + 1)),
    );
    this.strips = comparison.steps.map(
      (/** @type {any} */ steps, /** @type {number} */ n) =>
        new RunStrip(steps, letters[0], letters[n + 1], (run) => this.jump(run, n + 1)),
    );
    this.lower = el(
      'section',
      { class: 'lower', 'aria-label': 'Waterfalls' },
      el('div', { class: 'strips' }, ...this.strips.map((/** @type {any} */ strip) => strip.element), this.said),
      el('div', { class: 'falltools' }, this.sharedSwitch()),
      ...this.falls.map((fall) => fall.element),
    );
    this.root.classList.add('compare');
    refill(
      this.root,
      this.bar(),
      this.banner(),
      el('ol', { class: 'compared' }, ...comparison.sessions.map((/** @type {any} */ one, /** @type {number} */ n) => this.session(one, n))),
      this.heading('Figures'),
      figuresTable(comparison, letters),
      this.heading('Steps'),
      el('div', { class: 'pairs-of-steps' }, ...pairs),
      this.heading('Waterfalls'),
      this.lower,
    );
    for (const fall of this.falls) fall.start();
  }

  bar() {
    const goTo = (/** @type {string} */ name) => button(name, () => this.headings.get(name).scrollIntoView(), { class: 'quiet' });
    return el(
      'div',
      { class: 'top' },
      el('h1', null, `Comparison of ${counted(this.comparison.sessions.length, 'session')}`),
      el('span', { class: 'gap' }),
      ...['Figures', 'Steps', 'Waterfalls'].map(goTo),
      button('\u25d0', () => this.theme(), { class: 'quiet', 'aria-label': 'Light or dark', title: 'Light or dark' }),
    );
  }

  /** @param {string} name */
  heading(name) {
    const heading = el('h2', null, name);
    this.headings.set(name, heading);
    return heading;
  }

  theme() {
    toggleTheme();
    for (const fall of this.falls) fall.minimap.draw();
  }

  banner() {
    const { level, counts } = this.report.redaction;
    const hidden = Object.values(counts ?? {}).reduce((/** @type {number} */ sum, n) => sum + Number(n), 0);
    const kinds = Object.entries(counts ?? {}).map(([kind, n]) => `${kind} ${count(Number(n))}`);
    const words =
      level === 'off'
        ? 'nothing was redacted'
        : `${level === 'structure' ? 'free texts are left out, ' : ''}${counted(hidden, 'secret')} hidden, best effort`;
    const made = new Date(this.report.createdMs).toISOString().slice(0, 10);
    return el(
      'div',
      { class: 'banner report', role: 'note', title: kinds.join(', ') },
      `Comparison of ${made}, static; ${words}. Inputs and outputs of calls are not in this file.`,
    );
  }

  /** @param {any} session @param {number} n */
  session(session, n) {
    const { startMs, endMs } = session;
    const took = known(startMs) && known(endMs) ? `, ${duration(endMs - startMs)}` : '';
    const models = session.models.map((/** @type {string} */ model) => oneLine(model, 60)).join(', ');
    const facts = [
      session.project ? oneLine(session.project, 200) : null,
      `${moment(startMs, this.report.createdMs)}${took}`,
      counted(session.calls, 'call'),
      models,
      oneLine(session.id, 80),
    ];
    return el(
      'li',
      null,
      el('span', { class: 'letter' }, this.letters[n]),
      el(
        'div',
        null,
        el('bdi', { class: 'comparedtitle' }, oneLine(session.title ?? '', 160) || 'Session without a title'),
        el('div', { class: 'comparedfacts' }, facts.filter(Boolean).join(' \u00b7 ')),
      ),
    );
  }

  sharedSwitch() {
    const press = button(
      'Same time scale from the start of each session',
      () => {
        this.shared.set(!this.shared.on);
        press.setAttribute('aria-pressed', String(this.shared.on));
      },
      { class: 'toggle', 'aria-pressed': 'false' },
    );
    return press;
  }

  /** Scrolls the waterfalls of the first session and of another one to a run. @param {import('#compareruns').Run} run @param {number} other */
  jump(run, other) {
    this.falls[0].jump(run.a);
    this.falls[other].jump(run.b);
    this.shared.show([this.falls[0].span(run.a), this.falls[other].span(run.b)]);
    setText(this.said, shownWords(run, this.letters[0], this.letters[other]));
    this.lower.scrollIntoView({ block: 'start' });
  }
}
