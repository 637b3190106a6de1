/**
 * Runs an expression of the filter. The browser's own engine tries one way after another, which can take for ever, and nothing stops it.
 * This one goes through a text once, all ways at a time, and stops when its allowance is spent. What a single sign means (`\w`, `[^a-z]`,
 * letters of either case) the browser's engine still says.
 */
import { readExpression } from '#expression';

// What was found out of a text is kept for the next ones, up to so many states.
const MOST_STATES = 1000;
const EDGE = 'edge';

/** @typedef {{steps: number[], prev: string, next: State[]}} State all ways that are under way, and where each kind of sign leads */
/** @typedef {{atoms: boolean[], side: string}} Kind what all signs have in common that the same steps take */

const END = 0;
/** @type {State} */
const FOUND = { steps: [], prev: EDGE, next: [] };

/** The allowance is spent. */
class Spent extends Error {}

const isWord = (/** @type {string} */ side) => side === 'word';

/** Does an assertion hold between two signs? @param {string} assertion @param {string} before @param {string} after */
function holds(assertion, before, after) {
  if (assertion === '^') return before === EDGE;
  if (assertion === '$') return after === EDGE;
  return (isWord(before) !== isWord(after)) === (assertion === '\\b');
}

export class Pattern {
  /** @param {string} body @param {import('#query').Piece} piece where it stands in the box */
  constructor(body, piece) {
    const { program, atoms } = readExpression(body);
    this.source = body;
    this.piece = piece;
    this.program = program;
    this.atoms = atoms;
    /** @type {Kind[]} the first is the end of a text */
    this.kinds = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
    this.kind(atoms.map(() => false), EDGE);
    /** Kinds by the codes of signs, 0 where nobody asked yet. */
    this.kindOf = new Uint16Array(0x10000);
    /** Did it take too long? Then it is asked no more. */
    this.spent = false;
    this.left = 0;
    this.forget();
  }

  forget() {
    /** @type {Map<string, State>} */
    this.states = new Map();
    this.first = this.state([], EDGE);
  }

  /** @param {number} steps the allowance for what was not met before, in the texts to come; what was takes the time of reading it */
  allow(steps) {
    this.left = steps;
  }

  /** Is it in the text, whatever the case? Throws when the allowance is spent. @param {string} text @returns {boolean} */
  test(text) {
    const { kindOf } = this;
    const end = text.length;
    let state = this.first;
    for (let at = 0; at < end; at++) {
      const code = text.charCodeAt(at);
      const kind = kindOf[code] || this.kindAt(code);
      const next = state.next[kind] ?? this.step(state, kind);
      if (next === FOUND) return true;
      state = next;
    }
    return (state.next[END] ?? this.step(state, END)) === FOUND;
  }

  /** @param {number} steps */
  pay(steps) {
    this.left -= steps;
    if (this.left >= 0) return;
    this.spent = true;
    throw new Spent();
  }

  /** The number of a kind. @param {boolean[]} atoms @param {string} side */
  kind(atoms, side) {
    const key = `${side} ${atoms.map(Number).join('')}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.kinds.length);
    return this.kinds.push({ atoms, side }) - 1;
  }

  /** @param {number} code */
  kindAt(code) {
    this.pay(this.atoms.length + 1);
    const sign = String.fromCharCode(code);
    const kind = this.kind(this.atoms.map((atom) => atom.test(sign)), /^\w$/.test(sign) ? 'word' : 'other');
    this.kindOf[code] = kind;
    return kind;
  }

  /** @param {number[]} steps @param {string} prev what stands before @returns {State} */
  state(steps, prev) {
    const key = `${prev} ${steps.join()}`;
    let state = this.states.get(key);
    if (!state) this.states.set(key, (state = { steps, prev, next: [] }));
    return state;
  }

  /** From all that may be under way, and a new beginning, over one sign. @param {State} state @param {number} kind @returns {State} */
  step(state, kind) {
    const { program } = this;
    const { atoms, side } = this.kinds[kind];
    this.pay(program.length + 1);
    if (this.states.size > MOST_STATES) this.forget();
    const seen = new Uint8Array(program.length + 1);
    const open = [0, ...state.steps];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen[at]) continue;
      seen[at] = 1;
      const step = program[at];
      if (step && step.atom < 0 && (!step.assertion || holds(step.assertion, state.prev, side))) open.push(...step.to);
    }
    let next = FOUND;
    if (!seen[program.length]) {
      const steps = [];
      for (let at = 0; at < program.length; at++) if (seen[at] && program[at].atom >= 0 && atoms[program[at].atom]) steps.push(at + 1);
      next = this.state(steps, side);
    }
    state.next[kind] = next;
    return next;
  }
}

/**
 * What `ask` says, null where a pattern in it took too long.
 * @template T @param {() => T} ask @returns {T|null}
 */
export function unlessSpent(ask) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Spent) return null;
    throw error;
  }
}
