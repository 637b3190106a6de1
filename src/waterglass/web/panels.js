/** What opens in the detail without being a line: the evidence of a verdict, the session as a whole. */
import { metricPanel, signalPanel } from '#evidence';
import { Scorecard } from '#scorecard';
import { sessionPanel } from '#sessionpanel';
import { CALL, REPLY } from '#tree';

export class Panels {
  /** @param {any} page the session's page, whose `view`, `detail` and `place` are there */
  constructor(page) {
    this.page = page;
    /** @type {HTMLElement|null} where the focus goes when the panel closes */
    this.opener = null;
    // While a session grows its nodes get other numbers.
    const jump = (/** @type {number} */ node) => this.jump(page.live?.present(node) ?? node);
    this.scorecard = new Scorecard({
      metric: (metric) => this.open(metricPanel(page.view, metric, jump)),
      signal: (signal) => this.open(signalPanel(page.view, signal, jump)),
    });
    this.showSession = () => this.open(sessionPanel(page.view, jump));
  }

  /** Pressed again, what opened the panel closes it. @param {import('#detail').Panel} panel */
  open(panel) {
    const { detail } = this.page;
    if (detail.isOpen && detail.panel?.key === panel.key) {
      this.page.closeDetail();
      return;
    }
    this.opener = document.activeElement === document.body ? null : /** @type {HTMLElement} */ (document.activeElement);
    detail.showPanel(panel);
    this.shown(panel.key);
  }

  /** @param {string|null} key of the panel that is open now */
  shown(key) {
    this.scorecard.mark(key);
    this.page.place.update({ card: key });
  }

  /** The panel that an address names; a tile may come later. @param {string|null} card */
  openNamed(card) {
    if (card === null || this.page.detail.panel?.key === card) return;
    if (card === 'session') this.showSession();
    else this.scorecard.tiles.get(card)?.click();
  }

  /** Goes to a line from outside the grid, whatever hides it now. @param {number} node */
  jump(node) {
    const { view, filter, grid } = this.page;
    if (node < 0) return;
    if (view.found && !view.found.marks[node]) filter.set('');
    const kind = view.tree.kind[node];
    if (kind === CALL && !view.calls) view.setShown('calls', true);
    if (kind === REPLY && !view.replies) view.setShown('replies', true);
    view.select(node);
    grid.list.reveal(view.selectedLine, 'middle');
    view.show(node);
  }
}
