/** What the charts of the statistics page show of a line. No document. */
import { count, counted, duration, percent, tokens, UNKNOWN } from '#format';

/**
 * @typedef {{name: string, look: string, of: (line: any) => number|null}} Series
 * @typedef {{id: string, title: string, about: string, form: 'stack'|'span'|'over', series: Series[], print: (value: number) => string,
 *   words: (line: any) => string}} Chart
 *   `stack`: one column a day, the parts on each other; `over`: the second series as a mark on the first; `span`: from the first
 *   to the second on a scale of powers of ten. `words` say what a line holds
 */

/** @type {[string, string, string, string][]} status, look, in words, as a sign */
export const VERDICTS = [
  ['alert', 'v-alert', 'alert', '\u25b2'],
  ['warn', 'v-warn', 'warning', '\u25b3'],
  ['ok', 'v-ok', 'ok', '\u2713'],
  ['unknown', 'v-unknown', 'cannot tell', '?'],
  ['na', 'v-na', 'not applicable', '\u2013'],
  ['waiting', 'v-waiting', 'not judged yet', '\u2026'],
];

/** `$1.23`, `<$0.01`. @param {number|null|undefined} usd */
export function dollars(usd) {
  if (usd === null || usd === undefined) return UNKNOWN;
  if (usd > 0 && usd < 0.005) return '<$0.01';
  return usd >= 999.5 ? `$${count(usd)}` : `$${usd.toFixed(2)}`;
}

/** Input that was not read from the cache. @param {any} line */
export const fresh = (line) => (line.usage ? line.usage.input + line.usage.cacheCreation : null);

/** Output, marked where some of it was never told to its end. @param {any} line */
export const outputWords = (line) =>
  line.usage ? `${line.usage.outputIsLowerBound ? '\u2265 ' : ''}${tokens(line.usage.output)}` : UNKNOWN;

/** What calls cost, at least: some were never counted to their end, or have no known price. @param {any} line */
export const costOf = (line) => `${line.usage?.outputIsLowerBound ? '\u2265 ' : ''}${dollars(line.usd)}`;

/** @param {any} counts of a metric @returns {string} */
export function verdictWords(counts) {
  if (!counts) return 'no session';
  const told = VERDICTS.filter(([status]) => counts[status] > 0).map(([status, , words]) => `${count(counts[status])} ${words}`);
  return told.join(', ') || 'no session';
}

/** @type {Chart[]} */
const FIGURES = [
  {
    id: 'sessions',
    title: 'Sessions',
    about: 'with something in them on that day',
    form: 'stack',
    series: [{ name: 'sessions', look: 'c-main', of: (line) => line.sessions }],
    print: count,
    words: (line) => `${counted(line.sessions, 'session')}, ${counted(line.prompts ?? 0, 'prompt')}`,
  },
  {
    id: 'calls',
    title: 'Calls',
    about: 'of tools; errors at the foot',
    form: 'stack',
    series: [
      { name: 'errors', look: 'v-alert', of: (line) => line.errors },
      { name: 'others', look: 'c-main', of: (line) => (line.toolCalls === null ? null : line.toolCalls - (line.errors ?? 0)) },
    ],
    print: count,
    words: (line) => {
      const share = line.toolCalls ? ` (${percent((100 * (line.errors ?? 0)) / line.toolCalls)})` : '';
      return `${counted(line.toolCalls ?? 0, 'call')}, ${counted(line.errors ?? 0, 'error')}${share}`;
    },
  },
  {
    id: 'durations',
    title: 'Durations of calls',
    about: 'from p50 to p95, in powers of ten',
    form: 'span',
    series: [
      { name: 'p50', look: 'c-main', of: (line) => line.p50Ms },
      { name: 'p95', look: 'c-main', of: (line) => line.p95Ms },
    ],
    print: duration,
    words: (line) => (line.timedCalls ? `p50 ${duration(line.p50Ms)}, p95 ${duration(line.p95Ms)}` : 'no call with both ends'),
  },
  {
    id: 'output',
    title: 'Output tokens',
    about: '',
    form: 'stack',
    series: [{ name: 'output', look: 'c-main', of: (line) => line.usage?.output ?? null }],
    print: tokens,
    words: (line) => `${outputWords(line)} in ${counted(line.usage?.apiCalls ?? 0, 'API call')}`,
  },
  {
    id: 'input',
    title: 'Input tokens',
    about: 'new at the foot, above it read from the cache',
    form: 'stack',
    series: [
      { name: 'new', look: 'c-strong', of: fresh },
      { name: 'from the cache', look: 'c-light', of: (line) => line.usage?.cacheRead ?? null },
    ],
    print: tokens,
    words: (line) => `${tokens(fresh(line))} new, ${tokens(line.usage?.cacheRead)} from the cache`,
  },
  {
    id: 'cost',
    title: 'Cost',
    about: 'at API list prices',
    form: 'stack',
    series: [{ name: 'cost', look: 'c-main', of: (line) => line.usd }],
    print: dollars,
    words: (line) => dollars(line.usd),
  },
  {
    id: 'peak',
    title: 'Context peaks',
    about: 'the fullest, and a mark at the median of the sessions',
    form: 'over',
    series: [
      { name: 'fullest', look: 'c-light', of: (line) => line.peakTokens },
      { name: 'median', look: 'c-strong', of: (line) => line.medianPeakTokens },
    ],
    print: tokens,
    words: (line) =>
      line.peakTokens === null ? 'not known' : `fullest ${tokens(line.peakTokens)}, median ${tokens(line.medianPeakTokens)}`,
  },
  {
    id: 'compactions',
    title: 'Compactions',
    about: '',
    form: 'stack',
    series: [{ name: 'compactions', look: 'c-compact', of: (line) => line.compactions }],
    print: count,
    words: (line) => counted(line.compactions ?? 0, 'compaction'),
  },
];

/**
 * The charts for an answer: cost where prices are known, and one for each metric.
 * @param {any} answer @returns {Chart[]}
 */
export function chartsFor(answer) {
  const priced = answer.prices.asOf !== null;
  const figures = FIGURES.filter((chart) => chart.id !== 'cost' || priced);
  return [...figures, ...(answer.scorecard ?? []).map(verdictChart)];
}

/** @param {{id: string, label: string, unit: string}} metric @returns {Chart} */
function verdictChart({ id, label, unit }) {
  const of = (/** @type {any} */ line) => line.metrics?.[id] ?? null;
  return {
    id,
    title: label,
    about: '',
    form: 'stack',
    series: VERDICTS.map(([status, look, name]) => ({ name, look, of: (line) => of(line)?.[status] ?? null })),
    print: count,
    words: (line) => {
      const counts = of(line);
      if (!counts?.valued) return verdictWords(counts);
      const { median } = counts;
      return `${verdictWords(counts)}; median ${unit === 'share' ? percent(100 * median) : `${Number(median.toPrecision(3))} ${unit}`}`;
    },
  };
}
