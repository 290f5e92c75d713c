// What holds of every match in every text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames } from '../../../../test/support/doi-names.ts';
import { type DoiMatch, findDois } from '../../src/find/find-dois.ts';
import { parseDoi } from '../../src/parse.ts';

const pieces = fc.constantFrom(
  ...[
    '10.1000/182',
    '10.1000/a(b)',
    '10.1/a',
    '10.',
    '1',
    '0',
    '.',
    '/',
    '10%2E1000%2F1',
    '&#49;0.1000/x',
    '10.1000%252Fx',
  ],
  ...[
    'doi:',
    'DOI ',
    'urn:doi:10.1000:5',
    'https://doi.org/',
    'https://x.org/a?doi=',
    'https%3A%2F%2Fdoi.org%2F',
    '\\/',
  ],
  ...[
    ' ',
    '\n',
    '-\n',
    '-',
    '\u00AD',
    '\u200B',
    '\u00A0',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '"',
    "'",
    '“',
    '”',
    '|',
    ',',
  ],
  ...[
    ';',
    '?',
    '=',
    '#',
    '&',
    '&amp;',
    '&lt;',
    '&gt;',
    '&quot;',
    '%',
    '%20',
    '%3F',
    '\\',
    '\\_',
    '\\textless{}',
    '$<$',
    '{\\_}',
  ],
  ...[
    '</a>',
    '<b>',
    '</b>',
    '<wbr>',
    '<1::A>',
    '](',
    '**',
    '*',
    '_',
    '`',
    '.pdf',
    '/full',
    ';jsessionid=1',
    '中',
    'é',
    '\uD800',
    '😀',
  ],
);

const texts = fc.oneof(
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.array(fc.oneof(doiNames(), pieces), { maxLength: 8 }).map((parts) => parts.join('')),
);

function check(law: (text: string, matches: readonly DoiMatch[]) => void, runs = 3_000): void {
  fc.assert(
    fc.property(texts, (text) => law(text, findDois(text))),
    { numRuns: runs },
  );
}

describe('in every text', () => {
  test('a match is what stands at its place', () => {
    check((text, matches) => {
      for (const match of matches) expect(text.slice(match.start, match.end)).toBe(match.text);
    });
  });

  test('matches come in order and never overlap', () => {
    check((_text, matches) => {
      let last = 0;
      for (const { start, end } of matches) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
    });
  });

  test('a match is a DOI name', () => {
    check((_text, matches) => {
      for (const { name } of matches) expect(parseDoi(name, 'NAME').name).toBe(name);
    });
  });

  test('what stands there is read as the name, unless it is repaired', () => {
    check((_text, matches) => {
      for (const { text, name, form, repaired } of matches) {
        const read = parseDoi(text);
        expect(read.name === name).toBe(!repaired);
        if (!repaired) expect(read.form).toBe(form);
      }
    });
  });

  test('at most so many are given as are asked for', () => {
    check((text, matches) => {
      expect(findDois(text, 1)).toEqual(matches.slice(0, 1));
      expect(findDois(text, 0)).toEqual([]);
    }, 1_000);
  });

  test('there is none without "10." or an encoding of it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const without = text.replace(/1|%31|&#0*49;|&#x31;/gi, '2');
        expect(findDois(without)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('the matches of two texts with a line between them are those of both', () => {
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const gap = '\n\n--\n\n';
      const names = findDois(first + gap + second).map(({ name }) => name);
      expect(names).toEqual([...findDois(first), ...findDois(second)].map(({ name }) => name));
    }),
    { numRuns: 1_000 },
  );
});
