/** Listens to the changes of one session, and tries again when the server is lost, less often each time. */

const FIRST_MS = 1000;
const MOST_MS = 30000;

export class LiveFeed {
  /**
   * @param {import('#source').Source} source @param {string} id @param {string} state that the page has
   * @param {{message: (message: any) => void, state: (words: {lost: number, status: number}|null) => void}} calls
   *   `state`: the seconds to the next try and why, or null when the server is there again
   */
  constructor(source, id, state, calls) {
    this.source = source;
    this.id = id;
    this.state = state;
    this.calls = calls;
    this.wait = FIRST_MS;
    this.timer = 0;
    /** @type {EventSource|null} */
    this.stream = null;
    this.wake = () => {
      if (this.timer) this.retry();
    };
    window.addEventListener('online', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    this.open();
  }

  open() {
    const stream = this.source.changes(this.id, this.state);
    this.stream = stream;
    stream.onopen = () => {
      this.wait = FIRST_MS;
      this.calls.state(null);
    };
    stream.onmessage = (event) => {
      if (event.lastEventId) this.state = event.lastEventId;
      this.calls.message(JSON.parse(event.data));
    };
    stream.onerror = () => this.lost(0);
  }

  /** @param {number} status of the last answer, 0 without any */
  lost(status) {
    this.pause();
    this.calls.state({ lost: Math.round(this.wait / 1000), status });
    this.timer = window.setTimeout(() => this.retry(), this.wait);
    this.wait = Math.min(this.wait * 2, MOST_MS);
  }

  /** A stream that is refused does not say why; a question does. */
  async retry() {
    this.pause();
    const mine = (this.asking = {});
    try {
      await this.source.sessions(9e14);
    } catch (error) {
      if (mine === this.asking) this.lost(/** @type {any} */ (error).status ?? 0);
      return;
    }
    if (mine === this.asking) this.open();
  }

  /** Closes the stream until `retry`, or until the timer that `lost` sets. */
  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.asking = null;
    this.stream?.close();
    this.stream = null;
  }

  close() {
    this.pause();
    window.removeEventListener('online', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
  }
}
