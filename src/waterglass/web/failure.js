/** Why data could not be had. */

export class Failure extends Error {
  /**
   * @param {string} what @param {string} hint what to try
   * @param {number} status HTTP status, 0 when the server did not answer
   */
  constructor(what, hint, status) {
    super(what);
    this.what = what;
    this.hint = hint;
    this.status = status;
  }
}

/** Any error as a Failure. @param {any} error @returns {Failure} */
export function failureOf(error) {
  return error instanceof Failure ? error : new Failure(String(error?.message ?? error), '', -1);
}
