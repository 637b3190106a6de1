/** Keys of one sign can be turned off: who speaks to the computer, or rests a hand on the keys, presses them unawares. */

const KEY = 'waterglass-letters';
let on = true;
try {
  on = localStorage.getItem(KEY) !== 'off';
} catch {
  // Storage is forbidden here: they are on at each start.
}

/** @returns {boolean} */
export const lettersOn = () => on;

/** @param {boolean} wanted */
export function setLetters(wanted) {
  on = wanted;
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // Then the choice lasts as long as the page.
  }
}

/** Is this a key that the setting turns off? The list itself stays in reach. @param {KeyboardEvent} event */
export const isMuted = (event) => !on && event.key.length === 1 && event.key !== '?';
