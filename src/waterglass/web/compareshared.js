/** One time scale for several waterfalls: each from its own first record on. */
import { fitRange } from '#range';

export class SharedScale {
  /** @param {any[]} views */
  constructor(views) {
    this.views = views;
    this.own = views.map((view) => view.timeline);
    this.on = false;
    this.spreading = false;
    for (const view of views) view.on('range', () => this.spread(view));
  }

  /**
   * Shared, every axis is as long as the longest session and has no folded gaps, which would stand elsewhere in each.
   * @param {boolean} on
   */
  set(on) {
    this.on = on;
    const longest = Math.max(...this.own.map(({ startMs, endMs }) => endMs - startMs));
    this.spreading = true;
    this.views.forEach((view, n) => {
      const { startMs } = this.own[n];
      view.timeline = on ? { startMs, endMs: startMs + longest, gaps: [] } : this.own[n];
      view.sinceStart = on;
      view.setFolded(view.folded);
      view.fitAll();
      view.setFollow(!on);
    });
    this.spreading = false;
  }

  /** All show the spans, which count from the first records. @param {([number, number]|null)[]} spans */
  show(spans) {
    const known = spans.flatMap((span) => span ?? []);
    if (!this.on || !known.length) return;
    const { axis } = this.views[0];
    const [from, to] = [Math.min(...known), Math.max(...known)].map((since) => axis.startMs + since);
    this.views[0].setRange(fitRange(axis, from, to));
  }

  /** The range that one view shows is shown by all. @param {any} view */
  spread(view) {
    if (!this.on || this.spreading) return;
    this.spreading = true;
    const [from, to] = view.range.map((/** @type {number} */ ms) => ms - view.timeline.startMs);
    for (const other of this.views) {
      if (other !== view) other.setRange([other.timeline.startMs + from, other.timeline.startMs + to]);
    }
    this.spreading = false;
  }
}
