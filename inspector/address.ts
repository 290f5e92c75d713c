// The address of the page with its input: `/?doi=…&with=…`. A `+` is not a space.

/** A longer query is omitted, because servers do not accept so long an address. */
const MAX_CHARACTERS = 6_000;

export interface Inputs {
  readonly doi: string;
  readonly other: string;
}

export function readAddress(search: string): Inputs {
  const parameters = new URLSearchParams(search.replaceAll('+', '%2B'));
  return { doi: parameters.get('doi') ?? '', other: parameters.get('with') ?? '' };
}

export function addressOf({ doi, other }: Inputs) {
  const parts = [
    ['doi', doi],
    ['with', other],
  ].flatMap(([name, value = '']) => (value === '' ? [] : [`${name}=${encode(value)}`]));
  const query = parts.join('&');
  return query === '' || query.length > MAX_CHARACTERS ? './' : `./?${query}`;
}

function encode(value: string) {
  // A lone surrogate has no encoding. It remains if a text is cut inside an emoji.
  const wellFormed = value.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent(wellFormed).replaceAll('%2F', '/').replaceAll('%3A', ':');
}
