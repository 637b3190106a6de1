/** Where the detail stands, below the grid or right of it, and how large it is. */
import { button, el } from '#el';

const KEY = 'waterglass-dock';
const LEAST = { bottom: 90, right: 260 };
// What the grid keeps.
const ROOM = { bottom: 220, right: 520 };
const STEP = 24;
// The style says the same: below this width the detail stands below the lines.
const NARROW = 900;

/** @returns {boolean} */
function storedRight() {
  try {
    return localStorage.getItem(KEY) === 'right';
  } catch {
    return false;
  }
}

export class Dock {
  /** @param {HTMLElement} element the panel */
  constructor(element) {
    this.element = element;
    this.right = false;
    this.grip = el('div', { class: 'resize', role: 'separator', tabindex: '0' });
    this.press = button('', () => this.put(!this.right, true), { class: 'quiet dock' });
    this.listen();
  }

  /** To be called once the panel is in the document. */
  restore() {
    this.put(storedRight() && window.innerWidth > NARROW, false);
  }

  get side() {
    return this.right ? 'right' : 'bottom';
  }

  /** @param {boolean} right @param {boolean} byHand */
  put(right, byHand) {
    this.right = right;
    this.element.parentElement?.classList.toggle('right', right);
    this.element.style.height = '';
    this.element.style.width = '';
    this.press.textContent = right ? '\u2b13' : '\u25e8';
    const words = right ? 'Dock below the lines' : 'Dock right of the lines';
    this.press.setAttribute('aria-label', words);
    this.press.title = words;
    this.grip.setAttribute('aria-orientation', right ? 'vertical' : 'horizontal');
    this.grip.setAttribute('aria-label', right ? 'Width of the detail panel' : 'Height of the detail panel');
    this.measure();
    if (!byHand) return;
    try {
      localStorage.setItem(KEY, this.side);
    } catch {
      // Then the choice lasts as long as the page.
    }
  }

  get size() {
    const box = this.element.getBoundingClientRect();
    return this.right ? box.width : box.height;
  }

  /** Says the size to assistive tools. */
  measure() {
    this.grip.setAttribute('aria-valuemin', String(LEAST[this.side]));
    this.grip.setAttribute('aria-valuenow', String(Math.round(this.size) || LEAST[this.side]));
  }

  /** @param {number} px */
  resize(px) {
    const most = (this.right ? window.innerWidth : window.innerHeight) - ROOM[this.side];
    const size = `${Math.round(Math.max(LEAST[this.side], Math.min(px, most)))}px`;
    if (this.right) this.element.style.width = size;
    else this.element.style.height = size;
    this.measure();
  }

  /** The edge is dragged, or moved with the arrow keys. */
  listen() {
    this.grip.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
      this.grip.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    this.grip.addEventListener('pointermove', (/** @type {PointerEvent} */ event) => {
      if (!this.grip.hasPointerCapture(event.pointerId)) return;
      const box = this.element.getBoundingClientRect();
      this.resize(this.right ? box.right - event.clientX : box.bottom - event.clientY);
    });
    this.grip.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      const [more, less] = this.right ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
      const by = event.key === more ? STEP : event.key === less ? -STEP : 0;
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.resize(this.size + by);
    });
  }
}
