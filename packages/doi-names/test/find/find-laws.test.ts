// Laws for every text and every match.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames } from '../../../../test/support/doi-names.ts';
import { type DoiMatch, findDois } from '../../src/find/find-dois.ts';
import { parseDoi } from '../../src/parse.ts';

const PARTS = [
  ...['10.1000/182', '10.1000/a(b)', '10.1/a', '10.', '10%2E1000%2F1', '&#49;0.1000/x', '10.1000%252Fx'],
  ...['doi:', 'DOI ', 'urn:doi:10.1000:5', 'https://doi.org/', 'https://x.org/a?doi=', '\\/', '-\n'],
  ...['https%3A%2F%2Fdoi.org%2F', '\u00AD', '\u200B', '\u00A0', '“', '”', '&amp;', '&lt;', '&gt;', '&quot;'],
  ...['%20', '%3F', '\\_', '\\textless{}', '$<$', '{\\_}', '</a>', '<b>', '</b>', '<wbr>', '<1::A>', ']('],
  ...[
    '**',
    '.pdf',
    '/full',
    ';jsessionid=1',
    '中',
    'é',
    '\uD800',
    '😀',
    ...'10./ \n-()[]{}<>"\'|,;?=#&%\\*_`',
  ],
];

const parts = fc.constantFrom(...PARTS);

const texts = fc.oneof(
  fc.array(fc.oneof(parts, fc.string({ maxLength: 4 })), { maxLength: 30 }).map((all) => all.join('')),
  fc.array(fc.oneof(doiNames(), parts), { maxLength: 8 }).map((all) => all.join('')),
);

function check(law: (text: string, matches: readonly DoiMatch[]) => void, runs = 3_000): void {
  fc.assert(
    fc.property(texts, (text) => law(text, findDois(text))),
    { numRuns: runs },
  );
}

describe('in every text', () => {
  test('the text of a match stands at its offsets', () => {
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

  test('the parser reads the text of a match as its name, unless the match is repaired', () => {
    check((_text, matches) => {
      for (const { text, name, form, repaired } of matches) {
        const read = parseDoi(text);
        expect(read.name === name).toBe(!repaired);
        if (!repaired) expect(read.form).toBe(form);
      }
    });
  });

  test('a limit keeps the first matches', () => {
    check((text, matches) => {
      expect(findDois(text, 1)).toEqual(matches.slice(0, 1));
      expect(findDois(text, 0)).toEqual([]);
    }, 1_000);
  });

  test('a text without "10." and its encodings has no match', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const without = text.replace(/1|%31|&#0*49;|&#x31;/gi, '2');
        expect(findDois(without)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('two texts with a line between them have the matches of each text', () => {
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const gap = '\n\n--\n\n';
      const names = findDois(first + gap + second).map(({ name }) => name);
      expect(names).toEqual([...findDois(first), ...findDois(second)].map(({ name }) => name));
    }),
    { numRuns: 1_000 },
  );
});
