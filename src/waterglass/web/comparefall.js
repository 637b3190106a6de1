/** The waterfall of one of the compared sessions: overview, grid, and what is known of the selected line. */
import { xOf } from '#axis';
import { button, el, refill } from '#el';
import { clock, count, duration, known, moment, percent, UNKNOWN } from '#format';
import { listenWheel } from '#gestures';
import { Grid } from '#grid';
import { outcomeWords } from '#kinds';
import { keyName, keyTable } from '#keys';
import { isMuted } from '#letters';
import { lineText } from '#linetext';
import { textOf } from '#match';
import { Minimap } from '#minimap';
import { elapsed, listOf, nameOf, stringOf, tokensOf } from '#model';
import { oneLine, visible } from '#plain';
import { rangeOf } from '#spans';
import { stepOf } from '#ticks';
import { CALL } from '#tree';
import { View } from '#view';

// Keys whose work this page has no place for: filter, facts of the session, help, addresses.
const ABSENT = ['/', 'i', '?', 'y', 'n', '+n', '+0', 't'];
const TEXT_MOST = 2000;
// Room for the label of a tick.
const TICK_PX = 76;

/** A grid whose ruler counts from the first record while the view asks for that. */
class CompareGrid extends Grid {
  drawMarks() {
    super.drawMarks();
    if (!this.view.sinceStart) return;
    for (const clockTick of [...this.ruler.querySelectorAll('.tick'), ...this.overlay.querySelectorAll('.tickline')])
      clockTick.remove();
    const { axis, scale } = this.view;
    const step = stepOf(scale.msPerPx * TICK_PX);
    const first = Math.ceil((scale.t0 - axis.startMs) / step) * step;
    for (let since = first; axis.startMs + since <= scale.t1; since += step) {
      const x = xOf(axis, scale, axis.startMs + since);
      const label = el('span', { class: 'tick' }, since ? `+${duration(since)}` : '0');
      const line = el('i', { class: 'tickline' });
      for (const node of [label, line]) node.style.left = `${x.toFixed(1)}px`;
      if (x + TICK_PX <= scale.width) this.ruler.append(label);
      this.overlay.append(line);
    }
  }
}

export class CompareFall {
  /** @param {any} payload @param {string} letter @param {number} nowMs when the file was made */
  constructor(payload, letter, nowMs) {
    this.letter = letter;
    this.view = new View({ ...payload, report: { createdMs: nowMs } }, nowMs);
    this.grid = new CompareGrid(this.view, {
      open: () => this.showFacts(),
      sort: (sort) => {
        this.view.setSort(sort);
        this.grid.followNow();
      },
    });
    this.minimap = new Minimap(this.view);
    this.minimap.element.setAttribute('aria-label', `Overview of ${letter}: busy time by type, errors, context`);
    // Several grids stand on this page: each owns its own heads.
    const heads = `grid-heads-${letter}`;
    this.grid.heads.element.id = heads;
    this.grid.scroller.setAttribute('aria-owns', heads);
    this.grid.scroller.setAttribute('aria-label', `Calls of ${letter}`);
    this.grid.element.classList.toggle('assumed', payload.context?.windowSource === 'assumed');
    this.facts = el('section', { class: 'fallfacts', 'aria-label': `Selected in ${letter}`, hidden: true });
    const title = oneLine(payload.session.title ?? '', 160) || 'Session without a title';
    this.element = el(
      'section',
      { class: 'fall', 'aria-label': `Waterfall of ${letter}` },
      el('h3', null, el('span', { class: 'letter' }, letter), ' ', el('bdi', null, title)),
      this.minimap.element,
      this.grid.element,
      this.facts,
    );
    this.listen();
  }

  listen() {
    const keys = keyTable(this.view, {
      pageSize: () => this.grid.page,
      firstLine: () => this.grid.list.inView()[0],
      openAll: (/** @type {0|1} */ to) => this.view.openAll(to),
      open: () => this.showFacts(),
      back: () => this.clear(),
      follow: () => this.view.setFollow(!this.view.follow),
    });
    for (const key of ABSENT) keys.delete(key);
    this.grid.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      const name = keyName(event);
      if (name === null || isMuted(event) || (name === 'Enter' && /** @type {Element} */ (event.target).closest('button')))
        return;
      const act = keys.get(name);
      if (!act) return;
      event.preventDefault();
      act();
    });
    this.view.on('selection', () => !this.facts.hidden && this.showFacts());
    listenWheel(this.view, this.grid);
  }

  /** To be called once it is in the document. */
  start() {
    this.grid.start();
    this.minimap.start();
    if (this.view.lines.length && this.view.model.n) return;
    refill(this.grid.empty, 'No tool calls yet');
    this.grid.empty.hidden = false;
    this.grid.empty.classList.toggle('below', this.view.lines.length > 0);
  }

  /** Goes to the first of a range of rows; where it is empty, to the row that it stands before. @param {[number, number]} rows */
  jump([from, to]) {
    const { view } = this;
    const row = Math.min(from, view.model.n - 1);
    if (row < 0) return;
    const node = view.tree.nodeOfRow[row];
    view.select(node);
    this.grid.list.reveal(view.selectedLine, 'middle');
    if (from === to) view.select(-1);
    if (view.follow) this.grid.followNow();
    else if (!view.sinceStart) view.show(node);
  }

  /** The time that a range of rows takes, in milliseconds since the first record. @param {[number, number]} rows @returns {[number, number]|null} */
  span([from, to]) {
    const { view } = this;
    const span = rangeOf(view, view.tree.nodeOfRow.subarray(from, Math.max(to, from + 1)));
    return span && [span[0] - view.timeline.startMs, span[1] - view.timeline.startMs];
  }

  clear() {
    this.facts.hidden = true;
    this.view.select(-1);
  }

  /** What the table knows of the selected line; bodies are not in the file. */
  showFacts() {
    const { view } = this;
    const node = view.selected;
    this.facts.hidden = node < 0;
    if (node < 0) return;
    const close = button('\u2715', () => this.clear(), { class: 'quiet', 'aria-label': `Close the facts of ${this.letter}` });
    const pairs = view.tree.kind[node] === CALL ? this.callFacts(view.tree.ref[node]) : this.textFacts(node);
    refill(
      this.facts,
      close,
      el(
        'dl',
        { class: 'pairs' },
        ...pairs
          .filter(([, value]) => value)
          .flatMap(([name, value]) => [el('dt', null, name), el('dd', null, el('bdi', null, value))]),
      ),
    );
  }

  /** @param {number} row @returns {[string, string|null][]} */
  callFacts(row) {
    const { view } = this;
    const { model } = view;
    const start = model.startMs[row];
    const size = model.inputTokens[row];
    const fill = known(model.ctx[row]) ? ` (${percent(model.ctx[row])})` : '';
    const agent = stringOf(model, 'agentId', row);
    return [
      [oneLine(stringOf(model, 'toolName', row) ?? '') || 'Call', nameOf(model, row)],
      ['Outcome', outcomeWords(stringOf(model, 'outcome', row) ?? '')],
      ['Started', this.moment(start)],
      ['Ended', known(model.endMs[row]) ? clock(model.endMs[row], 'ms') : UNKNOWN],
      ['Duration', duration(elapsed(model, row))],
      ['Context', known(size) ? `${count(size)} tokens${fill}` : UNKNOWN],
      ['Written', known(tokensOf(model, row)) ? `${count(tokensOf(model, row))} tokens by the reply` : UNKNOWN],
      ['Made by', agent === null ? 'main thread' : `agent ${oneLine(agent)}`],
      ['Targets', listOf(model, 'targets', row).map((target) => oneLine(target)).join(', ')],
    ];
  }

  /** @param {number} node @returns {[string, string|null][]} */
  textFacts(node) {
    const text = visible(textOf(this.view.payload, this.view.tree, node)).slice(0, TEXT_MOST);
    return [
      ['Text', text.trim() || lineText(this.view, node).name],
      ['At', this.moment(this.view.span(node)[0])],
    ];
  }

  /** @param {number} ms */
  moment(ms) {
    if (!known(ms)) return UNKNOWN;
    const { view } = this;
    return `${moment(ms, view.nowMs)} (${clock(ms, 'ms')}), ${duration(ms - view.timeline.startMs)} after the first record`;
  }
}
