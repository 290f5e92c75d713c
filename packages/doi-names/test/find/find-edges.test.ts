// Text directly beside a name that looks like a part of the name.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { findDois } from '../../src/find/find-dois.ts';

const found = (text: string): string[] => findDois(text).map(({ name }) => name);

describe('the end of a name', () => {
  testTable([
    ['an entity of punctuation', 'It is 10.1000/182&hellip; and more'],
    ['a tie of TeX, which is a tilde', 'in doi:10.1000/182~\\cite{smith}'],
    ['a comment of HTML', '<!--10.1000/182-->'],
    ['an encoded invisible character', 'https://doi.org/10.1000/182%E2%80%8B and'],
    ['an encoded quotation mark', 'q=doi%3A%2210.1000%2F182%22'],
    ['the picture of a badge', 'https://zenodo.org/badge/DOI/10.1000/182.svg'],
    ['the colour of a badge', '![DOI](https://img.shields.io/badge/DOI-10.1000%2F182-blue.svg)'],
    [
      'the colour of a badge with parameters',
      'https://img.shields.io/badge/DOI-10.1000%2F182-B31B1B?style=flat',
    ],
  ])('is before text that is not part of the name', (_, text) => {
    expect(found(text)).toEqual(['10.1000/182']);
  });

  test('is before a dash only if another name follows', () => {
    expect(found('10.1000/182–10.1000/185')).toEqual(['10.1000/182', '10.1000/185']);
    expect(found('10.1000/a–b')).toEqual(['10.1000/a–b']);
  });

  test('is after a tilde that no TeX command follows, and after hyphens that no `>` follows', () => {
    expect(found('doi:10.1000/182~ and')).toEqual(['10.1000/182~']);
    expect(found('doi:10.1000/182-- and')).toEqual(['10.1000/182--']);
  });
});

describe('a semicolon', () => {
  test('divides the fields of a table', () => {
    expect(found('10.1000/182;A title;2020\n')).toEqual(['10.1000/182']);
    expect(found('doi;title\n10.1000/182;Title\n10.1000/183;Other')).toEqual(['10.1000/182', '10.1000/183']);
  });

  test('belongs to the name in a line without other fields', () => {
    const sici = '10.1641/0006-3568(2006)056[0311:ADEOTS]2.0.CO;2';
    expect(found(`${sici}\n${sici}\n`)).toEqual([sici, sici]);
    expect(found('10.1000/a;b\n')).toEqual(['10.1000/a;b']);
  });
});

describe('a name is found', () => {
  test('in an address that is encoded twice', () => {
    expect(found('https://x.example/?u=https%253A%252F%252Fdoi.org%252F10.1000%252F182&b=1')).toEqual([
      '10.1000/182',
    ]);
    expect(found('x%253210.1000%252F182')).toEqual([]);
  });

  testTable(['10.10\u00AD00/182', '10.\u00AD1000/182', '10.1000\u00AD/182', '10.10&shy;00/182'])(
    'with an invisible character in its prefix',
    (text) => {
      expect(findDois(`see ${text}.`)).toMatchObject([{ name: '10.1000/182', text, repaired: true }]);
    },
  );
});

testTable(['pp.93-97', 'n.91', 'p84', '48(7):612', '63%', 'x5=y5', 'www.x2.org', '978-1-4221'])(
  'a name whose suffix has no digits does not continue with a number in the next line',
  (word) => {
    for (const end of ['\n', '.\n']) {
      const [match] = findDois(`A title. https://doi.org/10.4321/JHEP${end}${word}\nNext`);
      expect(match?.name).toBe('10.4321/JHEP');
    }
  },
);
