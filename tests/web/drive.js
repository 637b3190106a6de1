/**
 * Runs one case of a case file. A case is {description, call, args, expected}: `call` is "module.function", or the name of a
 * scenario below, which turns plain JSON into what a function needs and its answer back into JSON.
 */

/** @param {any} mods modules by name @param {any} input {range: [start, end], gaps, window: [t0, t1], width} */
function scaled(mods, input) {
  const axis = mods.axis.makeAxis(input.range[0], input.range[1], input.gaps ?? []);
  const window = input.window ?? input.range;
  return { axis, scale: mods.axis.scaleOf(axis, window[0], window[1], input.width) };
}

const round = (n) => Math.round(n * 1000) / 1000;

/** Rows written as an indented outline: "Bash: x @100+50 error #3 >agent-1", two spaces a level. */
function payloadOf(input) {
  const strings = [];
  const intern = (text) => {
    if (text === null || text === undefined) return -1;
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const rows = (input.rows ?? []).map((line, i) => {
    const depth = /^ */.exec(line)[0].length / 2;
    const [, label, start, took, rest] = /^\s*(.*?) @(\d+)(?:\+(\d+))?(.*)$/.exec(line);
    return { i, depth, label, start: Number(start), took: took === undefined ? null : Number(took), agent: />(\S+)/.exec(rest)?.[1] ?? null,
      message: /~(\S+)/.exec(rest)?.[1] ?? null, outcome: /\b(error|running|no_result|rejected)\b/.exec(rest)?.[1] ?? 'ok' };
  });
  const parents = [];
  const stack = [];
  for (const row of rows) {
    stack.length = row.depth;
    parents.push(row.depth ? stack[row.depth - 1] : -1);
    stack[row.depth] = row.i;
  }
  const end = rows.map((row) => {
    let next = row.i + 1;
    while (next < rows.length && rows[next].depth > row.depth) next++;
    return next;
  });
  const tool = (row) => row.label.split(':')[0];
  const column = (of) => rows.map(of);
  const columns = {
    id: column((r) => `row-${r.i}`), parent: parents, depth: column((r) => r.depth), subtreeEnd: end, startMs: column((r) => r.start),
    endMs: column((r) => (r.took === null ? null : r.start + r.took)), duration: column((r) => r.took), ackMs: column(() => null),
    background: column(() => 0), isReread: column(() => 0), inputTokens: column(() => 1000), outputTokens: column((r) => (r.i + 1) * 100),
    tokens: column(() => null), contextFillPercent: column((r) => (r.i + 1) * 10), type: column((r) => intern(r.agent ? 'agent' : 'tool')),
    toolName: column((r) => intern(tool(r))), label: column((r) => intern(r.label)), status: column(() => -1), outcome: column((r) => intern(r.outcome)),
    agentId: parents.map((p) => (p < 0 ? -1 : intern(rows[p].agent))), startsAgentId: column((r) => intern(r.agent)), parentAgentId: column(() => -1),
    messageId: column((r) => intern(r.message)), openUntilMs: input.openUntilMs, model: column(() => intern('opus')), category: column(() => -1), acts: column(() => null), targets: column(() => null),
    warnings: column(() => null), usage: column(() => null), evidence: column(() => null),
  };
  const session = { id: 's', startMs: 0, endMs: input.endMs ?? null };
  return { session, prompts: [], replies: [], marks: [], agents: [], compactions: [], ...input.head, table: { count: rows.length, strings, columns } };
}

/** A line of the view in words: two spaces a level, a sign for its kind. */
function lineWords(view, node) {
  const { tree, payload, model } = view;
  const ref = tree.ref[node];
  const signs = ['#', '"', '', '*', '?'];
  const prompt = tree.kind[node] === 0 ? tree.exchanges[ref].prompt : ref;
  const text = [() => payload.prompts[prompt]?.text ?? '-', () => payload.replies[ref].text, () => model.strings[model.label[ref]],
    () => payload.marks[ref].kind, () => payload.prompts[prompt].text][tree.kind[node]]();
  const dim = view.found && view.found.marks[node] !== 1 ? ' (dim)' : '';
  return `${'  '.repeat(tree.depth[node])}${signs[tree.kind[node]]}${text}${dim}`;
}

/** Numbers that look random and are the same each time. @param {number} seed */
function dice(seed) {
  return (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor(seed / 65536) % below;
  };
}

const ATOMS = 'a b A B 1 _ - é É ß K { } ] \\w \\d \\s \\W \\S \\D . [ab] [^a] [a-c1] [] [^] [\\]b] []a] \\. \\n \\x41 \\X41 \\u0061 \\0 \\cJ \\/ 😀 [😀]'.split(' ');
const REPEATS = '* + ? {2} {0} {1,} {0,2} {2,3} *? +? ?? {1,2}? {,3} {a}'.split(' ');
const SIGNS = [...'abcAB1_ -\n.éÉßKk{}]X4\0/\tsſK', '😀'];

/** An expression of all that the grammar has. @param {(below: number) => number} roll @param {number} depth @returns {string} */
function someExpression(roll, depth) {
  const one = (from) => from[roll(from.length)];
  const parts = Array.from({ length: 1 + roll(3) }, () => {
    const kind = roll(12);
    if (kind < 2) return one(['^', '$', '\\b', '\\B']);
    if (kind === 5) return '';
    const inner = kind < 5 && depth ? `${one(['(', '(?:', `(?<n${roll(1e6)}>`])}${someExpression(roll, depth - 1)})` : one(ATOMS);
    return inner + (roll(3) ? '' : one(REPEATS));
  });
  return parts.join('') + (roll(4) ? '' : `|${depth && roll(5) ? someExpression(roll, depth - 1) : ''}`);
}

/** What an expression finds, by our engine. */
function founder(mods, body) {
  const pattern = new mods.pattern.Pattern(body, null);
  pattern.allow(1e9);
  return (text) => pattern.test(text);
}

const SCENARIOS = {
  'pattern: found': (mods, { expression, texts }) => texts.filter(founder(mods, expression)),
  /** Random expressions over random texts: where the browser's own engine says otherwise. */
  'pattern: otherwise than the browser': (mods, { seed, count }) => {
    const roll = dice(seed);
    const differ = [];
    for (let i = 0; i < count; i++) {
      const body = someExpression(roll, 2);
      const own = new RegExp(body, 'i');
      const found = founder(mods, body);
      const texts = Array.from({ length: 12 }, () => Array.from({ length: roll(9) }, () => SIGNS[roll(SIGNS.length)]).join(''));
      for (const text of texts) if (found(text) !== own.test(text)) differ.push([body, text]);
    }
    return differ;
  },
  /** A session of so many calls, each with a number and a long text of `a` and `b`, filtered. */
  'view: long texts found': (mods, { count, query }) => {
    const roll = dice(11);
    const rows = Array.from({ length: count }, (_, i) => `Bash: ${i} ${Array.from({ length: 250 }, () => 'ab'[roll(2)]).join('')} @${i + 1}+1`);
    const view = new mods.view.View(payloadOf({ rows }), 1e6);
    view.setQuery(query);
    const faults = view.faults.map((fault) => `${fault.term}: ${fault.message}`);
    return { calls: view.found?.calls ?? null, faults };
  },
  /** [t…] to x and back. */
  'axis: times to x': (mods, input) => {
    const { axis, scale } = scaled(mods, input);
    return input.times.map((t) => round(mods.axis.xOf(axis, scale, t)));
  },
  'axis: x and back': (mods, input) => {
    const { axis, scale } = scaled(mods, input);
    return input.times.map((t) => round(mods.axis.timeOf(axis, scale, mods.axis.xOf(axis, scale, t))));
  },
  'range: zoom': (mods, input) => {
    const { axis } = scaled(mods, input);
    const window = input.window ?? input.range;
    const before = mods.axis.scaleOf(axis, window[0], window[1], input.width);
    const t = mods.axis.timeOf(axis, before, input.x);
    const zoomed = mods.range.zoomAt(axis, window, input.width, input.x, input.factor);
    const after = mods.axis.scaleOf(axis, zoomed[0], zoomed[1], input.width);
    return { range: zoomed.map(round), keeps: Math.abs(mods.axis.xOf(axis, after, t) - input.x) < 0.01 };
  },
  'range: pan': (mods, input) => mods.range.panBy(scaled(mods, input).axis, input.window, input.width, input.dx).map(round),
  'range: clamp': (mods, input) => mods.range.clampRange(scaled(mods, input).axis, input.window[0], input.window[1]).map(round),
  'ticks: labels': (mods, input) => {
    const { axis, scale } = scaled(mods, input);
    return mods.ticks.ticksOf(axis, scale, 76, () => input.offset ?? 0).map((tick) => tick.label);
  },
  'ticks: breaks': (mods, input) => {
    const { axis, scale } = scaled(mods, input);
    return mods.ticks.breaksOf(axis, scale).map((fold) => [round(fold.x), round(fold.width), fold.ms]);
  },
  'bars: bar': (mods, input) => {
    const { axis, scale } = scaled(mods, input);
    const bar = mods.bars.barOf(axis, scale, input.from, input.to);
    return [round(bar.x), round(bar.width), bar.side];
  },
  /** The lines of a session after some steps: ["open row", 2], ["query", "error"], ["shown", "calls", false]. */
  'view: lines': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), input.now ?? 1e6);
    for (const [what, ...rest] of input.steps ?? []) {
      if (what === 'open row') view.toggle(view.tree.nodeOfRow[rest[0]], true);
      else if (what === 'close head') view.toggle(0, false);
      else if (what === 'query') view.setQuery(rest[0]);
      else if (what === 'shown') view.setShown(rest[0], rest[1]);
      else if (what === 'open all') view.openAll(rest[0]);
      else if (what === 'opened') view.setOpened(rest[0]);
      else if (what === 'sort') view.setSort(mods.sort.parseSort(rest[0]));
      else if (what === 'select reply') view.select(view.tree.kind.indexOf(1));
      else if (what === 'select row') view.select(view.tree.nodeOfRow[rest[0]]);
    }
    return [...view.lines].map((node) => lineWords(view, node));
  },
  /** What the address says of open agents after some steps. */
  'view: opened': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    for (const row of input.open ?? []) view.toggle(view.tree.nodeOfRow[row], true);
    return view.opened;
  },
  'view: rows found': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), input.now ?? 1e6);
    view.setQuery(input.query);
    const rows = [...view.lines].filter((node) => view.tree.kind[node] === 2 && (!view.found || view.found.marks[node] === 1)).map((node) => view.tree.ref[node]);
    return { rows, faults: view.faults.map((fault) => `${fault.term}: ${fault.message}`) };
  },
  'view: contents': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    for (const [text, ids] of Object.entries(input.known)) view.contents.set(text, new Map(Object.entries(ids)));
    return input.queries.map((query) => {
      view.setQuery(query);
      return [...view.lines].filter((node) => view.tree.kind[node] === 2 && view.found.marks[node] === 1).map((node) => view.model.id[view.tree.ref[node]]);
    });
  },
  'view: candidates': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    view.setQuery(input.query);
    return view.candidates();
  },
  /** Signs for the calls of one reply: first, middle, last. */
  'model: beside': (mods, input) => [...mods.model.buildModel(payloadOf(input), 1e6).beside].map((joins) => ['', 'last', 'first', 'middle'][joins]),
  /** A session of so many rows in two exchanges, the second of them from a row on. */
  'view: drawn': (mods, input) => {
    const ids = Array.from({ length: input.count }, (_, i) => `r${i}`);
    const columns = { id: ids, subtreeEnd: ids.map((_, i) => i + 1), depth: ids.map(() => 0), startMs: ids.map((_, i) => i), endMs: ids.map((_, i) => i + 1) };
    const exchange = (rowStart, rowEnd) => ({ prompt: null, startMs: rowStart, endMs: rowEnd, calls: rowEnd - rowStart, errors: 0, rowStart, rowEnd });
    const view = new mods.view.View({ session: {}, exchanges: [exchange(0, input.second), exchange(input.second, input.count)], table: { count: input.count, strings: [], columns } }, 1e9);
    return { drawn: view.model.n, left: view.model.left, lines: view.lines.length, ids: view.model.id.length };
  },
  'view: bar ends': (mods, input) => [...mods.model.buildModel(payloadOf(input), input.now).untilMs],
  'view: bar of row 0': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), input.now);
    return view.span(view.tree.nodeOfRow[0]);
  },
  'view: opens on': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    return lineWords(view, view.lastBusyHead);
  },
  'view: gaps': (mods, input) => new mods.view.View(payloadOf(input), 1e6).timeline.gaps,
  'naming: there and back': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    return Array.from({ length: view.tree.n }, (_, node) => mods.naming.findNode(view, mods.naming.nameNode(view, node)) === node);
  },
  'naming: find': (mods, input) => {
    const none = { row: null, reply: null, prompt: null };
    return mods.naming.findNode(new mods.view.View(payloadOf(input), 1e6), { ...none, ...input.address });
  },
  'naming: named': (mods, input) => {
    const view = new mods.view.View(payloadOf(input), 1e6);
    const { node, words } = mods.naming.lineNamed(view, { row: null, reply: null, prompt: null, agent: null, at: null, ...input.address });
    return [node < 0 ? node : lineWords(view, node), words];
  },
  'address: there and back': (mods, input) => mods.address.parseAddress(mods.address.printAddress(input)),
  'query: terms': (mods, text) => {
    const { terms, faults } = mods.query.parseQuery(text);
    return { terms: terms.map((term) => ({ ...term, regex: term.regex?.source })), faults };
  },
  /** How many terms there are of a part that is repeated with its number, and what is said of the others. */
  'query: many': (mods, { begin, part, count }) => {
    const text = begin + Array.from({ length: count }, (_, i) => part.replace('%d', i)).join('').trim();
    const { terms, faults } = mods.query.parseQuery(text);
    const where = (fault) => `${fault.term.split(/[ ,]/)[0]}${fault.to === text.length ? ' to the end' : ''}`;
    return [terms.length, faults.map((fault) => `${where(fault)}: ${fault.message}`)];
  },
  /** What is offered at the caret `|`, and the box after the first of it was taken. */
  'suggest: offers': (mods, input) => {
    const model = mods.model.buildModel(payloadOf(input), 1e6);
    const caret = input.box.indexOf('|');
    const text = input.box.replace('|', '');
    const offered = mods.suggest.suggest(text, caret, mods.suggest.factsOf(model, input.agents ?? []), input.past ?? []);
    const taken = offered.length ? mods.suggest.take(text, offered[0]) : null;
    return {
      offered: offered.map((item) => [item.text, item.words].filter(Boolean).join(' - ')).slice(0, input.first ?? 20),
      taken: taken && `${taken.text.slice(0, taken.caret)}|${taken.text.slice(taken.caret)}`,
    };
  },
  'shelf: lines': (mods, input) => mods.shelf.shelve(input.sessions, input.search ?? '', new Set(input.open ?? []), new Set(input.closed ?? []), mods.shelfsort.parseShelfSort(input.sort ?? null)).lines
    .map((line) => (line.kind === 'project' ? `${line.project ?? '-'} (${line.count})` : `${line.inner ? '    ' : '  '}${line.session.id}${line.chain > 1 ? ` +${line.chain - 1}` : ''}`)),
  'shelf: merge': (mods, answers, whole) => {
    const known = new Map();
    return answers.map((answer) => mods.shelf.mergeSessions(known, answer, whole)).pop();
  },
  'diff: words': (mods, input) => mods.diff.diffLines(input[0], input[1]).map((line) => `${line.sign}${line.text}`),
  'chart: path': (mods, input) => mods.chart.contextPath(input.series, mods.axis.makeAxis(input.range[0], input.range[1], []), input.most),
  'diff: pairs': (mods, input) => mods.diff.sideBySide(mods.diff.diffLines(input[0], input[1]))
    .map((pair) => pair.map((line) => (line ? `${line.sign}${line.text}` : '')).join('|')),
  'density: errors and busy': (mods, input) => {
    const model = mods.model.buildModel(payloadOf(input), 1e6);
    const { busy, errors } = mods.density.densityOf(model, mods.axis.makeAxis(input.range[0], input.range[1], []), input.width);
    const busiest = busy.map((column, kind) => [mods.kinds.KINDS[kind], [...column].map(round)]).filter(([, column]) => column.some((v) => v > 0));
    return { busy: Object.fromEntries(busiest), errors: [...errors] };
  },
  'lines: tops': (mods, heights) => [...mods.lines.topsOf(heights.length, (i) => heights[i])],
};

/** @param {any} mods @param {any} testCase @returns {any} a JSON value */
export function answer(mods, testCase) {
  const scenario = SCENARIOS[testCase.call];
  const [module, name] = testCase.call.split('.');
  const value = scenario ? scenario(mods, ...testCase.args) : mods[module][name](...testCase.args);
  return JSON.parse(JSON.stringify(value ?? null));
}

/** The modules that the cases need. */
export const MODULES = [
  'address', 'ansi', 'axis', 'bars', 'chart', 'density', 'diff', 'expression', 'format', 'kinds', 'lines', 'match', 'model', 'naming', 'outputs', 'pattern', 'plain', 'query', 'range', 'shelf', 'shelfsort', 'snippet', 'sort', 'statscharts', 'statsdays', 'suggest', 'ticks', 'view',
];
