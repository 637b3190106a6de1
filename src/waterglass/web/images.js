/** Images of a transcript: png, jpeg, gif and webp only, known by their bytes. */
import { el } from '#el';
import { bytes } from '#format';

/** @type {[string, RegExp][]} first bytes in base64 */
const SIGNS = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/gif', /^R0lGOD(dh|lh)/],
  ['image/webp', /^UklGR.{6}XRUJQ|^UklGR.{5,7}V0VCUF/],
];

/** @param {string} data base64 @returns {string|null} the media type that the bytes say */
function imageType(data) {
  return SIGNS.find(([, sign]) => sign.test(data))?.[0] ?? null;
}

/** @param {any[]} images @returns {any[]} elements */
export function imageViews(images) {
  return images.map((image) => {
    const data = typeof image?.data === 'string' ? image.data : '';
    const type = imageType(data);
    const size = bytes(data.length * 0.75);
    if (!type || !/^[A-Za-z0-9+/]+=*$/.test(data))
      return el('p', { class: 'none' }, `An image that cannot be shown here (${size})`);
    const picture = el('img', { class: 'picture', alt: `Image of the transcript, ${size}` });
    picture.src = `data:${type};base64,${data}`;
    return picture;
  });
}
