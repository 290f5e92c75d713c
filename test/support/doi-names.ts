// DOI names for tests: one from a literal, and generators over every Graphic code point of the runtime.

import type { DoiName } from 'doi-names';
import { DOI_ENCODINGS, parseDoi } from 'doi-names/parts';
import fc from 'fast-check';

const { NAME, DISPLAY, HTML, MARKDOWN, UTF8_HEX, CODE_POINTS, ...readable } = DOI_ENCODINGS;

/** The forms from which the parser reads every name back. */
export const READABLE_ENCODINGS = readable;

/** The text itself as a DOI name. Throws if it is not a DOI name. */
export function doiName(text: string): DoiName {
  const parsed = parseDoi(text, 'NAME');
  if (parsed.name === null) throw new Error(parsed.problem.message);
  return parsed.name;
}

/** General category L, M, N, P, S or Zs, all of 0..10FFFF. */
export const GRAPHIC_CODE_POINTS: readonly number[] = codePointsLike(/^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u);

function codePointsLike(pattern: RegExp): number[] {
  const found: number[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
    if (pattern.test(String.fromCodePoint(codePoint))) found.push(codePoint);
  }
  return found;
}

function oneOf(codePoints: readonly number[]): fc.Arbitrary<string> {
  return fc.nat(codePoints.length - 1).map((index) => String.fromCodePoint(codePoints[index] ?? 0x20));
}

const graphic = oneOf(GRAPHIC_CODE_POINTS);
const astral = oneOf(GRAPHIC_CODE_POINTS.filter((codePoint) => codePoint > 0xffff));
const combining = oneOf(
  GRAPHIC_CODE_POINTS.filter((codePoint) => /^\p{M}$/u.test(String.fromCodePoint(codePoint))),
);
const alphanumeric = fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ');
const punctuation = fc.constantFrom(...' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
const treacherous = fc.constantFrom(
  ...['/', '//', '/.', '/..', '/./', '/../', '/.../', './', '../', '.%2F', '%2e%2e/'],
  ...['%', '%41', '%2F', '%2f', '%25', '%252F', '%C3%A9', '%C3', '%zz', '%u0041'],
  ...['doi:', 'urn:doi:', '10.', '?a=b', '#top', ',10.1000/1', '&amp;', '&#39;', '](', '![', '<!--', '</a>'],
  ...['\u00a0', '\u3000', 'e\u0301', '\u00e9', '\u212a', '\u017f', '\u0130', '\u1e9e', '\u03a3', '\u2126'],
);

const atom = fc.oneof(
  { weight: 6, arbitrary: alphanumeric },
  { weight: 5, arbitrary: punctuation },
  { weight: 5, arbitrary: treacherous },
  { weight: 4, arbitrary: graphic },
  { weight: 2, arbitrary: astral },
  { weight: 2, arbitrary: combining },
);

const registrantCode = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1000', '5555', '1', '10', '978.8898392') },
  { weight: 2, arbitrary: subdivided(3) },
  { weight: 1, arbitrary: subdivided(40) },
);

function subdivided(maxLength: number): fc.Arbitrary<string> {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 6 });
  return fc.array(digits, { minLength: 1, maxLength }).map((codes) => codes.join('.'));
}

const ending = fc.constantFrom('', '', '', '', '', '', '/', '//', ' ', '\u3000', '/.', '/..', '%', '%4');

/** DOI names of up to some dozens of characters, often treacherous. */
export function doiNames(): fc.Arbitrary<DoiName> {
  return fc
    .tuple(registrantCode, fc.array(atom, { minLength: 1, maxLength: 24 }), ending)
    .map(([code, atoms, end]) => doiName(`10.${code}/${atoms.join('')}${end}`));
}

/** DOI names of at least 100 kB. */
export function longDoiNames(): fc.Arbitrary<DoiName> {
  return fc
    .tuple(registrantCode, fc.array(atom, { minLength: 1, maxLength: 24 }), ending)
    .map(([code, atoms, end]) => {
      const text = atoms.join('');
      return doiName(`10.${code}/${text.repeat(Math.ceil(100_000 / Buffer.byteLength(text)))}${end}`);
    });
}

/** Names from so few characters that two of them are often the same, or nearly. */
export function nearbyDoiNames(): fc.Arbitrary<DoiName> {
  const unit = fc.constantFrom(
    'a',
    'A',
    'k',
    'K',
    '\u212a',
    '\u00e9',
    '\u00c9',
    'e\u0301',
    '%41',
    '%2541',
    '/',
  );
  return fc
    .tuple(fc.constantFrom('10.1000', '10.1000.1'), fc.array(unit, { minLength: 1, maxLength: 3 }))
    .map(([prefix, units]) => doiName(`${prefix}/${units.join('')}`));
}
