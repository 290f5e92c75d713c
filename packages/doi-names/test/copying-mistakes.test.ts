// Warnings about text that is often copied with a name. A warning also has the name without this text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVectors } from '../../../checks/conformance/run/vectors.ts';
import { doiName, doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { type DoiWarningCode, doiWarnings } from '../src/warnings.ts';

/** Marks the position of a warning in a name. */
const HERE = '‸';
const VIEWS = ['/full', '/pdf', '/epdf', '/abstract', '/meta', '/html', '/summary', '.pdf', '/Full', '.PDF'];

function warningIn(name: string, code: string): unknown {
  const warning = doiWarnings(doiName(name), lookalikes).find((each) => each.code === code);
  return warning && { position: warning.position, repaired: warning.repaired };
}

testTable(readVectors('warnings').cases)(
  'the vectors hold',
  ({ input: { name }, expected: { warnings } }) => {
    if (warnings.length === 0) expect(doiWarnings(doiName(name), lookalikes)).toEqual([]);
    for (const { code, ...warning } of warnings) expect(warningIn(name, code)).toEqual(warning);
  },
);

testTable<readonly [DoiWarningCode, marked: string, repaired: string | null]>([
  ['TRAILING_PUNCTUATION', '10.1000/a‸,;:!?…', '10.1000/a'],
  ['TRAILING_PUNCTUATION', '10.1000/a‸"', '10.1000/a'],
  ['TRAILING_PUNCTUATION', '10.1000/"a‸"', '10.1000/"a'],
  ['TRAILING_PUNCTUATION', '10.1000/a‸»›’‹', '10.1000/a'],
  ['TRAILING_PUNCTUATION', '10.1000/a(b)‸).', '10.1000/a(b)'],
  ['TRAILING_PUNCTUATION', '10.1000/a(b‸.', '10.1000/a(b'],
  ['TRAILING_PUNCTUATION', '10.1000/(a.)‸.]', '10.1000/(a.)'],
  ['TRAILING_PUNCTUATION', '10.1000/[a(b])‸])', '10.1000/[a(b])'],
  ['TRAILING_PUNCTUATION', '10.1000/)(a‸]', '10.1000/)(a'],
  ['TRAILING_PUNCTUATION', '10.1000/a）b（c）‸）', '10.1000/a）b（c）'],
  ['TRAILING_PUNCTUATION', '10.1000/a<b‸,', '10.1000/a<b'],
  ['TRAILING_PUNCTUATION', '10.1000/a-‸>', '10.1000/a-'],
  ['TRAILING_PUNCTUATION', '10.1000/‸)', null],
  ['TRAILING_PUNCTUATION', '10.1000/‸.', null],
  ['TRAILING_PUNCTUATION', '10.1000//‸.', '10.1000//'],
  ['QUERY_OR_FRAGMENT', '10.1000/a‸?b?c=', '10.1000/a'],
  ['QUERY_OR_FRAGMENT', '10.1000/a#1‸#É.2_-', '10.1000/a#1'],
  ['QUERY_OR_FRAGMENT', '10.1000/a‸#.b.c', '10.1000/a'],
  ['QUERY_OR_FRAGMENT', '10.1000/a‸?b=c#d', '10.1000/a'],
  ['QUERY_OR_FRAGMENT', '10.1000/a#b‸?c=d#e', '10.1000/a#b'],
  ['QUERY_OR_FRAGMENT', '10.1000/‸?a=b', null],
  ...VIEWS.map((view) => ['VIEW_SUFFIX', `10.1000/a‸${view}`, '10.1000/a'] as const),
  ['VIEW_SUFFIX', '10.1000/a‸/Full/abstract.PDF', '10.1000/a'],
  ['VIEW_SUFFIX', '10.1000/full‸/pdf', '10.1000/full'],
  ['VIEW_SUFFIX', '10.1000/a‸/pdf;JSessionID=1.2/full', '10.1000/a'],
  ['VIEW_SUFFIX', '10.1000/İ‸/ABSTRACT', '10.1000/İ'],
  ['VIEW_SUFFIX', '10.1000‸/full', null],
  ['VIEW_SUFFIX', '10.1000/‸.pdf', null],
  ['MARKUP', '10.1000/a‸</sup>x', '10.1000/a'],
  ['MARKUP', '10.1000/a‸</a>](b', '10.1000/a'],
  ['MARKUP', '10.1000/a‸}', '10.1000/a'],
  ['MARKUP', '10.1000/{a}‸}}', '10.1000/{a}'],
  ['MARKUP', '10.1000/‸}', null],
  ['MARKUP', '10.1000/‸</a>', null],
  ['MARKUP', '10.1000/a‸\\_b\\&c\\%d\\#e\\$f', '10.1000/a_b&c%d#e$f'],
  ['MARKUP', '10.1000/a‸\\{b\\}', '10.1000/a{b}'],
  ['MARKUP', '10.1000/a‸\\_b}', '10.1000/a_b'],
  ['MARKUP', '10.1000/a‸\\_b</i>\\_c', '10.1000/a_b'],
  ['MARKUP', '10.1000/a‸</i>\\_c', '10.1000/a'],
  ['MARKUP', '10.1000/a‸\\}', '10.1000/a}'],
  ['DASH', '10.1000/a-b‸‐c—d', '10.1000/a-b-c-d'],
  ['DASH', '10.1000/‸−', '10.1000/-'],
  ['HTML_ENTITY', '10.1000/a‸&lt;b&gt;', '10.1000/a<b>'],
  ['HTML_ENTITY', '10.1000/‸&quot;a', '10.1000/"a'],
  ['HTML_ENTITY', '10.1000/a‸&amp;lt;b', '10.1000/a&lt;b'],
  ['HTML_ENTITY', '10.1000/a‸&#60;b&#x3C;&#X3e;', '10.1000/a<b<>'],
  ['HTML_ENTITY', '10.1000/a‸&#128512;', '10.1000/a😀'],
  ['HTML_ENTITY', '10.1000/a‸&#9999999;', null],
  ['HTML_ENTITY', '10.1000/a‸&#xD800;', null],
  ['HTML_ENTITY', '10.1000/a‸&#0;', null],
  ['HTML_ENTITY', '10.1000/a&b‸&amp;', '10.1000/a&b&'],
  ['WHITE_SPACE', '10.1000/a‸ .b', '10.1000/a.b'],
  ['WHITE_SPACE', '10.1000/a_‸ b', '10.1000/a_b'],
  ['WHITE_SPACE', '10.1000/a‸ /b', '10.1000/a/b'],
  ['WHITE_SPACE', '10.1000/a/‸\u00a0b', '10.1000/a/b'],
  ['WHITE_SPACE', '10.1000/a‸ b', null],
  ['WHITE_SPACE', '10.1000/a-‸  b', null],
  ['WHITE_SPACE', '10.1000/a-‸ b c', null],
  ['WHITE_SPACE', '10.1000/‸ ', null],
  ['SEVERAL_NAMES', '10.1000/a‸ doi:10.1000/b', '10.1000/a'],
  ['SEVERAL_NAMES', '10.1000/a‸ DOI 10.1000/b', '10.1000/a'],
  ['SEVERAL_NAMES', '10.1000/a‸ | https://dx.doi.org/x', '10.1000/a'],
  ['SEVERAL_NAMES', '10.1000/a‸,doi.org/10.1000/b', '10.1000/a'],
  ['SEVERAL_NAMES', '10.1000/a.‸\u3000urn:doi:10.1000:b', '10.1000/a.'],
  ['SEVERAL_NAMES', '10.1000/a,b‸;;info:hdl/10.1000/b', '10.1000/a,b'],
  ['SEVERAL_NAMES', '10.1000/a‸;hdl:x', '10.1000/a'],
  ['SEVERAL_NAMES', '10.1000/a 10.5 mg‸ 10.1000.2/b', '10.1000/a 10.5 mg'],
  ['SEVERAL_NAMES', '10.1000/‸,10.1000/b', null],
])(
  'a warning has the position of the copied text and the name without the copied text',
  (code, marked, repaired) => {
    expect(warningIn(marked.replace(HERE, ''), code)).toEqual({ position: marked.indexOf(HERE), repaired });
  },
);

testTable<readonly [DoiWarningCode, suffixes: string]>([
  ['TRAILING_PUNCTUATION', 'a(b) | a[b<c>] | (a)(b) | a.b | a- | a/ | a&lt; | a&#62; | a\\) | {a\\}'],
  ['QUERY_OR_FRAGMENT', 'a?b | a=b? | a#1 | a# | a#b/c | a#b c'],
  ['VIEW_SUFFIX', 'full. | a-pdf | a/fulltext | a/xml | a;session=1'],
  ['DASH', 'a-b | a_b | a~b'],
  ['MARKUP', 'a\\b | a\\\\ | {a} | a}b | a] | a<b> | a/<b'],
  ['HTML_ENTITY', 'a&b | a&lt | &nbsp; | &#; | &#x; | &#g;'],
  ['WHITE_SPACE', 'a_b'],
  ['SEVERAL_NAMES', 'a,b | a;10.5 | a,10.1000 | a 10/b | a-10.1000/b | a;b:c'],
])('names that only resemble a copying mistake have no warning', (code, suffixes) => {
  for (const suffix of suffixes.split(' | '))
    expect(warningIn(`10.1000/${suffix}`, code), suffix).toBeUndefined();
});

describe('any name with copied text', () => {
  const ENDS = '|.|).|”|}}|](|</a>|?a=b|#top|/full|.pdf|;jsessionid=1|&amp;|&#x3C;| |- | 10.1000/1|()|(|/';
  const LISTS = [';doi:10.1000/1', ', https://doi.org/10.1000/1'];
  const namesWithText = fc
    .tuple(doiNames(), fc.constantFrom(...ENDS.split('|'), ...LISTS), fc.nat())
    .map(([name, copied, at]) => {
      const suffixAt = name.indexOf('/') + 1;
      const copiedAt = at % 3 === 0 ? suffixAt + (at % (name.length - suffixAt + 1)) : name.length;
      const text = name.slice(0, copiedAt) + copied + name.slice(copiedAt);
      return doiName(text.isWellFormed() ? text : name);
    });

  test('has warnings with a position inside the name, and repairs that are shorter names', () => {
    const property = fc.property(namesWithText, (name) => {
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

  test('needs at most as many repairs as it has characters', () => {
    const property = fc.property(namesWithText, (name) => {
      let repaired = name;
      for (let steps = 0; steps <= name.length; steps += 1) {
        const next = doiWarnings(repaired, lookalikes).find((warning) => warning.repaired !== null)?.repaired;
        if (!next) return;
        repaired = next;
      }
      expect.fail(`${name} is repaired without end`);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
