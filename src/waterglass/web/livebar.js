/** The line at the grid's foot: following, what is new below, or that the server is lost. */
import { button, el, refill } from '#el';
import { count } from '#format';

export class LiveBar {
  /** @param {() => void} down the button was pressed: to the newest line */
  constructor(down) {
    this.down = down;
    this.shown = '';
    this.element = el('div', { class: 'livebar', role: 'status', hidden: true });
  }

  /** @param {{live: boolean, atEnd: boolean, fresh: number, gone: boolean, lost: {lost: number, status: number}|null}} now */
  show({ live, atEnd, fresh, gone, lost }) {
    let words = '';
    let kind = '';
    if (lost) {
      words = lost.status === 401
        ? 'Disconnected: waterglass was started anew. Open the address that it printed.'
        : `Disconnected, retrying in ${lost.lost} s. What is shown stays.`;
      kind = 'lost';
    } else if (gone) {
      words = 'The files of this session are gone. What is shown stays.';
      kind = 'lost';
    } else if (fresh > 0 && !atEnd) {
      words = `\u2193 ${count(fresh)} new below`;
      kind = 'fresh';
    } else if (live) {
      words = atEnd ? 'Following' : 'Live';
      kind = atEnd ? 'following' : 'live';
    }
    const shown = `${kind} ${words}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.element.hidden = !words;
    this.element.className = `livebar ${kind}`;
    refill(
      this.element,
      kind === 'lost' || kind === '' ? null : el('i', { class: 'dot', 'aria-hidden': 'true' }),
      kind === 'fresh' || kind === 'live' ? button(words, this.down, { class: 'link', title: 'To the newest line' }) : words,
    );
  }
}
