/**
 * Looks for `text:` terms in the bodies of calls, a few at a time, and tells what was looked through. In a report the bodies lie
 * in its blocks; from the server each is asked for, so that only so many are.
 */
import { count, counted } from '#format';
import { stringOf } from '#model';

const ASKED_MOST = 2000;
const AT_ONCE = 4;
const SHOW_MS = 300;
// Strings of an input are taken to this depth.
const DEEP = 12;

/** All texts of a body in lower case. @param {any} body */
export function bodyText(body) {
  /** @type {string[]} */
  const texts = [];
  const collect = (/** @type {any} */ value, /** @type {number} */ depth) => {
    if (typeof value === 'string') texts.push(value);
    else if (value && typeof value === 'object' && depth < DEEP) for (const part of Object.values(value)) collect(part, depth + 1);
  };
  collect(body?.input, 0);
  if (typeof body?.output === 'string') texts.push(body.output);
  return texts.join('\n').toLowerCase();
}

export class ContentSearch {
  /** @param {any} view its `searched` says what was looked through @param {import('#source').Source} source */
  constructor(view, source) {
    this.view = view;
    this.source = source;
    /** @type {object|null} the search that runs; another one takes its place */
    this.running = null;
    /** @type {any} */
    this.model = null;
    this.query = '';
    view.on('lines', () => this.look());
  }

  /** Begins anew where the query or the session is another one. */
  look() {
    const { view } = this;
    if (view.query === this.query && view.model === this.model) return;
    this.query = view.query;
    this.model = view.model;
    this.running = null;
    view.searched = '';
    const needles = view.needles();
    if (needles.length) this.search(needles);
    else view.contents.clear();
  }

  /** @param {string[]} needles */
  async search(needles) {
    const { view, source } = this;
    const run = {};
    this.running = run;
    for (const needle of view.contents.keys()) if (!needles.includes(needle)) view.contents.delete(needle);
    for (const needle of needles) if (!view.contents.has(needle)) view.contents.set(needle, new Map());
    const open = [...view.candidates()].filter((row) => needles.some((n) => !view.contents.get(n).has(view.model.id[row])));
    // The newest first: that is what one looks for most often.
    const rows = open.reverse().slice(0, source.report ? open.length : ASKED_MOST);
    let unread = 0;
    let shown = performance.now();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      const ids = some.map((row) => view.model.id[row]);
      const running = some.map((row) => stringOf(view.model, 'outcome', row) === 'running');
      const bodies = await Promise.all(
        some.map((row, i) => source.row(view.payload.session.id, row, ids[i]).catch(() => null)),
      );
      if (this.running !== run) return;
      bodies.forEach((body, i) => {
        if (!body) unread++;
        const text = bodyText(body);
        for (const needle of needles) {
          const found = text.includes(needle);
          // What still runs may write it yet.
          if (found || !running[i]) view.contents.get(needle)?.set(ids[i], found);
        }
      });
      if (performance.now() - shown < SHOW_MS) continue;
      shown = performance.now();
      this.tell(at + some.length, rows.length, open.length, unread, false);
    }
    this.running = null;
    this.tell(rows.length, rows.length, open.length, unread, true);
  }

  /** @param {number} done @param {number} asked @param {number} all @param {number} unread @param {boolean} whole */
  tell(done, asked, all, unread, whole) {
    const bodies = this.source.report ? 'as far as this report holds them' : 'input and output';
    const missing = unread ? `, ${count(unread)} could not be read` : '';
    if (!whole) this.view.searched = `searching contents: ${count(done)} of ${counted(asked, 'call')}\u2026`;
    else if (asked < all) this.view.searched = `contents of the newest ${count(asked)} of ${counted(all, 'call')} searched${missing}; more terms narrow it`;
    else this.view.searched = `contents of ${counted(all, 'call')} searched, ${bodies}${missing}`;
    this.view.refind();
  }
}
