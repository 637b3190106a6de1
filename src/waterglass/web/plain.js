/** Text of a transcript made safe to read: what would be invisible or would reorder the line is shown as a sign. */

// C0 without tab and newline, DEL, C1, soft hyphen, bidi marks and overrides, zero-width signs (the joiner U+200D stays:
// emoji need it), line and paragraph separators, byte order mark, tag characters, lone surrogates.
const ODD =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const NAMES = new Map([
  [0, 'NUL'],
  [7, 'BEL'],
  [8, 'BS'],
  [11, 'VT'],
  [12, 'FF'],
  [13, 'CR'],
  [27, 'ESC'],
  [127, 'DEL'],
]);

/**
 * @param {string} sign one odd character
 * @returns {string} its visible form; the control pictures of Unicode are in few fonts
 */
function shown(sign) {
  const code = sign.codePointAt(0) ?? 0xfffd;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return `\u27e8${NAMES.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}\u27e9`;
}

/**
 * A text with its line breaks, every odd character visible. CRLF counts as one line break.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/\r\n/g, '\n').replace(ODD, shown);
}

/**
 * A text on one line: white space runs become one space, the rest as `visible`; cut after `max` characters.
 * @param {string} text @param {number} [max]
 */
export function oneLine(text, max = 300) {
  const head = text.length > max * 2 ? text.slice(0, max * 2) : text;
  const line = visible(head.replace(/[\s\u2028\u2029]+/g, ' ').trim());
  if (line.length <= max) return head.length < text.length ? `${line}\u2026` : line;
  return `${line.slice(0, /[\ud800-\udbff]/.test(line[max - 1]) ? max - 1 : max)}\u2026`;
}

/**
 * A long path by its end, from a slash on, since its beginning is what all rows share; any other text as it is.
 * @param {string} text @param {number} max characters
 */
export function pathEnd(text, max) {
  if (text.length <= max || /\s/.test(text) || text.includes('://')) return text;
  const from = text.indexOf('/', text.length - max + 1);
  return from > 0 ? `\u2026${text.slice(from)}` : text;
}
