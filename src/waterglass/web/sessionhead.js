/** The session's facts above the waterfall, and its problems. */
import { button, el, refill } from '#el';
import { count, moment, percent, tokens } from '#format';
import { ledgerBar } from '#ledger';
import { oneLine, visible } from '#plain';

/** @param {string} name @param {string} value @param {string} [title] */
const fact = (name, value, title) => el('span', { class: 'fact', title }, el('b', null, name), ` ${value}`);

/** @param {any} usage */
function usageWords(usage) {
  const least = usage.outputIsLowerBound ? '\u2265 ' : '';
  return `in ${tokens(usage.input)} \u00b7 cache write ${tokens(usage.cacheCreation)} \u00b7 cache read ${tokens(usage.cacheRead)} \u00b7 out ${least}${tokens(usage.output)}`;
}

/** @param {any} context */
export function contextWords(context) {
  if (!context || (context.tokens === null && context.peakTokens === null)) return null;
  if (context.window === null || context.window === undefined)
    return `${tokens(context.tokens)}, peak ${tokens(context.peakTokens)}`;
  const assumed = context.windowSource === 'assumed' ? ', assumed' : '';
  const now = context.tokens === null ? `peak ${tokens(context.peakTokens)}` : tokens(context.tokens);
  const fill = context.fillPercent === null || context.fillPercent === undefined ? '' : ` (${percent(context.fillPercent)})`;
  return `${now} of ${tokens(context.window)}${assumed}${fill}`;
}

/**
 * @param {any} cost @param {boolean} [atLeast] some output was never counted to its end
 * @returns {[string, string]|null} what it cost in short, and in full
 */
function costWords(cost, atLeast = false) {
  if (!cost) return null;
  const models = Object.entries(cost.byModel ?? {}).map(([model, usd]) => `${oneLine(model, 60)} ${dollars(usd)}`);
  const unpriced = (cost.unpriced ?? []).map((/** @type {string} */ model) => oneLine(model, 60));
  const full = [
    `${dollars(cost.usd)} at API list prices; a subscription is not billed this way`,
    ...models,
    ...(unpriced.length ? [`without a known price: ${unpriced.join(', ')}`] : []),
    `prices: ${oneLine(cost.pricesAsOf ?? '', 60)}`,
  ];
  return [`${unpriced.length || atLeast ? '\u2265 ' : ''}${dollars(cost.usd)}`, full.join('\n')];
}

/** @param {unknown} usd */
const dollars = (usd) => `$${Number(usd).toFixed(Number(usd) < 10 ? 2 : 0)}`;

/** @param {any} payload @param {number} nowMs @returns {any} one strip of facts */
export function sessionFacts(payload, nowMs) {
  const { session, usage, context } = payload;
  const context_ = contextWords(context);
  const cost = costWords(payload.cost, payload.usage?.outputIsLowerBound === true);
  const project = session.project ? oneLine(session.project, 200) : null;
  // On a narrow screen the strip scrolls sideways: then the keyboard must reach it.
  const scrolls = window.matchMedia?.('(max-width: 640px)').matches;
  return el(
    'div',
    { class: 'facts', role: 'group', 'aria-label': 'Facts of the session', tabindex: scrolls ? '0' : null },
    el('span', { class: `state s-${session.state}` }, session.state),
    project && fact('project', project.length > 46 ? `\u2026${project.slice(-45)}` : project, project),
    session.worktree && fact('worktree', oneLine(session.worktree.split(/[\\/]/).pop(), 60), oneLine(session.worktree)),
    session.gitBranches?.length ? fact('branch', oneLine(session.gitBranches.join(', '), 60)) : null,
    session.models?.length
      ? fact(
          'model',
          oneLine(session.models.map((/** @type {string} */ m) => m.replace(/^claude-/, '')).join(', '), 80),
          oneLine(session.models.join(', ')),
        )
      : null,
    fact('began', moment(session.startMs, nowMs)),
    ledgerBar(payload.time),
    context_ && fact('context', context_),
    usage &&
      fact(
        'tokens',
        usageWords(usage),
        `${count(usage.apiCalls)} replies; input ${count(usage.input)}, cache write ${count(usage.cacheCreation)}, cache read ${count(usage.cacheRead)}, output ${count(usage.output)}`,
      ),
    cost && fact('list price', ...cost),
  );
}

/** @param {any} coverage @returns {any} a banner that opens, null without problems */
export function problemBanner(coverage) {
  const problems = coverage?.problems ?? [];
  const skipped = coverage?.skippedLines ?? 0;
  if (!problems.length && !skipped) return null;
  const words = skipped
    ? `${count(skipped)} line${skipped === 1 ? '' : 's'} of the transcript could not be read`
    : `${count(problems.length)} oddit${problems.length === 1 ? 'y' : 'ies'} in the transcript`;
  const [more, list] = opening(() => problemItems(problems));
  return el(
    'div',
    { class: 'banner problem', role: 'note' },
    `${words}${problems.length && skipped ? `, ${count(problems.length)} noted` : ''} `,
    problems.length ? more : null,
    list,
  );
}

/** A list that is made when its button is pressed for the first time. @param {() => any[]} items @returns {[any, any]} the button and the list */
function opening(items) {
  const list = el('ul', { class: 'problems', hidden: true });
  const more = button(
    'show',
    () => {
      list.hidden = !list.hidden;
      more.textContent = list.hidden ? 'show' : 'hide';
      more.setAttribute('aria-expanded', String(!list.hidden));
      if (!list.childNodes.length) refill(list, ...items());
    },
    { class: 'link', 'aria-expanded': 'false' },
  );
  return [more, list];
}

const SHOWN = 200;

/** @param {any[]} problems */
export function problemItems(problems) {
  const items = problems
    .slice(0, SHOWN)
    .map((p) =>
      el(
        'li',
        null,
        el('code', null, visible(String(p.code))),
        ' ',
        visible(String(p.message ?? '')),
        el(
          'span',
          { class: 'where' },
          ` ${oneLine(String(p.file ?? ''), 120)}${p.line ? `:${p.line}` : ''}${p.offset ? ` (byte ${count(p.offset)})` : ''}`,
        ),
      ),
    );
  if (problems.length > SHOWN) items.push(el('li', null, `and ${count(problems.length - SHOWN)} more`));
  return items;
}

/** Says what a very long session does not draw. @param {any} model */
export function lengthBanner({ n, left }) {
  if (!left) return null;
  return el(
    'div',
    { class: 'banner long', role: 'note' },
    `The first ${count(n)} of ${count(n + left)} calls are drawn; filter, order and overview are about these. The figures above are about all.`,
  );
}

/** Says of a report, and of a file that was dropped on the page, what they are. @param {any} payload */
export function originBanner({ report, session }) {
  if (report) return reportBanner(report);
  // The server names them so; they are in no folder of sessions.
  if (!/^dropped-[0-9a-f]{16}$/.test(session.id)) return null;
  const words = 'A copy of the file that was opened here. It is gone when waterglass ends; its sub-agents\u2019 files are not with it.';
  return el('div', { class: 'banner report', role: 'note' }, words);
}

/** The note of a report: when it was made, what was hidden and what was left out. @param {any} report */
function reportBanner(report) {
  const counts = Object.entries(report.redaction?.counts ?? {}).map(([kind, n]) => [kind, Number(n)]);
  const hidden = counts.reduce((sum, [, n]) => sum + Number(n), 0);
  const off = report.redaction?.level === 'off';
  const redaction = off ? 'nothing was redacted' : `${count(hidden)} secret${hidden === 1 ? '' : 's'} hidden, best effort`;
  const lines = [
    ...counts.map(([kind, n]) => `${oneLine(String(kind), 60)}: ${count(Number(n))}`),
    !off && report.redaction?.engine === 're' ? 'searched by the slower engine: the same rules, no extra "re2"' : null,
    report.bodiesLeftOut ? `${count(report.bodiesLeftOut)} bodies left out, to keep the file small: a note stands in their place` : null,
  ].filter((line) => line !== null);
  const words = `Report of ${new Date(report.createdMs).toISOString().slice(0, 10)}, static; ${redaction}`;
  if (!lines.length) return el('div', { class: 'banner report', role: 'note' }, words);
  const [more, list] = opening(() => lines.map((line) => el('li', null, line)));
  return el('div', { class: 'banner report', role: 'note' }, el('span', null, words), ' ', more, list);
}
