/** A transcript that is dropped on the start page, or chosen there: its bytes go to the server, which shows them as a session. */
import { button, el, refill } from '#el';
import { failureOf } from '#failure';
import { bytes } from '#format';

// As the server takes.
const MOST_MB = 256;

export class DropPlace {
  /**
   * @param {(file: File) => Promise<string>} send answers with the id of the session @param {(id: string) => void} open
   */
  constructor(send, open) {
    this.send = send;
    this.open = open;
    this.sending = false;
    this.input = el('input', { type: 'file', hidden: true });
    this.input.addEventListener('change', () => this.take([...(this.input.files ?? [])]));
    this.button = button('', () => this.input.click(), { class: 'quiet', title: 'Show a transcript (.jsonl) from anywhere; or drop it on this page' });
    this.button.append(el('span', { class: 'wide' }, 'Open a file\u2026'), el('span', { class: 'narrow' }, 'Open\u2026'));
    this.said = el('div', { class: 'dropsaid', role: 'status' });
    this.veil = el('div', { class: 'dropveil', hidden: true, 'aria-hidden': 'true' }, el('p', null, 'Drop a .jsonl to open it'));
    this.element = el('span', { class: 'dropplace' }, this.button, this.input);
    /** @type {[string, (event: any) => void][]} */
    this.listeners = [
      ['dragover', (event) => this.over(event)],
      ['dragleave', (event) => event.relatedTarget === null && this.cover(false)],
      ['drop', (event) => this.drop(event)],
    ];
    for (const [type, listener] of this.listeners) document.addEventListener(type, listener);
  }

  /** @param {boolean} on */
  cover(on) {
    this.veil.hidden = !on;
  }

  /** A link or a text that is dragged is the browser's own business. @param {DragEvent} event */
  over(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    this.cover(true);
  }

  /** Without this the browser would leave the page for the file. @param {DragEvent} event */
  drop(event) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.cover(false);
    this.take([...event.dataTransfer.files]);
  }

  /** @param {File[]} files */
  async take(files) {
    this.input.value = '';
    if (this.sending || !files.length) return;
    const [file] = files;
    if (files.length > 1) this.say('One file at a time. The files of its sub-agents are shown with a session below --root.');
    else if (!/\.jsonl$/i.test(file.name)) this.say('That is no .jsonl file.');
    else if (file.size > MOST_MB * 1048576) this.say(`The file has ${bytes(file.size)}, and ${MOST_MB} MB can be dropped. waterglass serve --root DIR reads any.`);
    else await this.hand(file);
  }

  /** @param {File} file */
  async hand(file) {
    this.sending = true;
    this.say(`Reading ${bytes(file.size)}\u2026`);
    try {
      const id = await this.send(file);
      this.open(id);
    } catch (error) {
      const failure = failureOf(error);
      this.say([failure.what, failure.hint].filter(Boolean).join(': '));
    } finally {
      this.sending = false;
    }
  }

  /** @param {string} words */
  say(words) {
    refill(this.said, words);
  }

  close() {
    for (const [type, listener] of this.listeners) document.removeEventListener(type, listener);
  }
}
