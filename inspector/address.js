// @ts-check
// The deep link: `/?doi=…&with=…`. A `+` is a `+`, as everywhere in DOI names.

/** Longer ones are left out of the address: no server would take it. */
const MOST_CHARACTERS = 6_000;

/** @typedef {{ doi: string, other: string }} Asked */

/** @param {string} search @returns {Asked} */
export function readAddress(search) {
  const parameters = new URLSearchParams(search.replaceAll('+', '%2B'));
  return { doi: parameters.get('doi') ?? '', other: parameters.get('with') ?? '' };
}

/** @param {Asked} asked */
export function addressOf({ doi, other }) {
  const parts = [
    ['doi', doi],
    ['with', other],
  ].flatMap(([name, value = '']) => (value === '' ? [] : [`${name}=${encode(value)}`]));
  const query = parts.join('&');
  return query === '' || query.length > MOST_CHARACTERS ? './' : `./?${query}`;
}

/** @param {string} value */
function encode(value) {
  // Half a character, as is left when text is cut inside an emoji, has no encoding.
  const wellFormed = value.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed).replaceAll('%2F', '/').replaceAll('%3A', ':');
}
