/** The axis of a session: its range, and the gaps in it that are folded. */
import { gapsOf, makeAxis } from '#axis';

/** @param {any} model @param {any} payload @returns {{startMs: number, endMs: number, gaps: [number, number][]}} */
export function timelineOf(model, payload) {
  /** @type {number[]} */
  const points = [];
  /** @type {number[]} start and end in turn */
  const spans = [];
  const add = (/** @type {number|null|undefined} */ ms) => {
    if (typeof ms === 'number' && Number.isFinite(ms)) points.push(ms);
  };
  for (let row = 0; row < model.n; row++) {
    add(model.startMs[row]);
    add(model.endMs[row]);
    if (!Number.isNaN(model.ackMs[row])) add(model.startMs[row] + model.ackMs[row]);
    // An open row has no record of its end: it covers nothing.
    if (model.endMs[row] > model.startMs[row]) spans.push(model.startMs[row], model.endMs[row]);
  }
  for (const reply of payload.replies ?? []) {
    add(reply.ms);
    add(reply.endMs);
    if (reply.endMs > reply.ms) spans.push(reply.ms, reply.endMs);
  }
  for (const exchange of payload.exchanges ?? []) {
    add(exchange.startMs);
    add(exchange.endMs);
  }
  for (const prompt of payload.prompts ?? []) add(prompt.ms);
  for (const mark of payload.marks ?? []) {
    add(mark.ms);
    add(mark.endMs);
  }
  for (const agent of payload.agents ?? []) {
    add(agent.startMs);
    add(agent.endMs);
  }
  add(payload.session?.startMs);
  add(payload.session?.endMs);
  for (let row = 0; row < model.n; row++) if (Number.isNaN(model.endMs[row])) add(model.untilMs[row]);
  let startMs = Infinity;
  let endMs = -Infinity;
  for (const ms of points) {
    if (ms < startMs) startMs = ms;
    if (ms > endMs) endMs = ms;
  }
  if (startMs > endMs) return { startMs: 0, endMs: 1, gaps: [] };
  return { startMs, endMs, gaps: gapsOf(points, spans) };
}

/** @param {{startMs: number, endMs: number, gaps: [number, number][]}} timeline @param {boolean} folded */
export function axisOf(timeline, folded) {
  return makeAxis(timeline.startMs, timeline.endMs, folded ? timeline.gaps : []);
}
