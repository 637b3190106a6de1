/** Whole files to and from the server: a report that it makes, a transcript that a person chose. */
import { Failure } from '#failure';

/** @param {string} path @param {RequestInit} how @returns {Promise<Response>} a success @throws {Failure} */
async function answered(path, how) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...how });
  } catch {
    throw new Failure('The server does not answer', 'Is waterglass still running in its terminal?', 0);
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => null);
  throw new Failure(said?.error?.what ?? `The server answered ${response.status}`, said?.error?.hint ?? '', response.status);
}

/**
 * @param {string} path @returns {Promise<{name: string, blob: Blob}>} what it is called, and its bytes as nothing that a browser shows
 * @throws {Failure}
 */
export async function fetchFile(path) {
  const response = await answered(path, {});
  const name = /filename="([a-z0-9.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  return { name: name ?? 'waterglass.html', blob: await response.blob() };
}

/** @param {string} path @param {File} file @returns {Promise<any>} the answer @throws {Failure} */
export async function sendFile(path, file) {
  // The server takes a file from its own page alone: no other can set this header, and a form has none.
  const headers = { 'X-Waterglass': 'drop', 'Content-Type': 'application/octet-stream' };
  return (await answered(path, { method: 'POST', body: file, headers })).json();
}

/** Hands a file to the person, to be saved under a name. @param {string} name @param {Blob} blob */
export function saveFile(name, blob) {
  const link = document.createElement('a');
  const address = URL.createObjectURL(blob);
  link.setAttribute('href', address);
  link.setAttribute('download', name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
