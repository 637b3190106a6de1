/** Keys of the session view. Letters act without modifiers and outside inputs only. */
import { hasBelow } from '#lines';
import { stringOf } from '#model';
import { CALL, MARK } from '#tree';

/**
 * Without a selection the first line in view is taken.
 * @param {any} view @param {any} page @param {number} by lines
 */
function move(view, page, by) {
  moveTo(view, view.selectedLine < 0 ? page.firstLine() : view.selectedLine + by);
}

/** @param {any} view @param {number} line */
function moveTo(view, line) {
  if (!view.lines.length) return;
  view.select(view.lines[Math.max(0, Math.min(line, view.lines.length - 1))]);
}

/** Closes the node, or goes to what it stands in. @param {any} view */
function left(view) {
  const node = view.selected;
  if (node < 0 || view.sorted) return;
  if (!view.found && view.open[node] && hasBelow(view.tree, node)) view.toggle(node, false);
  else if (view.tree.parent[node] >= 0) view.select(view.tree.parent[node]);
}

/** Opens the node, or goes to the first below it. @param {any} view @param {any} page */
function right(view, page) {
  const node = view.selected;
  if (node < 0 || view.sorted || !hasBelow(view.tree, node)) return;
  if (!view.found && !view.open[node]) view.toggle(node, true);
  else move(view, page, 1);
}

/**
 * The next line that passes a test, round the end.
 * @param {any} view @param {1|-1} step @param {(node: number) => boolean} test
 */
function next(view, step, test) {
  if (view.sorted) {
    nextLine(view, step, test);
    return;
  }
  const n = view.tree.n;
  const from = view.selected < 0 ? (step > 0 ? -1 : n) : view.selected;
  for (let i = 1; i <= n; i++) {
    const node = (((from + step * i) % n) + n) % n;
    const hidden = (view.found && !view.found.marks[node]) || (view.tree.kind[node] === CALL && !view.calls);
    if (!hidden && test(node)) {
      view.select(node);
      view.show(node);
      return;
    }
  }
}

/** The same among sorted lines. @param {any} view @param {1|-1} step @param {(node: number) => boolean} test */
function nextLine(view, step, test) {
  const n = view.lines.length;
  const from = view.selectedLine < 0 ? (step > 0 ? -1 : n) : view.selectedLine;
  for (let i = 1; i <= n; i++) {
    const node = view.lines[(((from + step * i) % n) + n) % n];
    if (!test(node)) continue;
    view.select(node);
    view.show(node);
    return;
  }
}

/** @param {any} view */
const isError = (view) => (/** @type {number} */ node) =>
  view.tree.kind[node] === CALL && stringOf(view.model, 'outcome', view.tree.ref[node]) === 'error';
/** @param {any} view */
const isMatch = (view) => (/** @type {number} */ node) => view.found !== null && view.found.marks[node] === 1;
/** @param {any} view */
const isCompaction = (view) => (/** @type {number} */ node) =>
  view.tree.kind[node] === MARK && /compaction$/.test(view.payload.marks[view.tree.ref[node]].kind);

/**
 * What each key does; the page gives what needs the document.
 * @param {any} view @param {any} page with `pageSize`, `firstLine`, `openAll`, `open`, `back`, `focusFilter`, `session`, `help`, `theme`, `copyLink`
 * @returns {Map<string, () => void>} by key, "+" before it for Shift
 */
export function keyTable(view, page) {
  const middle = () => view.width / 2;
  return new Map(
    /** @type {[string, () => void][]} */ ([
      ['ArrowDown', () => move(view, page, 1)],
      ['j', () => move(view, page, 1)],
      ['ArrowUp', () => move(view, page, -1)],
      ['k', () => move(view, page, -1)],
      ['ArrowLeft', () => left(view)],
      ['ArrowRight', () => right(view, page)],
      ['Home', () => moveTo(view, 0)],
      ['End', () => moveTo(view, view.lines.length - 1)],
      ['PageDown', () => move(view, page, page.pageSize())],
      ['PageUp', () => move(view, page, -page.pageSize())],
      ['Enter', () => page.open()],
      ['Escape', () => page.back()],
      ['w', () => view.zoom(middle(), 0.7)],
      ['s', () => view.zoom(middle(), 1 / 0.7)],
      ['+w', () => view.zoom(middle(), 0.4)],
      ['+s', () => view.zoom(middle(), 2.5)],
      ['+', () => view.zoom(middle(), 0.7)],
      ['=', () => view.zoom(middle(), 0.7)],
      ['-', () => view.zoom(middle(), 1 / 0.7)],
      ['a', () => view.pan(-view.width * 0.15)],
      ['d', () => view.pan(view.width * 0.15)],
      ['+a', () => view.pan(-view.width * 0.6)],
      ['+d', () => view.pan(view.width * 0.6)],
      ['0', () => view.fitAll()],
      ['+0', () => view.fitMatches()],
      ['f', () => view.selected >= 0 && view.centre(view.selected)],
      ['l', () => page.follow()],
      ['g', () => view.setFolded(!view.folded)],
      ['n', () => next(view, 1, isMatch(view))],
      ['+n', () => next(view, -1, isMatch(view))],
      ['e', () => next(view, 1, isError(view))],
      ['+e', () => next(view, -1, isError(view))],
      ['c', () => next(view, 1, isCompaction(view))],
      ['*', () => view.selected >= 0 && view.openBelow(view.selected, 1)],
      ['[', () => page.openAll(0)],
      [']', () => page.openAll(1)],
      ['y', () => page.copyLink()],
      ['/', () => page.focusFilter()],
      ['i', () => page.session()],
      ['?', () => page.help()],
      ['t', () => page.theme()],
    ]),
  );
}

/** The table's name of a pressed key, null when the key is not ours. @param {KeyboardEvent} event */
export function keyName(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const letter = /^[a-zA-Z]$/.test(event.key);
  if (letter) return `${event.shiftKey ? '+' : ''}${event.key.toLowerCase()}`;
  // Shift+0 gives another sign on every keyboard layout.
  if (event.shiftKey && event.code === 'Digit0') return '+0';
  return event.key;
}
