/** A view brought to a later state of its session: what is open, selected and shown stays. No document. */
import { axisOf, timelineOf } from '#timeline';
import { initialOpen } from '#lines';
import { buildModel } from '#model';
import { clampRange } from '#range';
import { buildTree, CALL, HEAD, MARK, PROMPT, REPLY } from '#tree';

/** What a node is called in every state of the session. @param {any} view @param {number} node */
export function keyOf({ tree, model, payload }, node) {
  const ref = tree.ref[node];
  switch (tree.kind[node]) {
    case CALL:
      return `c${model.id[ref]}`;
    case REPLY:
      return `r${payload.replies[ref].id}`;
    case MARK: {
      const { kind, ms, agentId } = payload.marks[ref];
      return `m${kind} ${ms} ${agentId ?? ''}`;
    }
    case PROMPT:
      return `p${payload.prompts[ref]?.uuid ?? ref}`;
    default: {
      const prompt = tree.exchanges[ref].prompt;
      return `h${prompt === null ? '' : (payload.prompts?.[prompt]?.uuid ?? ref)}`;
    }
  }
}

/** Nodes that were opened or closed since the start, by key. @param {any} view @returns {Map<string, number>} */
function turned(view) {
  const { tree, open } = view;
  const found = new Map();
  for (let node = 0; node < tree.n; node++)
    if (open[node] !== (tree.kind[node] === HEAD ? 1 : 0) && tree.end[node] > node + 1) found.set(keyOf(view, node), open[node]);
  return found;
}

/**
 * @param {any} view changed in place; nobody is told @param {any} payload @param {number} nowMs
 * @param {number[]} nodes to follow into the new state
 * @returns {number[]} where these are now, -1 for those that are gone
 */
export function renewView(view, payload, nowMs, nodes) {
  const opened = turned(view);
  const { all } = view;
  const wanted = new Map();
  for (const node of [view.selected, ...nodes]) if (node >= 0 && node < view.tree.n) wanted.set(keyOf(view, node), -1);
  const keys = [view.selected, ...nodes].map((node) => (node >= 0 && node < view.tree.n ? keyOf(view, node) : null));
  view.payload = payload;
  view.nowMs = nowMs;
  view.model = buildModel(payload, nowMs);
  view.tree = buildTree(view.model, payload);
  view.timeline = timelineOf(view.model, payload);
  view.axis = axisOf(view.timeline, view.folded);
  view.open = initialOpen(view.tree);
  if (opened.size || wanted.size) {
    for (let node = 0; node < view.tree.n; node++) {
      const key = keyOf(view, node);
      const open = opened.get(key);
      if (open !== undefined) view.open[node] = open;
      if (wanted.has(key)) wanted.set(key, node);
    }
  }
  view.range = all ? [view.axis.startMs, view.axis.endMs] : clampRange(view.axis, view.range[0], view.range[1]);
  if (view.query) view.found = view.find(view.asked.terms);
  const [selected, ...others] = keys.map((key) => (key === null ? -1 : (wanted.get(key) ?? -1)));
  view.selected = selected;
  return others;
}
