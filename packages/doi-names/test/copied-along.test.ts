// What is warned of since it is often copied along with a name, and the name without it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVectors } from '../../../checks/conformance/run/vectors.ts';
import { doiName, doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { type DoiWarningCode, doiWarnings } from '../src/warnings.ts';

/** Stands in a name where the warning begins. */
const HERE = '‸';

function find(name: string, code: string): unknown {
  const warning = doiWarnings(doiName(name), lookalikes).find((each) => each.code === code);
  return warning && { position: warning.position, repaired: warning.repaired };
}

testTable(readVectors('warnings').cases)('vectors', ({ input: { name }, expected: { warnings } }) => {
  if (warnings.length === 0) expect(doiWarnings(doiName(name), lookalikes)).toEqual([]);
  for (const { code, ...warning } of warnings) expect(find(name, code)).toEqual(warning);
});

describe.each<[DoiWarningCode, readonly (readonly [marked: string, repaired: string | null])[]]>([
  [
    'TRAILING_PUNCTUATION',
    [
      ['10.1000/a‸.', '10.1000/a'],
      ['10.1000/a‸,;:!?…', '10.1000/a'],
      ['10.1000/a‸"', '10.1000/a'],
      ['10.1000/"a‸"', '10.1000/"a'],
      ['10.1000/a‸»›’‹', '10.1000/a'],
      ['10.1000/a(b)‸).', '10.1000/a(b)'],
      ['10.1000/a(b‸.', '10.1000/a(b'],
      ['10.1000/(a.)‸.]', '10.1000/(a.)'],
      ['10.1000/[a(b])‸])', '10.1000/[a(b])'],
      ['10.1000/)(a‸]', '10.1000/)(a'],
      ['10.1000/a）b（c）‸）', '10.1000/a）b（c）'],
      ['10.1000/a<b‸,', '10.1000/a<b'],
      ['10.1000/a-‸>', '10.1000/a-'],
      ['10.1000/‸)', null],
      ['10.1000/‸.', null],
      ['10.1000//‸.', '10.1000//'],
    ],
  ],
  [
    'QUERY_OR_FRAGMENT',
    [
      ['10.1000/a‸?b=c', '10.1000/a'],
      ['10.1000/a‸?b?c=', '10.1000/a'],
      ['10.1000/a‸#b', '10.1000/a'],
      ['10.1000/a#1‸#É.2_-', '10.1000/a#1'],
      ['10.1000/a‸#.b.c', '10.1000/a'],
      ['10.1000/a‸?b=c#d', '10.1000/a'],
      ['10.1000/a#b‸?c=d#e', '10.1000/a#b'],
      ['10.1000/‸?a=b', null],
    ],
  ],
  [
    'VIEW_SUFFIX',
    [
      ...['/full', '/pdf', '/epdf', '/abstract', '/meta', '/html', '/summary', '.pdf', '/Full', '.PDF'].map(
        (view) => [`10.1000/a‸${view}`, '10.1000/a'] as const,
      ),
      ['10.1000/a‸/full/pdf', '10.1000/a'],
      ['10.1000/a‸/Full/abstract.PDF', '10.1000/a'],
      ['10.1000/full‸/pdf', '10.1000/full'],
      ['10.1000/a‸/pdf;JSessionID=1.2/full', '10.1000/a'],
      ['10.1000/a‸;jsessionid=1', '10.1000/a'],
      ['10.1000/İ‸/ABSTRACT', '10.1000/İ'],
      ['10.1000‸/full', null],
      ['10.1000/‸.pdf', null],
    ],
  ],
  [
    'MARKUP',
    [
      ['10.1000/a‸](b)', '10.1000/a'],
      ['10.1000/a‸</sup>x', '10.1000/a'],
      ['10.1000/a‸</a>](b', '10.1000/a'],
      ['10.1000/a‸}', '10.1000/a'],
      ['10.1000/{a}‸}}', '10.1000/{a}'],
      ['10.1000/‸}', null],
      ['10.1000/‸</a>', null],
      ['10.1000/a‸\\_b', '10.1000/a_b'],
      ['10.1000/a‸\\_b\\&c\\%d\\#e\\$f', '10.1000/a_b&c%d#e$f'],
      ['10.1000/a‸{\\_}b', '10.1000/a_b'],
      ['10.1000/a‸\\{b\\}', '10.1000/a{b}'],
      ['10.1000/a‸\\_b}', '10.1000/a_b'],
      ['10.1000/a‸\\_b</i>\\_c', '10.1000/a_b'],
      ['10.1000/a‸</i>\\_c', '10.1000/a'],
      ['10.1000/a‸\\}', '10.1000/a}'],
    ],
  ],
  [
    'DASH',
    [
      ['10.1000/a‸–b', '10.1000/a-b'],
      ['10.1000/a-b‸‐c—d', '10.1000/a-b-c-d'],
      ['10.1000/‸−', '10.1000/-'],
    ],
  ],
  [
    'HTML_ENTITY',
    [
      ['10.1000/a‸&lt;b&gt;', '10.1000/a<b>'],
      ['10.1000/‸&quot;a', '10.1000/"a'],
      ['10.1000/a‸&amp;lt;b', '10.1000/a&lt;b'],
      ['10.1000/a‸&#60;b&#x3C;&#X3e;', '10.1000/a<b<>'],
      ['10.1000/a‸&#128512;', '10.1000/a😀'],
      ['10.1000/a‸&#9999999;', null],
      ['10.1000/a‸&#xD800;', null],
      ['10.1000/a‸&#0;', null],
      ['10.1000/a&b‸&amp;', '10.1000/a&b&'],
    ],
  ],
  [
    'WHITE_SPACE',
    [
      ['10.1000/a-‸ b', '10.1000/a-b'],
      ['10.1000/a‸ .b', '10.1000/a.b'],
      ['10.1000/a_‸ b', '10.1000/a_b'],
      ['10.1000/a‸ /b', '10.1000/a/b'],
      ['10.1000/a/‸\u00a0b', '10.1000/a/b'],
      ['10.1000/a‸ b', null],
      ['10.1000/a-‸  b', null],
      ['10.1000/a-‸ b c', null],
      ['10.1000/‸ ', null],
    ],
  ],
  [
    'SEVERAL_NAMES',
    [
      ['10.1000/a‸ doi:10.1000/b', '10.1000/a'],
      ['10.1000/a‸ DOI 10.1000/b', '10.1000/a'],
      ['10.1000/a‸ | https://dx.doi.org/x', '10.1000/a'],
      ['10.1000/a‸,doi.org/10.1000/b', '10.1000/a'],
      ['10.1000/a.‸\u3000urn:doi:10.1000:b', '10.1000/a.'],
      ['10.1000/a,b‸;;info:hdl/10.1000/b', '10.1000/a,b'],
      ['10.1000/a‸;hdl:x', '10.1000/a'],
      ['10.1000/a 10.5 mg‸ 10.1000.2/b', '10.1000/a 10.5 mg'],
      ['10.1000/‸,10.1000/b', null],
    ],
  ],
])('%s', (code, cases) => {
  testTable(cases)('every row', (marked, repaired) => {
    expect(find(marked.replace(HERE, ''), code)).toEqual({ position: marked.indexOf(HERE), repaired });
  });
});

describe.each<[DoiWarningCode, readonly string[]]>([
  [
    'TRAILING_PUNCTUATION',
    ['10.1000/a(b)', '10.1000/a[b<c>]', '10.1000/(a)(b)', '10.1000/a.b', '10.1000/a-', '10.1000/a/'],
  ],
  [
    'QUERY_OR_FRAGMENT',
    ['10.1000/a?b', '10.1000/a=b?', '10.1000/a#1', '10.1000/a#', '10.1000/a#b/c', '10.1000/a#b c'],
  ],
  [
    'VIEW_SUFFIX',
    ['10.1000/full.', '10.1000/a-pdf', '10.1000/a/fulltext', '10.1000/a/xml', '10.1000/a;session=1'],
  ],
  ['DASH', ['10.1000/a-b', '10.1000/a_b', '10.1000/a~b']],
  ['TRAILING_PUNCTUATION', ['10.1000/a&lt;', '10.1000/a&#62;', '10.1000/a\\)', '10.1000/{a\\}']],
  [
    'MARKUP',
    [
      '10.1000/a\\b',
      '10.1000/a\\\\',
      '10.1000/{a}',
      '10.1000/a}b',
      '10.1000/a]',
      '10.1000/a<b>',
      '10.1000/a/<b',
    ],
  ],
  [
    'HTML_ENTITY',
    ['10.1000/a&b', '10.1000/a&lt', '10.1000/&nbsp;', '10.1000/&#;', '10.1000/&#x;', '10.1000/&#g;'],
  ],
  ['WHITE_SPACE', ['10.1000/a_b']],
  [
    'SEVERAL_NAMES',
    [
      '10.1000/a,b',
      '10.1000/a;10.5',
      '10.1000/a,10.1000',
      '10.1000/a 10/b',
      '10.1000/a-10.1000/b',
      '10.1000/a;b:c',
    ],
  ],
])('%s, not', (code, names) => {
  testTable(names)('is given: %s', (name) => {
    expect(find(name, code)).toBeUndefined();
  });
});

describe('the warnings that were there before', () => {
  testTable<[DoiWarningCode, string, string | null]>([
    ['TRAILING_SLASH', '10.1000/a//', '10.1000/a'],
    ['TRAILING_SLASH', '10.1000//', null],
    ['NOT_NFC', '10.1000/e\u0301', '10.1000/\u00e9'],
    ['LOOKS_PERCENT_ENCODED', '10.1000/a%23b', '10.1000/a#b'],
    ['LOOKS_PERCENT_ENCODED', '10.1000/%FF', null],
    ['LOOKS_PERCENT_ENCODED', '10.1000/%00', null],
    ['DOT_SEGMENT', '10.1000/ab/../c', null],
    ['RESERVED_SUFFIX', '10.1000/a/b', null],
  ])('%s of %s', (code, name, repaired) => {
    expect(find(name, code)).toMatchObject({ repaired });
  });
});

const copied = fc
  .tuple(
    doiNames(),
    fc.constantFrom(
      ...[
        '',
        '.',
        ').',
        '”',
        '}}',
        '](',
        '</a>',
        '?a=b',
        '#top',
        '/full',
        '.pdf',
        ';jsessionid=1',
        '&amp;',
        '&#x3C;',
      ],
      ...[' ', '- ', ' 10.1000/1', ';doi:10.1000/1', ', https://doi.org/10.1000/1', '()', '(', '/'],
    ),
    fc.nat(),
  )
  .map(([name, tail, at]) => {
    const place =
      at % 3 === 0 ? name.indexOf('/') + 1 + (at % (name.length - name.indexOf('/'))) : name.length;
    const text = name.slice(0, place) + tail + name.slice(place);
    return doiName(text.toWellFormed() === text ? text : name);
  });

describe('of any name', () => {
  test('a warning has a place in it, and a repair is another name, shorter but for other characters', () => {
    const property = fc.property(copied, (name) => {
      for (const { code, position, repaired } of doiWarnings(name, lookalikes)) {
        if (position === null || position < 0 || position >= name.length)
          expect.fail(`${code} at ${position}`);
        if (repaired === null) continue;
        expect(repaired).toBe(doiName(repaired));
        expect(repaired).not.toBe(name);
        if (code !== 'NOT_NFC' && code !== 'CONFUSABLE_CHARACTERS')
          expect(repaired.length).toBeLessThan(name.length);
      }
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  test('repairs come to an end', () => {
    const property = fc.property(copied, (name) => {
      let rest = name;
      for (let steps = 0; steps <= name.length; steps += 1) {
        const repaired = doiWarnings(rest, lookalikes).find((warning) => warning.repaired !== null)?.repaired;
        if (!repaired) return;
        rest = repaired;
      }
      expect.fail(`${name} is repaired without end`);
    });
    fc.assert(property, { numRuns: 500 });
  });

  test('what is looked for in few names is not in the others', () => {
    const usual = fc.string({ unit: fc.constantFrom(...'aZ09.-_/()'), minLength: 1, maxLength: 20 });
    const property = fc.property(usual, fc.constantFrom('', 'full', '/pdf', '.pdf'), (suffix, tail) => {
      const name = doiName(`10.1000/${suffix}x${tail}`);
      // The same name behind a character of which there is no warning, but that is not usual either.
      const unusual = doiName(`10.1000/${suffix}x${tail}`.replace('10.1000/', '10.1000/~'));
      const codes = doiWarnings(name, lookalikes).map(({ code }) => code);
      const codesOfUnusual = doiWarnings(unusual, lookalikes).map(({ code }) => code);
      const moved = ['RESERVED_SUFFIX', 'DOT_SEGMENT'];
      expect(codes.filter((code) => !moved.includes(code))).toEqual(
        codesOfUnusual.filter((code) => !moved.includes(code)),
      );
    });
    fc.assert(property, { numRuns: 500 });
  });
});
