/** Asks for the list of sessions again and again: often while it is still read, afterwards now and then. */
import { failureOf } from '#failure';
import { mergeSessions } from '#shelf';

const AT_ONCE_MS = 100;
const SOON_MS = 400;
const LATER_MS = 2000;
export const RETRY_S = 4;
// The newest are shown before the rest is asked for: 6,000 take the browser longer to take in than to draw. The document asks for as many.
const FIRST = 200;
// Only a question for the whole list has the folders looked through again; 6,000 sessions are some 3 MB.
const WHOLE_EVERY = 15;

export class ShelfFeed {
  /**
   * @param {import('#source').Source} source
   * @param {{changed: () => void, lost: (failure: import('#failure').Failure) => void}} calls
   */
  constructor(source, calls) {
    this.source = source;
    this.calls = calls;
    /** @type {Map<string, any>} */
    this.known = new Map();
    /** @type {any[]} all sessions known */
    this.all = [];
    /** @type {any} the newest answer, null before the first */
    this.last = null;
    /** @type {number|null} */
    this.revision = null;
    this.completed = false;
    this.wasLost = false;
    this.asked = 0;
    this.closed = false;
    this.poll();
  }

  async poll() {
    let wait = LATER_MS;
    try {
      const none = this.all.length === 0;
      const whole = none || this.revision === null || (this.completed && this.asked % WHOLE_EVERY === 0);
      const answer = await this.source.sessions(whole ? null : this.revision, none ? FIRST : null);
      if (this.closed) return;
      if (this.take(answer, whole)) this.calls.changed();
      if (!answer.complete) wait = answer.partial ? 0 : this.all.length ? SOON_MS : AT_ONCE_MS;
    } catch (error) {
      if (this.closed) return;
      this.wasLost = true;
      wait = RETRY_S * 1000;
      this.calls.lost(failureOf(error));
    }
    this.timer = setTimeout(() => this.poll(), wait);
  }

  /** @param {any} answer @param {boolean} whole @returns {boolean} is there something new to show? */
  take(answer, whole) {
    const news =
      !this.last ||
      this.wasLost ||
      answer.begun !== this.last.begun ||
      answer.sessions?.length > 0 ||
      answer.removed?.length > 0 ||
      (answer.complete && !this.completed);
    this.asked++;
    this.last = answer;
    this.revision = answer.revision ?? null;
    this.all = mergeSessions(this.known, answer, whole);
    this.completed = this.completed || answer.complete;
    this.wasLost = false;
    return news;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
