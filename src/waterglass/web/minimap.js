/** The overview: busy time by kind, an error lane, the context strip, compactions and the window. */
import { scaleOf, timeOf, xOf } from '#axis';
import { densityOf, heatOf, heatSteps } from '#density';
import { el } from '#el';
import { KINDS } from '#kinds';
import { compactionMarks } from '#ruler';
import { breaksOf } from '#ticks';

const BUSY = 34;
const ERRORS = 5;
const HEAT = 14;
const GAP = 2;
const HEIGHT = BUSY + ERRORS + HEAT + GAP;
const GRIP = 6;
const PACE_MS = 1000;

export class Minimap {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.canvas = el('canvas', { class: 'density' });
    this.window = el('div', { class: 'window' }, el('i', { class: 'grip left' }), el('i', { class: 'grip right' }));
    this.element = el(
      'div',
      {
        class: 'minimap',
        role: 'img',
        'aria-label': 'Overview of the session: busy time by type, errors, context',
        title: 'Drag to choose a range, double-click for all',
      },
      this.canvas,
      this.window,
    );
    this.width = 0;
    this.timer = 0;
    this.drawn = -PACE_MS;
    this.watcher = new ResizeObserver(() => {
      this.width = this.element.clientWidth;
      this.draw();
      this.place();
    });
    view.on('range', () => this.place());
    view.on('mode', () => this.draw());
    this.listen();
  }

  start() {
    this.watcher.observe(this.element);
  }

  get scale() {
    const { axis } = this.view;
    return scaleOf(axis, axis.startMs, axis.endMs, this.width);
  }

  /** Where the window is. */
  place() {
    if (!this.width) return;
    const { axis, range } = this.view;
    const left = xOf(axis, this.scale, range[0]);
    const right = xOf(axis, this.scale, range[1]);
    this.window.style.left = `${left.toFixed(1)}px`;
    this.window.style.width = `${Math.max(right - left, 3).toFixed(1)}px`;
  }

  /** For a session that grows: its overview is drawn once a second at most, since that takes a while for a long one. */
  drawSoon() {
    if (this.timer) return;
    this.timer = window.setTimeout(() => this.draw(), Math.max(0, this.drawn + PACE_MS - performance.now()));
  }

  draw() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.drawn = performance.now();
    if (!this.width) return;
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(HEIGHT * ratio);
    const pen = this.canvas.getContext('2d');
    const style = getComputedStyle(this.element);
    const color = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, HEIGHT);
    this.drawBusy(pen, color);
    this.drawHeat(pen, color);
    pen.fillStyle = color('line');
    for (const fold of breaksOf(this.view.axis, this.scale)) {
      for (let x = fold.x + 1; x < fold.x + fold.width - 1; x += 4) pen.fillRect(x, 0, 1.5, HEIGHT);
    }
    pen.fillStyle = color('compact');
    for (const mark of compactionMarks(this.view, this.scale))
      pen.fillRect(mark.x - 1, BUSY + ERRORS, 2, HEIGHT - BUSY - ERRORS);
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} color */
  drawBusy(pen, color) {
    const width = Math.floor(this.width);
    const { busy, errors } = densityOf(this.view.model, this.view.axis, width);
    let most = 1;
    for (let x = 0; x < width; x++)
      most = Math.max(
        most,
        busy.reduce((sum, column) => sum + column[x], 0),
      );
    // The square root keeps one call visible beside fifty at once.
    const high = (/** @type {number} */ n) => (BUSY - 2) * Math.sqrt(n / most);
    const colors = KINDS.map((kind) => color(`k-${kind}`));
    for (let x = 0; x < width; x++) {
      let below = 0;
      for (let kind = 0; kind < KINDS.length; kind++) {
        if (!busy[kind][x]) continue;
        const from = high(below);
        below += busy[kind][x];
        pen.fillStyle = colors[kind];
        const to = Math.max(high(below), from + 1);
        pen.fillRect(x, BUSY - to, 1, to - from);
      }
    }
    pen.fillStyle = color('error');
    for (let x = 0; x < width; x++) if (errors[x]) pen.fillRect(x - 0.5, BUSY + 1, 2, ERRORS - 1);
  }

  /** @param {CanvasRenderingContext2D} pen @param {(name: string) => string} color */
  drawHeat(pen, color) {
    const context = this.view.payload.context;
    const assumed = context?.windowSource === 'assumed';
    for (const step of heatSteps(context?.series ?? [], context?.window ?? null, this.view.axis, this.scale)) {
      const height = Math.max(step.share * HEAT, 1);
      // An assumed window gives no warning colour.
      pen.fillStyle = color(`h${Math.min(heatOf(step.share * 100), assumed ? 2 : 4)}`);
      pen.fillRect(step.x, HEIGHT - height, step.width, height);
      if (!assumed) continue;
      pen.fillStyle = color('bg');
      for (let x = Math.ceil(step.x / 4) * 4; x < step.x + step.width; x += 4) pen.fillRect(x, HEIGHT - height, 1, height);
    }
  }

  listen() {
    /** @type {{mode: 'left'|'right'|'move'|'new', x: number, range: [number, number]}|null} */
    let drag = null;
    let begun = false;
    const at = (/** @type {PointerEvent} */ event) => event.clientX - this.element.getBoundingClientRect().left;
    this.element.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      const x = at(event);
      const { axis, range } = this.view;
      const left = xOf(axis, this.scale, range[0]);
      const right = xOf(axis, this.scale, range[1]);
      const all = right - left > this.width - 4;
      const mode =
        Math.abs(x - left) <= GRIP
          ? 'left'
          : Math.abs(x - right) <= GRIP
            ? 'right'
            : x > left && x < right && !all
              ? 'move'
              : 'new';
      drag = { mode, x, range: [range[0], range[1]] };
      begun = false;
      this.element.setPointerCapture(event.pointerId);
    });
    this.element.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (!drag) return;
      if (!begun) this.view.tell('step');
      begun = true;
      this.dragTo(drag, at(event));
    });
    const stop = () => {
      drag = null;
    };
    this.element.addEventListener('pointerup', stop);
    this.element.addEventListener('pointercancel', stop);
    this.element.addEventListener('dblclick', () => this.view.fitAll());
  }

  /** @param {{mode: string, x: number, range: [number, number]}} drag @param {number} x */
  dragTo(drag, x) {
    const { axis } = this.view;
    const time = (/** @type {number} */ px) => timeOf(axis, this.scale, Math.max(0, Math.min(px, this.width)));
    if (drag.mode === 'left') this.view.setRange([time(x), drag.range[1]]);
    else if (drag.mode === 'right') this.view.setRange([drag.range[0], time(x)]);
    else if (drag.mode === 'move') {
      const dx = x - drag.x;
      const left = xOf(axis, this.scale, drag.range[0]);
      const right = xOf(axis, this.scale, drag.range[1]);
      const room = Math.max(-left, Math.min(dx, this.width - right));
      this.view.setRange([time(left + room), time(right + room)]);
    } else if (Math.abs(x - drag.x) > 3) this.view.setRange([time(Math.min(x, drag.x)), time(Math.max(x, drag.x))]);
  }

  close() {
    clearTimeout(this.timer);
    this.watcher.disconnect();
  }
}
