/** Expressions of the filter, read into programs: steps that take one sign each, or go on without. `#pattern` runs them. */

const LONGEST = 200;
// Steps of the program that an expression becomes: `[0-9a-f]{40}` has 40.
const MOST_STEPS = 1000;
const REFUSED = 'look-around, back-references and modifiers are not taken';
const TOO_LARGE = 'this expression repeats too much';

const TOKEN =
  /\(\?:|\(\?<(?![=!])[^>]*>|\(\??|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??|[\^$]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|0[0-7]{0,2}|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/gy;
const REPEAT = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??$/;
const NOT_TAKEN = new Set(['(?', '\\c', '\\k', ...'123456789'.split('').map((digit) => `\\${digit}`)]);
const ASSERTIONS = new Set(['^', '$', '\\b', '\\B']);

/** @typedef {{atom?: number, assertion?: string, all?: Node[], any?: Node[], repeated?: Node, least?: number, most?: number}} Node */

/** Why an expression is not taken, for whoever wrote it. */
export class Refused extends Error {}

/** @param {string} body an expression that the browser's engine takes @returns {{root: Node, atoms: string[]}} */
function parse(body) {
  const tokens = body.match(TOKEN) ?? [];
  /** @type {string[]} */
  const atoms = [];
  let at = 0;
  /** @returns {Node} */
  const choice = () => {
    const any = [sequence()];
    while (tokens[at] === '|') {
      at++;
      any.push(sequence());
    }
    return any.length > 1 ? { any } : any[0];
  };
  const sequence = () => {
    /** @type {Node[]} */
    const all = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') all.push(repeated(one()));
    return { all };
  };
  /** @returns {Node} */
  const one = () => {
    const token = tokens[at++];
    if (NOT_TAKEN.has(token)) throw new Refused(REFUSED);
    if (ASSERTIONS.has(token)) return { assertion: token };
    if (token[0] === '(') {
      const inner = choice();
      at++;
      return inner;
    }
    if (!atoms.includes(token)) atoms.push(token);
    return { atom: atoms.indexOf(token) };
  };
  /** @param {Node} node @returns {Node} */
  const repeated = (node) => {
    const [found, sign, least, range, most] = REPEAT.exec(tokens[at] ?? '') ?? [];
    if (!found) return node;
    at++;
    if (sign) return { repeated: node, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    return { repeated: node, least: Number(least), most: !range ? Number(least) : most ? Number(most) : Infinity };
  };
  return { root: choice(), atoms };
}

/** @typedef {{atom: number, assertion: string, to: number[]}} Step takes a sign (atom), or goes on without (to) */

/** @param {Node} root @returns {Step[]} a program; its end is the place behind the last step */
function compile(root) {
  /** @type {Step[]} */
  const steps = [];
  let written = 0;
  const push = (/** @type {Partial<Step>} */ step) => steps.push({ atom: -1, assertion: '', to: [steps.length + 1], ...step }) - 1;
  const emit = (/** @type {Node} */ node) => {
    if (++written > MOST_STEPS || steps.length > MOST_STEPS) throw new Refused(TOO_LARGE);
    if (node.atom !== undefined) push({ atom: node.atom });
    else if (node.assertion) push({ assertion: node.assertion });
    else if (node.all) node.all.forEach(emit);
    else if (node.any) emitAny(node.any);
    else emitRepeated(/** @type {Node} */ (node.repeated), node.least ?? 0, node.most ?? 0);
  };
  const emitAny = (/** @type {Node[]} */ any) => {
    const fork = push({ to: [] });
    const ends = any.map((node) => {
      steps[fork].to.push(steps.length);
      emit(node);
      return push({});
    });
    for (const end of ends) steps[end].to = [steps.length];
  };
  const emitRepeated = (/** @type {Node} */ node, /** @type {number} */ least, /** @type {number} */ most) => {
    for (let i = 0; i < least; i++) emit(node);
    if (most === Infinity) {
      const fork = push({});
      emit(node);
      push({ to: [fork] });
      steps[fork].to.push(steps.length);
      return;
    }
    const forks = [];
    for (let i = least; i < most; i++) {
      forks.push(push({}));
      emit(node);
    }
    for (const fork of forks) steps[fork].to.push(steps.length);
  };
  emit(root);
  return steps;
}

/**
 * @param {string} body @returns {{program: Step[], atoms: RegExp[]}} the end of the program is the place behind its last step; each atom
 *   takes one sign or not
 */
export function readExpression(body) {
  if (body.length > LONGEST) throw new Refused(`expression longer than ${LONGEST} characters`);
  try {
    new RegExp(body, 'i');
  } catch {
    throw new Refused('not a regular expression');
  }
  const { root, atoms } = parse(body);
  return { program: compile(root), atoms: atoms.map((atom) => new RegExp(`^(?:${atom})$`, 'i')) };
}
