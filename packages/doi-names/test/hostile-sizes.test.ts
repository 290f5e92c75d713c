// However large and however made, an input is answered.

import { describe, expect, test } from 'vitest';
import { parseDoi } from '../src/parse.ts';

describe('a megabyte or more is answered', () => {
  const MEGABYTE = 1_000_000;
  const filled = (unit: string, bytes = MEGABYTE): string =>
    unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

  test.each([
    ['percent signs', filled('%'), 'NOT_A_DOI'],
    ['percent signs in a name', `10.1000/${filled('%')}`, 'INVALID_PERCENT_ENCODING'],
    ['encoded percent signs', `10.1000/${filled('%25')}`, undefined],
    ['stray continuation bytes at the end', `doi:10.1000/${filled('%C3%A9')}%80`, 'INVALID_UTF8'],
    ['an encoded control at the end', `doi:10.1000/${filled('%F0%9F%98%80')}%00`, 'NON_GRAPHIC_CHARACTER'],
    ['spaces', filled(' '), 'EMPTY'],
    ['spaces before a name', `${filled(' ')}10.1000/1`, undefined],
    ['spaces inside a name', `10.1000/a${filled(' ')}b`, undefined],
    ['spaces after a colon', `doi:${filled(' ')}10.1000/1`, undefined],
    ['10.', filled('10.'), 'MISSING_SUFFIX'],
    ['subdivisions', `${filled('10.')}1/x`, undefined],
    ['subdivisions and a letter', `${filled('10.')}x/x`, 'INVALID_PREFIX'],
    ['digits', `10.${filled('1')}/x`, undefined],
    ['stops', `${filled('.')}/x`, 'INVALID_DIRECTORY_INDICATOR'],
    ['dot segments', `10.1000${filled('/./')}`, undefined],
    ['dot segments in a URL', `https://doi.org/10.1000${filled('/./')}`, undefined],
    ['dot segments alone', filled('/./'), 'NOT_A_DOI'],
    ['slashes', `https://doi.org${filled('/')}`, 'NOT_A_DOI'],
    ['slashes before a name', `https://doi.org${filled('/')}10.1000/1`, undefined],
    ['slashes of an API', `https://doi.org${filled('/')}api${filled('/')}x`, 'NOT_A_DOI'],
    ['labels behind a host', `https://doi.org${filled('.a')}/10.1000/1`, 'NOT_A_DOI'],
    ['labels of a proxy', `doi-org${filled('.a')}`, 'NOT_A_DOI'],
    ['schemes', filled('doi:'), 'NOT_A_DOI'],
    ['labels', filled('DOI '), 'NOT_A_DOI'],
    ['spaces after a label', `DOI${filled(' ')}10.1000/1`, undefined],
    ['spaces after a label, and no name', `DOI${filled(' ')}x`, 'NOT_A_DOI'],
    ['invisible characters around a name', `${filled('\u200b ')}10.1000/1${filled('\u00ad')}`, undefined],
    ['opening brackets', filled('('), 'NOT_A_DOI'],
    ['brackets in brackets', `${filled('(')}10.1000/1${filled(')')}`, 'NOT_A_DOI'],
    ['brackets in a name in brackets', `(10.1000/${filled('(')}${filled(')')})`, undefined],
    ['quotes', filled('"'), 'NOT_A_DOI'],
    ['digits alone', filled('9'), 'NOT_A_DOI'],
    ['a handle', `hdl:${filled('0.a')}/1`, 'NOT_A_DOI'],
    ['colons', `urn:doi:10.1000${filled(':')}`, undefined],
    ['a URN with neither colon nor slash', `urn:doi:10.1${filled('1')}`, 'MISSING_SUFFIX'],
    ['a port', `doi.org:${filled('1')}/10.1000/1`, undefined],
    ['parameters', `https://doi.org/10.1000/1?${filled('a=%41&')}`, undefined],
    ['malformed parameters', `https://doi.org/10.1000/1?${filled('%')}`, undefined],
    ['commas', `https://doi.org/doiRA/10.1000/1${filled(',')}`, 'NOT_A_DOI'],
    ['letters', `https://doi.org/${filled('a')}`, 'SHORT_DOI'],
    ['brackets', filled('<>'), 'NOT_A_DOI'],
    ['astral characters', `10.1000/${filled('😀')}`, undefined],
    ['high surrogates at the end', `10.1000/${filled('😀')}\ud83d`, 'UNPAIRED_SURROGATE'],
    ['combining marks', `10.1000/a${filled('\u0301')}`, undefined],
    ['subdivisions, 8 MB of them', `10${filled('.1', 8 * MEGABYTE)}/x`, undefined],
  ])('%s', (_, input, code) => {
    expect(parseDoi(input).problem?.code).toBe(code);
  });

  test('in the forms that read more strictly', () => {
    expect(parseDoi(`doi:10.1000/${filled('a')}/`, 'URI').problem?.code).toBe('NOT_IN_FORM');
    expect(parseDoi(`doi:10.1000/${filled('%41')}`, 'URI').problem).toBeNull();
    expect(parseDoi(`${filled('%')}`, 'NAME').problem?.code).toBe('NOT_A_DOI');
    expect(parseDoi(`10.1000/${filled('%')}`, 'NAME').problem).toBeNull();
  });
});
