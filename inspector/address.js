// @ts-check
// The address of the page with its input: `/?doi=…&with=…`. A `+` is not a space.

/** A longer query is omitted, because servers do not accept so long an address. */
const MAX_CHARACTERS = 6_000;

/** @typedef {{ doi: string, other: string }} Inputs */

/** @param {string} search @returns {Inputs} */
export function readAddress(search) {
  const parameters = new URLSearchParams(search.replaceAll('+', '%2B'));
  return { doi: parameters.get('doi') ?? '', other: parameters.get('with') ?? '' };
}

/** @param {Inputs} inputs */
export function addressOf({ doi, other }) {
  const parts = [
    ['doi', doi],
    ['with', other],
  ].flatMap(([name, value = '']) => (value === '' ? [] : [`${name}=${encode(value)}`]));
  const query = parts.join('&');
  return query === '' || query.length > MAX_CHARACTERS ? './' : `./?${query}`;
}

/** @param {string} value */
function encode(value) {
  // A lone surrogate has no encoding. It remains if a text is cut inside an emoji.
  const wellFormed = value.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed).replaceAll('%2F', '/').replaceAll('%3A', ':');
}
