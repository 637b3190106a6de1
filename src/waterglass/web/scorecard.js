/** The scorecard: a tile for each metric, and the signals of health as one quiet line beside them. */
import { button, el, refill, setClass, setText } from '#el';
import { bytes, clock, count, duration, known, percent, tokens, UNKNOWN } from '#format';
import { oneLine, visible } from '#plain';

// Glyph and word say the status; the colour only repeats it.
const STATUS = new Map(
  Object.entries({
    ok: ['\u2713', 'ok'],
    warn: ['\u25b3', 'warning'],
    alert: ['\u25b2', 'alert'],
    unknown: ['?', 'cannot tell'],
    na: ['\u2013', 'does not apply'],
  }),
);

/** @param {string} status @returns {{look: string, glyph: string, words: string}} a status of another version is "cannot tell" */
export function statusOf(status) {
  const look = STATUS.has(status) ? status : 'unknown';
  const [glyph, words] = /** @type {string[]} */ (STATUS.get(look));
  return { look, glyph, words };
}

/**
 * A figure with its unit: `3 loops`, `62 %`, `1m 05s`; "–" when it is not known.
 * @param {number|null|undefined} value @param {string|null|undefined} unit
 */
export function figure(value, unit) {
  if (!known(value)) return UNKNOWN;
  if (unit === 'share' || unit === 'ratio') return percent(value * 100);
  if (unit === '%' || unit === 'percent') return percent(value);
  if (unit === 'ms') return duration(value);
  if (unit === 'tokens') return `${tokens(value)} tokens`;
  if (unit === 'bytes') return bytes(value);
  const number = Number.isInteger(value) || Math.abs(value) >= 100 ? count(value) : String(Number(value.toFixed(2)));
  const words = oneLine(unit ?? '', 40);
  return words ? `${number} ${value === 1 ? words.replace(/^(\w+)s\b/, '$1') : words}` : number;
}

/** The sentence of a tile, with the figure before it unless it holds it. @param {any} metric */
function sentenceOf(metric) {
  const words = oneLine(String(metric.display ?? ''), 160);
  const value = known(metric.value) ? figure(metric.value, metric.unit) : '';
  return { value: value && !words.includes(value.split(' ')[0]) ? value : '', words: words || UNKNOWN };
}

/** The signals of a payload's `health`, a list or an object that holds one. @param {any} health @returns {any[]} */
function signalsOf(health) {
  const list = Array.isArray(health) ? health : (health?.signals ?? []);
  return list.filter((/** @type {any} */ signal) => known(signal?.value));
}

/** `contextFill` and `context_fill` as `context fill`. @param {string} id */
export function signalName(id) {
  return oneLine(
    String(id)
      .replace(/[_-]+/g, ' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replace(/\bre reads\b/, 're-reads'),
    40,
  );
}

export class Scorecard {
  /** @param {{metric: (metric: any) => void, signal: (signal: any) => void}} open */
  constructor(open) {
    this.open = open;
    this.element = el('section', { class: 'scorecard', 'aria-label': 'Scorecard' });
    /** @type {Map<string, any>} */
    this.tiles = new Map();
    this.age = el('p', { class: 'cardage', role: 'status', hidden: true });
  }

  /** Says that the session has grown since it was judged, and when that was. @param {number|null} ms null: it has not */
  older(ms) {
    this.age.hidden = ms === null;
    setText(this.age, ms === null ? '' : `judged ${clock(ms, 'm')}, the session has grown since`);
  }

  /** Null parts are left out; without any the strip is hidden. @param {any} payload */
  set(payload) {
    const metrics = (payload.metrics ?? []).filter(Boolean);
    const signals = signalsOf(payload.health);
    this.tiles = new Map(metrics.map((/** @type {any} */ metric) => [metric.id, this.tile(metric)]));
    refill(
      this.element,
      this.tiles.size ? el('div', { class: 'tiles' }, ...this.tiles.values()) : null,
      signals.length || this.tiles.size
        ? el('div', { class: 'signals' }, ...signals.map((signal) => this.signal(signal)), this.age)
        : null,
    );
    this.element.hidden = !this.tiles.size && !signals.length;
  }

  /** @param {any} metric */
  tile(metric) {
    const { look, glyph, words } = statusOf(metric.status);
    const { value, words: sentence } = sentenceOf(metric);
    const label = oneLine(String(metric.label ?? metric.id), 60);
    return el(
      'button',
      {
        type: 'button',
        class: `tile m-${look}`,
        'data-metric': String(metric.id),
        'aria-expanded': 'false',
        title: `${label}: ${sentence}\n\n${visible(String(metric.explanation ?? ''))}`,
        on: { click: () => this.open.metric(metric) },
      },
      el(
        'span',
        { class: 'tilehead' },
        el('span', { class: 'tilelabel' }, label),
        el('span', { class: 'verdict' }, el('span', { class: 'verdictglyph', 'aria-hidden': 'true' }, glyph), words),
      ),
      el('span', { class: 'tilewords' }, value ? el('b', null, value) : null, value ? ' ' : null, sentence),
    );
  }

  /** @param {any} signal */
  signal(signal) {
    const name = signalName(signal.id);
    // "compactions 1 compaction" says it twice.
    const twice = name.includes(String(signal.unit ?? '').replace(/s$/, '') || '\n');
    const words = `${name} ${figure(signal.value, twice ? '' : signal.unit)}`;
    const title = visible(typeof signal.basis === 'string' ? signal.basis : '');
    return button(words, () => this.open.signal(signal), { class: 'signal', title });
  }

  /** Shows which tile's evidence is open. @param {string|null} id */
  mark(id) {
    for (const [key, tile] of this.tiles) {
      tile.setAttribute('aria-expanded', String(key === id));
      setClass(tile, tile.className.replace(/ open$/, '') + (key === id ? ' open' : ''));
    }
  }
}
