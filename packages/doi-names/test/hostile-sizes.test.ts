// The parser reads an input of a megabyte or more.

import { expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

const MEGABYTE = 1_000_000;
const filled = (unit: string, bytes = MEGABYTE): string =>
  unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));

testTable<[what: string, input: string, code?: string]>([
  ['percent signs in a name', `10.1000/${filled('%')}`, 'INVALID_PERCENT_ENCODING'],
  ['encoded percent signs', `10.1000/${filled('%25')}`],
  ['stray continuation bytes at the end', `doi:10.1000/${filled('%C3%A9')}%80`, 'INVALID_UTF8'],
  ['an encoded control at the end', `doi:10.1000/${filled('%F0%9F%98%80')}%00`, 'NON_GRAPHIC_CHARACTER'],
  ['spaces', filled(' '), 'EMPTY'],
  ['spaces before a name', `${filled(' ')}10.1000/1`],
  ['spaces inside a name', `10.1000/a${filled(' ')}b`],
  ['spaces after a colon', `doi:${filled(' ')}10.1000/1`],
  ['subdivisions, 8 MB', `10${filled('.1', 8 * MEGABYTE)}/x`],
  ['subdivisions and a letter', `${filled('10.')}x/x`, 'INVALID_PREFIX'],
  ['full stops', `${filled('.')}/x`, 'INVALID_DIRECTORY_INDICATOR'],
  ['dot segments', `10.1000${filled('/./')}`],
  ['slashes before a name', `https://doi.org${filled('/')}10.1000/1`],
  ['slashes of an API', `https://doi.org${filled('/')}api${filled('/')}x`, 'NOT_A_DOI'],
  ['labels behind a host', `https://doi.org${filled('.a')}/10.1000/1`, 'NOT_A_DOI'],
  ['schemes', filled('doi:'), 'NOT_A_DOI'],
  ['spaces after a label', `DOI${filled(' ')}10.1000/1`],
  ['invisible characters around a name', `${filled('\u200b ')}10.1000/1${filled('\u00ad')}`],
  ['brackets in brackets', `${filled('(')}10.1000/1${filled(')')}`, 'NOT_A_DOI'],
  ['brackets in a name in brackets', `(10.1000/${filled('(')}${filled(')')})`],
  ['a handle', `hdl:${filled('0.a')}/1`, 'NOT_A_DOI'],
  ['colons', `urn:doi:10.1000${filled(':')}`],
  ['a port', `doi.org:${filled('1')}/10.1000/1`],
  ['parameters', `https://doi.org/10.1000/1?${filled('a=%41&')}`],
  ['malformed parameters', `https://doi.org/10.1000/1?${filled('%')}`],
  ['commas', `https://doi.org/doiRA/10.1000/1${filled(',')}`, 'NOT_A_DOI'],
  ['a shortDOI', `https://doi.org/${filled('a')}`, 'SHORT_DOI'],
  ['high surrogates at the end', `10.1000/${filled('😀')}\ud83d`, 'UNPAIRED_SURROGATE'],
  ['combining marks', `10.1000/a${filled('\u0301')}`],
])('an input of a megabyte is a name or has the usual problem', (_, input, code) => {
  expect(parseDoi(input).problem?.code).toBe(code);
});
