/** Terminal colours of an output as runs of text with fixed class names; every other escape stays visible. */

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
// Only "select graphic rendition" is taken: no cursor, title or link sequences.
const SGR = /\u001b\[([\d;:]*)m/g;

/** @typedef {{text: string, look: string}} Run */

/** @param {Set<string>} looks changed in place @param {number[]} codes */
function apply(looks, codes) {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    const basic = code >= 90 ? code - 60 : code;
    if (code === 0) looks.clear();
    else if (code === 1) looks.add('a-bold');
    else if (code === 2) looks.add('a-faint');
    else if (code === 4) looks.add('a-line');
    else if (code === 22) for (const look of ['a-bold', 'a-faint']) looks.delete(look);
    else if (code === 24) looks.delete('a-line');
    else if (basic >= 30 && basic <= 37) paint(looks, `a-${COLORS[basic - 30]}`);
    else if (code === 39) paint(looks, null);
    // A colour by number or by red, green and blue has arguments of its own; it is not drawn.
    else if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : codes[i + 1] === 2 ? 4 : 0;
  }
}

/** @param {Set<string>} looks @param {string|null} color */
function paint(looks, color) {
  for (const known of COLORS) looks.delete(`a-${known}`);
  if (color) looks.add(color);
}

/**
 * @param {string} text with escapes as they were written
 * @returns {Run[]} `look` is class names out of a fixed list, separated by spaces
 */
export function ansiRuns(text) {
  /** @type {Run[]} */
  const runs = [];
  const looks = new Set();
  let from = 0;
  const push = (/** @type {number} */ to) => {
    if (to > from) runs.push({ text: text.slice(from, to), look: [...looks].join(' ') });
  };
  for (const found of text.matchAll(SGR)) {
    push(found.index);
    from = found.index + found[0].length;
    apply(looks, found[1] === '' ? [0] : found[1].split(/[;:]/).map(Number));
  }
  push(text.length);
  return runs;
}
