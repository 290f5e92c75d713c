// The finder reads each text in linear time. A quadratic finder would exceed the timeout of the test with 50 kB.

import { expect } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { findDois } from '../../src/find/find-dois.ts';

const UNITS = [
  ...['10.', '(', '.', 'doi:', '&amp;', '10.1/', '{', '<', 'https://doi.org/', '10.1/a(', '10.11'],
  '10.\u00AD',
  ...['1;2\n', '1', '%31', '%2', '10%2E1', '&#49;', '&#', '&', '\\', '\\_', '\\u0031', '?', '?a=', '#', '#a'],
  ...['%20', '.pdf', '/full', '.a', ';', ',', ',a', ';2', 'co;2', 'doi . org / 10 .1 1 1 1/a\n', '1 0 .'],
  ...['doi . org / 10 .1111 /', '10.1000/a?b=', '10.1000/a;', '10.1000/a(b ', '(10.1000/a', '10.1000/a)b'],
  ...['10.1000/a<b', '10.1000/a<1:', '10.1000/a-\n', '-\na1', 'http://', '10.1000/http://', '10.1000/doi:'],
  ...['10.1000/a,b\n', 'https://a.b/10.1000/c?', '"', "'", "a'b", '\u00AD', '\u200B', '\n', ' '],
  '10.1000/<b>',
  ...['<wbr>a', '<wbr>', '10.1000/ ', '中', '10.1000/中', '${$<$', '&lt;1', '10.1000/1\n1,2,3', ']', ']('],
  ...['\uD800', '10.1000/%', '*'],
];
const BEGINNINGS = [
  '10.1000/a',
  'https://doi.org/10.1000/a',
  '"10.1000/',
  'https://example.org/?x=10.1000/a',
];

// Similar units stand together in the list, so each kind of unit follows each beginning.
testTable(UNITS.map((unit, at) => [unit, BEGINNINGS[at % BEGINNINGS.length]] as const))(
  'a repeated text is read in linear time, alone and behind a name',
  (unit, beginning) => {
    const text = unit.repeat(Math.ceil(50_000 / unit.length));
    for (const before of ['', beginning]) {
      const lengths = findDois(before + text).map(({ start, end }) => end - start);
      expect(lengths.every((length) => length > 0)).toBe(true);
    }
  },
);
