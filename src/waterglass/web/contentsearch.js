/**
 * Looks for `text:` terms in the bodies of calls and tells what was looked through. The server looks by itself, a while at a time;
 * in a report, and where only a few calls are left, as in a session that grows, each body is looked into here.
 */
import { failureOf } from '#failure';
import { count, counted } from '#format';
import { stringOf } from '#model';

const FEW = 8;
const AT_ONCE = 4;
const SHOW_MS = 300;
// Strings of an input are taken to this depth; the server goes as deep.
const DEEP = 12;

/** All texts of a body in lower case. @param {any} body */
function bodyText(body) {
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
    const all = view.candidates();
    const open = all.filter((row) => needles.some((n) => !view.contents.get(n).has(view.model.id[row])));
    if (source.find && open.length > FEW) await this.ask(run, needles);
    else await this.read(run, needles, open.reverse(), all.length);
  }

  /** The server looks through all calls, from the newest on. @param {object} run @param {string[]} needles */
  async ask(run, needles) {
    const { view, source } = this;
    const { id } = view.model;
    const places = new Map(id.map((/** @type {string} */ row, /** @type {number} */ at) => [row, at]));
    const found = needles.map(() => new Set());
    let [upper, done, unread] = [view.model.n, 0, 0];
    let from = null;
    do {
      let answer;
      try {
        answer = await /** @type {any} */ (source).find(view.payload.session.id, needles, from);
      } catch (error) {
        if (this.running === run) this.stop(failureOf(error));
        return;
      }
      if (this.running !== run) return;
      answer.found.forEach((/** @type {string[]} */ rows, /** @type {number} */ i) => rows.forEach((row) => found[i].add(row)));
      done += answer.searched;
      unread += answer.unread;
      from = answer.next;
      // Where the server has calls that this page does not know yet, the place is seen at the next one that it knows.
      const lower = from === null ? 0 : (places.get(from) ?? upper - 1) + 1;
      for (let row = lower; row < upper; row++) needles.forEach((needle, i) => this.know(needle, row, found[i].has(id[row])));
      upper = Math.min(upper, lower);
      if (from !== null) this.tell(`searching contents: ${count(done)} of ${counted(Math.max(view.model.n, done), 'call')}\u2026`);
    } while (from !== null);
    this.running = null;
    this.tell(`contents of ${counted(done, 'call')} searched, input and output${missing(unread)}`);
  }

  /**
   * Bodies are looked into here, one after another.
   * @param {object} run @param {string[]} needles @param {number[]} rows @param {number} all calls, with those looked into before
   */
  async read(run, needles, rows, all) {
    const { view, source } = this;
    let unread = 0;
    let shown = performance.now();
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      const bodies = await Promise.all(
        some.map((row) => source.row(view.payload.session.id, row, view.model.id[row]).catch(() => null)),
      );
      if (this.running !== run) return;
      bodies.forEach((body, i) => {
        if (!body) unread++;
        const text = bodyText(body);
        for (const needle of needles) this.know(needle, some[i], text.includes(needle));
      });
      if (performance.now() - shown < SHOW_MS) continue;
      shown = performance.now();
      this.tell(`searching contents: ${count(at + some.length)} of ${counted(rows.length, 'call')}\u2026`);
    }
    this.running = null;
    const bodies = source.report ? 'as far as this report holds them' : 'input and output';
    this.tell(`contents of ${counted(all, 'call')} searched, ${bodies}${missing(unread)}`);
  }

  /** What still runs may write it yet. @param {string} needle @param {number} row @param {boolean} found */
  know(needle, row, found) {
    const { model, contents } = this.view;
    if (found || stringOf(model, 'outcome', row) !== 'running') contents.get(needle)?.set(model.id[row], found);
  }

  /** @param {import('#failure').Failure} failure */
  stop({ what, hint }) {
    this.running = null;
    this.tell(`contents could not be searched: ${hint ? `${what}, ${hint}` : what}`);
  }

  /** @param {string} words */
  tell(words) {
    this.view.searched = words;
    this.view.refind();
  }
}

/** @param {number} unread calls */
const missing = (unread) => (unread ? `, ${count(unread)} could not be read` : '');
