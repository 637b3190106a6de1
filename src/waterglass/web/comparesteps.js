/** Where the steps of two sessions are the same and where they part: words, and a strip to press. */
import { countsOf, lengthOf, opOf, runWords, segmentsOf, stepsWords } from '#compareruns';
import { button, el } from '#el';
import { count, counted, percent } from '#format';
import { oneLine } from '#plain';

const LISTED = 40;

/**
 * What is told of two sessions: counts, the place where they part, a list of what differs.
 * @param {any} steps one of the document's `steps` @param {string} a @param {string} b their letters
 * @param {(run: import('#compareruns').Run) => void} jump
 */
export function stepsView(steps, a, b, jump) {
  const differing = steps.runs.filter((/** @type {any} */ run) => run.op !== 'equal');
  return el(
    'section',
    { class: 'pair', 'aria-label': `Steps of ${a} and ${b}` },
    el('h3', null, `${a} and ${b}`),
    el('p', { class: 'pairwords' }, sumWords(steps)),
    steps.partAt ? partView(steps, differing[0], a, b, jump) : null,
    differing.length ? differenceList(differing, a, b, jump) : null,
  );
}

/** @param {any} steps */
function sumWords(steps) {
  const [ofA, ofB] = steps.notAligned;
  const more = ofA || ofB ? ` The last ${count(ofA)} and ${count(ofB)} steps are not compared.` : '';
  if (!steps.equal && !steps.edits) return 'Neither has a step.';
  if (!steps.partAt) return `${steps.equal === 1 ? 'The one step is' : `All ${counted(steps.equal, 'step')} are`} the same.${more}`;
  const differ = `${count(steps.edits)} ${steps.edits === 1 ? 'differs' : 'differ'}`;
  return `${counted(steps.equal, 'step')} in common, ${differ}.${more}`;
}

/** @param {any} steps @param {any} first the first run that differs @param {string} a @param {string} b @param {Function} jump */
function partView(steps, first, a, b, jump) {
  const { partAt } = steps;
  const side = (/** @type {string} */ name, /** @type {any} */ at) => [
    el('dt', null, `${name}, step ${count(at.index + 1)}`),
    el('dd', null, el('bdi', null, at.label === null ? '(no step here)' : oneLine(at.label, 300) || '(no label)')),
  ];
  return el(
    'div',
    { class: 'parting' },
    el('p', null, 'They part here: ', button('show in the waterfalls', () => jump(first), { class: 'link' })),
    el('dl', { class: 'pairs' }, ...side(a, partAt.a), ...side(b, partAt.b)),
  );
}

/** @param {any[]} runs @param {string} a @param {string} b @param {Function} jump */
function differenceList(runs, a, b, jump) {
  const items = runs.slice(0, LISTED).map((run) => {
    const { glyph, words } = opOf(run.op);
    return el(
      'li',
      null,
      el('span', { class: 'opglyph', 'aria-hidden': 'true' }, glyph),
      button(`${run.op}: ${runWords(run, a, b)}`, () => jump(run), { class: 'link', title: words }),
    );
  });
  if (runs.length > LISTED) items.push(el('li', { class: 'none' }, `and ${count(runs.length - LISTED)} more in the strip`));
  return el(
    'details',
    { class: 'differences' },
    el('summary', null, `${counted(runs.length, 'run')} of steps ${runs.length === 1 ? 'differs' : 'differ'}`),
    el('ul', null, ...items),
  );
}

/** @param {string} op @param {string} words */
const legendOf = (op, words) =>
  el(
    'span',
    { class: 'oplegend', title: opOf(op).words },
    el('i', { class: `opsign op-${op}`, 'aria-hidden': 'true' }, opOf(op).glyph),
    words,
  );

export class RunStrip {
  /**
   * A strip of the runs in order, each as long as it has steps. Tab reaches it, arrows go from run to run.
   * @param {any} steps @param {string} a @param {string} b @param {(run: import('#compareruns').Run) => void} jump
   */
  constructor(steps, a, b, jump) {
    this.jump = jump;
    this.buttons = segmentsOf(steps.runs).map((segment) => this.segment(segment, a, b));
    this.bar = el(
      'div',
      { class: 'runs', role: 'toolbar', 'aria-label': `Runs of steps, ${a} and ${b}`, on: { keydown: (/** @type {any} */ e) => this.key(e) } },
      ...this.buttons,
    );
    const legend = countsOf(steps.runs).map(({ op, runs, steps: n }) =>
      legendOf(op, `${op} ${count(n)}${runs > 1 ? ` in ${counted(runs, 'run')}` : ''}`),
    );
    if (this.buttons.some((press) => press.dataset.op === 'mixed')) legend.push(legendOf('mixed', opOf('mixed').words));
    this.element = el(
      'div',
      { class: 'striprow' },
      el('span', { class: 'stripname' }, `${a} \u2194 ${b}`),
      this.bar,
      el('span', { class: 'oplegends' }, ...legend),
    );
    this.stop(0);
  }

  /** @param {import('#compareruns').Segment} segment @param {string} a @param {string} b */
  segment(segment, a, b) {
    const { glyph } = opOf(segment.op);
    const several = segment.runs > 1 ? `${counted(segment.runs, 'run')}, ${percent(segment.differ * 100)} of the steps differ, ` : '';
    const text = `${segment.op}: ${several}${runWords(segment, a, b)}`;
    const press = el(
      'button',
      {
        type: 'button',
        class: `run op-${segment.op}`,
        tabindex: '-1',
        'aria-label': text,
        title: text,
        'data-op': segment.op,
        on: { click: () => this.press(press, segment), focus: () => this.stop(this.buttons.indexOf(press)) },
      },
      glyph,
    );
    press.style.setProperty('--differ', percent(segment.differ * 100).replace(/[ <]/g, ''));
    press.style.flexGrow = String(lengthOf(segment));
    return press;
  }

  /** @param {any} press @param {import('#compareruns').Segment} segment */
  press(press, segment) {
    for (const other of this.buttons) other.setAttribute('aria-pressed', String(other === press));
    this.jump(segment);
  }

  /** One stop for the Tab key. @param {number} at */
  stop(at) {
    this.buttons.forEach((press, n) => {
      press.tabIndex = n === at ? 0 : -1;
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.buttons.indexOf(/** @type {any} */ (document.activeElement));
    const to = new Map([
      ['ArrowRight', Math.min(at + 1, this.buttons.length - 1)],
      ['ArrowLeft', Math.max(at - 1, 0)],
      ['Home', 0],
      ['End', this.buttons.length - 1],
    ]).get(event.key);
    if (to === undefined || at < 0) return;
    event.preventDefault();
    this.buttons[to].focus();
  }
}

/** What a press on a run says. @param {import('#compareruns').Run} run @param {string} a @param {string} b */
export const shownWords = (run, a, b) => `${a}: ${stepsWords(run.a)}. ${b}: ${stepsWords(run.b)}.`;
