/** The panel below the grid: the whole of what is selected. */
import { copyItems, copyMenu } from '#copymenu';
import { Dock } from '#dock';
import { button, el, refill } from '#el';
import { failureOf } from '#failure';
import { lineText } from '#linetext';
import { ROW_TABS, rowTab } from '#rowtabs';
import { markTab, promptTab, replyTab } from '#texttabs';
import { CALL, HEAD, MARK, REPLY } from '#tree';

const NAMES = new Map(
  Object.entries({
    output: 'Output',
    input: 'Input',
    timing: 'Timing',
    context: 'Context',
    raw: 'Raw',
    text: 'Text',
    thinking: 'Thinking',
    mark: 'Mark',
  }),
);

/** @typedef {{key: string, title: string, tabs: any[][]}} Panel tabs: name, words, a function that makes the element */

export class Detail {
  /**
   * @param {any} view @param {import('#source').Source} source
   * @param {{tabbed: (tab: string) => void, closed: () => void, step: (by: number) => void, jump: (node: number) => void}} calls
   */
  constructor(view, source, calls) {
    this.view = view;
    this.source = source;
    this.calls = calls;
    this.node = -1;
    /** @type {import('#detail').Panel|null} what is shown instead of a line */
    this.panel = null;
    this.tab = '';
    /** Counts what was asked for: only the last of it is shown. */
    this.loads = 0;
    this.waiting = 0;
    this.title = el('h2', { class: 'detailtitle' });
    this.tabs = el('div', { class: 'tabs', role: 'tablist' });
    this.tools = el('span', { class: 'detailtools' });
    this.body = el('div', { class: 'detailbody', role: 'tabpanel', tabindex: '0' });
    this.element = el(
      'section',
      { class: 'detail', 'aria-label': 'Detail', hidden: true },
      el(
        'header',
        null,
        this.title,
        this.tabs,
        this.tools,
        button('\u2191', () => calls.step(-1), { 'aria-label': 'Line before', class: 'quiet step' }),
        button('\u2193', () => calls.step(1), { 'aria-label': 'Next line', class: 'quiet step' }),
        button('\u2715', () => calls.closed(), { 'aria-label': 'Close detail (Esc)', class: 'quiet' }),
      ),
      this.body,
    );
    this.dock = new Dock(this.element);
    this.element.prepend(this.dock.grip);
    this.element.querySelector('header')?.lastElementChild?.before(this.dock.press);
    this.listen();
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Tabs for a node, the first one shown by default. @param {number} node */
  tabsOf(node) {
    const kind = this.view.tree.kind[node];
    if (kind === CALL) return ROW_TABS;
    if (kind === REPLY) return ['text', 'thinking', 'timing'];
    return kind === MARK ? ['mark'] : ['text', 'timing'];
  }

  /** @param {number} node @param {string|null} [tab] */
  show(node, tab = null) {
    this.node = node;
    this.panel = null;
    this.element.hidden = false;
    this.element.classList.remove('panel');
    const tabs = this.tabsOf(node);
    const wanted = tab ?? this.tab;
    const words = lineText(this.view, node);
    refill(
      this.title,
      words.type && words.kind ? el('i', { class: `swatch k-${words.kind}` }) : null,
      words.kind ? `${words.type} \u00b7 ${words.name}` : words.name,
    );
    this.title.title = words.name;
    this.putTabs(tabs.map((name) => [name, NAMES.get(name) ?? name]));
    this.dock.measure();
    this.choose(tabs.includes(wanted) ? wanted : tabs[0], false);
  }

  /** Shows something that is no line: it stays while the selection moves. @param {Panel} panel */
  showPanel(panel) {
    this.node = -1;
    this.panel = panel;
    this.element.hidden = false;
    this.element.classList.add('panel');
    refill(this.title, panel.title);
    this.title.title = panel.title;
    refill(this.tools);
    this.putTabs(panel.tabs);
    this.choose(panel.tabs[0][0], false);
    this.dock.measure();
  }

  /** @param {any[][]} tabs name and words */
  putTabs(tabs) {
    refill(
      this.tabs,
      ...tabs.map(([name, words]) => button(words, () => this.choose(name), { role: 'tab', 'data-tab': name })),
    );
  }

  /** @param {string} tab @param {boolean} [byHand] */
  choose(tab, byHand = true) {
    if (byHand && !this.panel) {
      this.tab = tab;
      this.calls.tabbed(tab);
    }
    for (const press of this.tabs.children) {
      const on = press.dataset.tab === tab;
      press.setAttribute('aria-selected', String(on));
      // One stop for the Tab key; the arrows go from tab to tab.
      press.tabIndex = on ? 0 : -1;
    }
    if (this.panel) {
      clearTimeout(this.waiting);
      this.body.removeAttribute('aria-busy');
      refill(this.body, this.panel.tabs.find(([name]) => name === tab)?.[2]());
      this.body.scrollTop = 0;
    } else this.load(tab);
  }

  /**
   * Shows a tab once its data is there; an answer that comes too late for what is selected now is dropped. Meanwhile a
   * session that grows may give its nodes other numbers.
   * @param {string} tab
   */
  async load(tab) {
    const number = ++this.loads;
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => refill(this.body, el('p', { class: 'none' }, 'Reading\u2026')), 80);
    this.body.setAttribute('aria-busy', 'true');
    let content;
    let tools = [];
    try {
      const body = await this.bodyOf(this.node, number);
      if (number !== this.loads || this.panel || !this.isOpen) return;
      content = this.render(tab, this.node, body);
      tools = [copyMenu(copyItems(this.view, this.node, body))];
    } catch (error) {
      const failure = failureOf(error);
      content = el(
        'p',
        { class: 'fault', role: 'alert' },
        `${failure.what}. ${failure.hint} `,
        button('Try again', () => this.load(tab)),
      );
    }
    if (number !== this.loads || this.panel || !this.isOpen) return;
    clearTimeout(this.waiting);
    this.body.removeAttribute('aria-busy');
    refill(this.body, content);
    refill(this.tools, ...tools);
    this.body.scrollTop = 0;
  }

  /** @param {number} node @param {number} number of the load @returns {Promise<any>} */
  async bodyOf(node, number) {
    const { payload, tree, model } = this.view;
    const { id } = payload.session;
    const ref = tree.ref[node];
    if (tree.kind[node] === CALL) {
      if (this.kept?.node === node) return this.kept.body;
      const body = await this.source.row(id, ref, model.id[ref]);
      if (number === this.loads) this.kept = { node: this.node, body };
      return body;
    }
    if (tree.kind[node] === REPLY) {
      const reply = payload.replies[ref];
      if (!isCut(reply, 'text', 'textChars') && !isCut(reply, 'thinking', 'thinkingChars')) return reply;
      return this.source.reply(id, reply.id);
    }
    if (tree.kind[node] === MARK) return payload.marks[ref];
    const prompt = this.promptOf(node);
    return isCut(prompt, 'text', 'textChars') ? this.source.prompt(id, prompt.uuid) : prompt;
  }

  /** @param {number} node */
  promptOf(node) {
    const { payload, tree } = this.view;
    const ref = tree.kind[node] === HEAD ? tree.exchanges[tree.ref[node]].prompt : tree.ref[node];
    return ref === null || ref === undefined ? null : payload.prompts[ref];
  }

  /** @param {string} tab @param {number} node @param {any} body */
  render(tab, node, body) {
    const { tree, payload } = this.view;
    const ref = tree.ref[node];
    if (tree.kind[node] === CALL) return rowTab(tab, this.view, ref, body, this.calls.jump);
    if (tree.kind[node] === REPLY) return replyTab(tab, this.view, payload.replies[ref], body);
    if (tree.kind[node] === MARK) return markTab(body);
    return promptTab(
      tab,
      this.view,
      this.promptOf(node),
      body?.text ?? '',
      tree.kind[node] === HEAD ? tree.exchanges[ref] : null,
    );
  }

  hide() {
    this.element.hidden = true;
    this.node = -1;
    this.panel = null;
  }

  /** Arrows go from tab to tab. */
  listen() {
    this.tabs.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      const all = [...this.tabs.children];
      const next = by ? all[(all.indexOf(/** @type {any} */ (event.target)) + by + all.length) % all.length] : null;
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      next.click();
      next.focus();
    });
  }
}

/** Is a text of the payload cut? @param {any} holder @param {string} key @param {string} size */
function isCut(holder, key, size) {
  return typeof holder?.[key] === 'string' && typeof holder[size] === 'number' && holder[size] > holder[key].length;
}
