/** The session as a whole, in the detail: its prompts as an outline, its context over time, what was read of it. */
import { contextChart } from '#contextchart';
import { el } from '#el';
import { bytes, clock, count, counted, duration } from '#format';
import { textOf } from '#match';
import { lossesOf, lossesView } from '#losses';
import { fillSome } from '#more';
import { oneLine } from '#plain';
import { factTable } from '#rowtabs';
import { problemItems } from '#sessionhead';
import { telemetryView } from '#telemetry';
import { HEAD, PROMPT } from '#tree';

const SHOWN = 150;
const COVERAGE = [
  ['bytes', 'Read'],
  ['physicalLines', 'Lines'],
  ['blankLines', 'Blank lines'],
  ['records', 'Records'],
  ['uniqueRecords', 'Records that are no copy'],
  ['replayedRecords', 'Copies of earlier records'],
  ['skippedLines', 'Lines that could not be read'],
  ['recoveredRecords', 'Records found beside damage'],
  ['repairedRecords', 'Records whose text was mended'],
  ['degradedRecords', 'Records with odd fields'],
  ['orphanResults', 'Results without a call'],
  ['chainBreaks', 'Records whose parent is missing'],
  ['branches', 'Abandoned ways'],
  ['problemsLeftOut', 'Problems that are not listed'],
];

/** @param {any} view @param {(node: number) => void} jump */
function outline(view, jump) {
  const { tree, payload } = view;
  const nodes = [];
  for (let node = 0; node < tree.n; node++) if (tree.kind[node] === HEAD || tree.kind[node] === PROMPT) nodes.push(node);
  const entry = (/** @type {number} */ node) => {
    const exchange = tree.kind[node] === HEAD ? tree.exchanges[tree.ref[node]] : null;
    const at = exchange ? exchange.prompt : tree.ref[node];
    const prompt = at === null || at === undefined ? null : payload.prompts[at];
    const [from, to] = view.span(node);
    const said = [
      exchange ? counted(exchange.calls, 'call') : null,
      exchange?.errors ? `\u2715 ${counted(exchange.errors, 'error')}` : null,
      exchange && to > from ? duration(to - from) : null,
      prompt?.state && prompt.state !== 'sent' ? prompt.state : null,
      prompt?.branch === 'abandoned' ? 'abandoned' : null,
    ];
    const words = oneLine(textOf(payload, tree, node), 240) || (prompt ? '(prompt without text)' : 'Before the first prompt');
    return el(
      'li',
      null,
      el(
        'button',
        { type: 'button', class: 'jump', on: { click: () => jump(node) } },
        el('bdi', null, words),
      ),
      el('span', { class: 'why' }, [Number.isNaN(from) ? null : clock(from, 'm'), ...said].filter(Boolean).join(' \u00b7 ')),
    );
  };
  return fillSome(el('ol', { class: 'evidence' }), nodes, entry, SHOWN, (more) => el('li', null, more));
}

/** @param {Record<string, number>|null|undefined} kinds */
const kindWords = (kinds) =>
  Object.entries(kinds ?? {})
    .slice(0, 40)
    .map(([kind, n]) => `${oneLine(kind, 60)} ${count(n)}`)
    .join(', ');

/** @param {any} payload */
function coverageView({ coverage, session, telemetry }) {
  if (!coverage) return el('p', { class: 'none' }, 'It is not known what was read.');
  const files = session.files ?? [];
  const problems = coverage.problems ?? [];
  return el(
    'div',
    null,
    factTable([
      ...COVERAGE.map(([key, words]) => {
        const n = coverage[key];
        // What never happened is not worth a line.
        return /** @type {[string, any]} */ ([words, n ? (key === 'bytes' ? bytes(n) : count(n)) : null]);
      }),
      ['Last line', coverage.partialTail ? 'not whole yet' : null],
      ['Unknown kinds of record', kindWords(coverage.unknownRecordTypes)],
      ['Unknown kinds of block', kindWords(coverage.unknownBlockTypes)],
    ]),
    problems.length ? el('h3', null, counted(problems.length, 'problem')) : null,
    problems.length ? el('ul', { class: 'problems' }, ...problemItems(problems)) : null,
    files.length ? el('h3', null, counted(files.length, 'file')) : null,
    files.length
      ? fillSome(
          el('ul', { class: 'folders' }),
          files,
          (file) => el('li', null, el('code', null, oneLine(String(file.path ?? ''), 300)), ` ${file.kind ?? ''} ${bytes(file.bytes)}`),
          SHOWN,
          (more) => el('li', null, more),
        )
      : null,
    ...telemetryView(telemetry),
  );
}

/** @param {any} view @param {(node: number) => void} jump @returns {import('#detail').Panel} */
export function sessionPanel(view, jump) {
  return {
    key: 'session',
    title: 'Session',
    tabs: [
      ['prompts', 'Prompts', () => outline(view, jump)],
      ['chart', 'Context', () => contextChart(view, jump)],
      ...(lossesOf(view.payload).length ? [['losses', 'Lost', () => lossesView(view, jump)]] : []),
      ['coverage', 'Coverage', () => coverageView(view.payload)],
    ],
  };
}
