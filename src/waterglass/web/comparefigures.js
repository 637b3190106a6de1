/** The figures of sessions side by side, each with its difference from the first and whether that is better. */
import { el } from '#el';
import { count, duration, known, tokens, UNKNOWN } from '#format';
import { oneLine } from '#plain';
import { figure as withUnit, statusOf } from '#scorecard';

// Glyph and word say the direction; the colour only repeats it.
const DIRECTIONS = new Map(
  Object.entries({ better: ['\u25b2', 'better'], worse: ['\u25bc', 'worse'], same: ['=', 'same'] }),
);
const GROUPS = [
  ['metrics', 'Metrics'],
  ['work', 'Work'],
  ['usage', 'Usage'],
  ['time', 'Time'],
  ['health', 'Health'],
];

/**
 * A figure in words: milliseconds and tokens by its name, else by its unit.
 * @param {any} row one of the document's figures @param {string} group @param {number|null} value
 */
function valueWords(row, group, value) {
  if (!known(value)) return UNKNOWN;
  if (row.name.endsWith('Ms')) return duration(value);
  if (row.unit === 'percent') return `${Number(value.toFixed(1))} %`;
  if (row.unit === 'share') return withUnit(value, row.unit);
  if (group === 'usage' && row.name !== 'apiCalls') return tokens(value);
  return Number.isInteger(value) ? count(value) : String(Number(value.toFixed(2)));
}

/** The difference from the first: `\u221262`, empty where there is none to tell. @param {any} row @param {string} group @param {any} delta */
function deltaWords(row, group, delta) {
  if (!delta.value) return '';
  return `${delta.value > 0 ? '+' : '\u2212'}${valueWords(row, group, Math.abs(delta.value))}`;
}

/** @param {any} document_ the comparison @param {string[]} letters @returns {any} a table */
export function figuresTable(document_, letters) {
  const head = el(
    'tr',
    null,
    el('th', { class: 'figname' }, el('span', { class: 'unseen' }, 'Figure')),
    ...letters.map((letter) => el('th', { class: 'figvalue' }, letter)),
  );
  const groups = GROUPS.filter(([name]) => document_[name]?.length).map(([name, words]) => {
    const title = el('tr', { class: 'figgroup' }, el('th', null, words), ...letters.map(() => el('td', null)));
    return el('tbody', null, title, ...document_[name].map((/** @type {any} */ row) => figureRow(row, name)));
  });
  return el(
    'div',
    { class: 'figures', tabindex: '0', role: 'region', 'aria-label': 'Figures' },
    el('table', null, el('thead', null, head), ...groups),
  );
}

/** @param {any} row @param {string} group */
function figureRow(row, group) {
  const cells = row.values.map((/** @type {any} */ value, /** @type {number} */ n) =>
    el(
      'td',
      { class: 'figvalue' },
      group === 'metrics' ? statusView(row.statuses[n]) : null,
      known(value) || group !== 'metrics' ? el('span', { class: 'fignumber' }, valueWords(row, group, value)) : null,
      n && (known(value) || known(row.values[0])) ? deltaView(row, group, row.deltas[n - 1]) : null,
      group === 'metrics' ? el('div', { class: 'figwords' }, oneLine(String(row.displays[n] ?? ''), 160)) : null,
    ),
  );
  return el('tr', { 'data-figure': row.name }, el('th', { class: 'figname' }, oneLine(row.label, 60)), ...cells);
}

/** @param {string} status */
function statusView(status) {
  const { look, glyph, words } = statusOf(status);
  return el('span', { class: `verdict m-${look}` }, el('span', { class: 'verdictglyph', 'aria-hidden': 'true' }, glyph), words);
}

/** @param {any} row @param {string} group @param {any} delta */
function deltaView(row, group, delta) {
  const words = deltaWords(row, group, delta);
  const direction = DIRECTIONS.get(delta.direction);
  if (!direction) {
    const why = delta.value === null ? 'cannot compare: a figure is not known' : 'neither side is better';
    return el('span', { class: 'delta', title: why }, delta.value === null ? 'cannot compare' : words);
  }
  const [glyph, name] = direction;
  return el(
    'span',
    { class: `delta d-${delta.direction}` },
    words ? `${words} ` : null,
    el('span', { 'aria-hidden': 'true' }, `${glyph} `),
    name,
  );
}
