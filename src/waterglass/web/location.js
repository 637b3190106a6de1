/** The page's place in the address bar. Changes are written a moment later, together. */
import { parseAddress, printAddress } from '#address';

const DELAY_MS = 250;

export class Place {
  /** @param {(before: import('#address').Address) => void} moved the person went back, forward, or typed another address */
  constructor(moved) {
    this.now = parseAddress(window.location.hash);
    this.timer = 0;
    this.pushNext = false;
    const listen = () => {
      if (printAddress(this.now) === window.location.hash) return;
      const before = this.now;
      this.now = parseAddress(window.location.hash);
      clearTimeout(this.timer);
      this.timer = 0;
      moved(before);
    };
    window.addEventListener('popstate', listen);
    window.addEventListener('hashchange', listen);
  }

  /** @param {Partial<import('#address').Address>} part @param {boolean} [push] a step to come back from */
  update(part, push = false) {
    this.now = { ...this.now, ...part };
    this.pushNext = this.pushNext || push;
    if (push) this.write();
    else if (!this.timer) this.timer = window.setTimeout(() => this.write(), DELAY_MS);
  }

  /** What is shown now is a step to come back to: the next change goes beyond it. */
  step() {
    this.write();
    this.pushNext = true;
  }

  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    const hash = printAddress(this.now);
    const push = this.pushNext;
    this.pushNext = false;
    if (hash === window.location.hash) return;
    try {
      if (push) history.pushState(null, '', hash);
      else history.replaceState(null, '', hash);
    } catch {
      // Browsers limit how often a page may write its address; the next change tries again.
    }
  }
}
