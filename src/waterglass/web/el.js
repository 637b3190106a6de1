/** Elements from names and text nodes; there is no way from a string to markup. */

const ATTRIBUTES = new Set([
  'id',
  'title',
  'role',
  'type',
  'tabindex',
  'placeholder',
  'for',
  'hidden',
  'spellcheck',
  'autocomplete',
  'width',
  'height',
  'name',
  'open',
  'disabled',
  'alt',
  'list',
  'lang',
  'dir',
]);

/**
 * @param {string} tag @param {Record<string, any>|null} [props] `class`, attributes of the allow-list, `aria-…`, `data-…`, and
 *   `on`: {event: listener}; null, undefined and false are left out @param {...(Node|string|null|undefined|false)} children
 * @returns {any} the element
 */
export function el(tag, props, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name === 'on')
      for (const [type, listener] of Object.entries(value)) node.addEventListener(type, /** @type {any} */ (listener));
    else if (ATTRIBUTES.has(name) || /^(aria|data)-[a-z-]+$/.test(name))
      node.setAttribute(name, value === true ? '' : String(value));
    else throw new Error(`el: ${name} is not allowed`);
  }
  put(node, ...children);
  return node;
}

/** Appends nodes and texts. @param {Element} node @param {...(Node|string|null|undefined|false)} children */
export function put(node, ...children) {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

/** Replaces what an element holds. @param {Element} node @param {...(Node|string|null|undefined|false)} children */
export function refill(node, ...children) {
  node.replaceChildren();
  put(node, ...children);
}

/**
 * A button with a listener.
 * @param {string} words @param {(event: Event) => void} press @param {Record<string, any>} [props]
 */
export function button(words, press, props = {}) {
  return el('button', { type: 'button', ...props, on: { click: press } }, words);
}

/**
 * Writes a text only when it differs, so that scrolling does not dirty what stays.
 * @param {any} node @param {string} text
 */
export function setText(node, text) {
  if (node.wgText === text) return;
  node.wgText = text;
  node.textContent = text;
}

/** Writes a class only when it differs. @param {Element} node @param {string} name */
export function setClass(node, name) {
  if (node.className !== name) node.className = name;
}
