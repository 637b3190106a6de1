/** The line at the foot of the session view. No document. */
import { count, counted, duration, tokens } from '#format';

/** @param {any} view @returns {string} */
export function statusWords(view) {
  const { found, model, payload, sort, sorted } = view;
  const errors = found ? found.errors : view.tree.exchanges.reduce((/** @type {number} */ sum, /** @type {any} */ x) => sum + (x.errors ?? 0), 0);
  const live = payload.session.state === 'live';
  return [
    found ? `${count(found.calls)} of ${counted(model.n, 'call')}` : counted(model.n, 'call'),
    counted(errors, 'error'),
    view.searched,
    payload.usage ? `${tokens(payload.usage.output)} tokens written` : null,
    payload.time?.wallMs ? duration(payload.time.wallMs) : null,
    live ? (payload.report ? 'live when read' : 'live') : null,
    sorted ? `calls by ${sort.key}, ${sort.down ? 'descending' : 'ascending'} (Esc: tree order)` : null,
  ]
    .filter(Boolean)
    .join(' \u00b7 ');
}
