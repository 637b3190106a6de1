/** The scorecard, asked for apart: of a long session it takes longer than all the rest, and while a session grows it is
 * asked for once it rests. */

const REST_MS = 3000;

export class Judging {
  /** @param {any} page the session's page @param {(id: string) => Promise<any>} ask */
  constructor(page, ask) {
    this.page = page;
    this.ask = ask;
    this.asked = 0;
    this.judgedMs = Date.now();
    this.timer = 0;
    if (this.payload.metrics === null) this.soon(0);
  }

  get payload() {
    return this.page.view.payload;
  }

  /** The session has grown: what was judged may no longer hold. */
  changed() {
    if (this.payload.metrics) this.page.scorecard.older(this.judgedMs);
    this.soon(REST_MS);
  }

  /** @param {number} ms */
  soon(ms) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.judge(), ms);
  }

  async judge() {
    const number = ++this.asked;
    const { payload } = this;
    let found;
    try {
      found = await this.ask(payload.session.id);
    } catch {
      return; // the page says elsewhere that the server is gone; the tiles stay as they are
    }
    if (number !== this.asked || !this.page.grid.element.isConnected) return;
    const { metrics, health, cost } = found;
    this.judgedMs = Date.now();
    this.page.scorecard.older(null);
    Object.assign(this.payload, { metrics, health, cost });
    this.page.scorecard.set(this.payload);
    this.page.scorecard.mark(this.page.detail.panel?.key ?? null);
    this.page.judged();
  }
}
