/** The widths of the columns: set by hand, and kept in this browser where it allows that. */

const KEY = 'waterglass-columns';
const LEAST = 36;
const MOST = 1200;
// The waterfall keeps this much.
const ROOM = 140;
const COLUMNS = ['name', 'type', 'outcome', 'duration', 'tokens', 'ctx'];
// The cell of a line, and the part of it that says how wide its text is.
const PARTS = new Map([
  ['name', ['name', 'name']],
  ['type', ['typeCell', 'typeCell']],
  ['outcome', ['outcomeCell', 'outcomeCell']],
  ['duration', ['duration', 'duration']],
  ['tokens', ['tokens', 'tokens']],
  ['ctx', ['ctxCell', 'ctx']],
]);
const PADDING = 14;

/** @returns {Record<string, number>} */
function stored() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return kept && typeof kept === 'object' ? kept : {};
  } catch {
    // Storage is forbidden here, or holds something else.
    return {};
  }
}

export class Widths {
  /** @param {() => HTMLElement} grid whose style carries the widths */
  constructor(grid) {
    this.grid = grid;
    /** @type {Record<string, number>} */
    this.kept = {};
  }

  /** To be called once the grid is made. */
  restore() {
    const kept = stored();
    for (const name of COLUMNS)
      if (Number.isFinite(kept[name]) && kept[name] >= LEAST && kept[name] <= MOST) this.write(name, kept[name]);
  }

  /** @param {string} name @param {number} px */
  set(name, px) {
    const { width } = this.grid().getBoundingClientRect();
    const style = getComputedStyle(this.grid());
    const others = COLUMNS.filter((other) => other !== name)
      .map((other) => parseFloat(style.getPropertyValue(`--w-${other}`)) || 0)
      .reduce((sum, w) => sum + w, 0);
    this.write(name, Math.round(Math.max(LEAST, Math.min(px, width - others - ROOM, MOST))));
    try {
      localStorage.setItem(KEY, JSON.stringify(this.kept));
    } catch {
      // Then the widths last as long as the page.
    }
  }

  /** @param {string} name @param {number} px */
  write(name, px) {
    this.kept[name] = px;
    this.grid().style.setProperty(`--u-${name}`, `${px}px`);
  }
}

/**
 * Pixels that the texts of a column take in the lines that are drawn.
 * @param {any[]} cells parts of lines @param {string} name
 */
export function fitWidth(cells, name) {
  const [cell, part] = /** @type {string[]} */ (PARTS.get(name));
  const range = document.createRange();
  let most = 0;
  for (const parts of cells) {
    // The texts of replies, prompts and marks run over the other columns anyway.
    if (name === 'name' && parts.name.closest('.reply, .prompt, .mark')) continue;
    range.selectNodeContents(parts[part]);
    const text = range.getBoundingClientRect();
    if (!text.width) continue;
    const indent = part === 'name' ? text.left - parts[cell].getBoundingClientRect().left : 0;
    most = Math.max(most, text.width + indent + (indent ? PADDING / 2 : PADDING));
  }
  return Math.ceil(most);
}
