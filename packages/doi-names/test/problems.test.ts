// The problem that is reported for an input, its position and its message.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import type { DoiForm } from '../src/recognise.ts';

/** Marks the position of the problem in an input. */
const HERE = '‸';

function problemIn(marked: string, form: DoiForm | null = null): unknown {
  const { problem } = parseDoi(marked.replace(HERE, ''), form);
  return problem && { code: problem.code, position: problem.position };
}

function problemAtMark(marked: string, code: string): unknown {
  const position = marked.indexOf(HERE);
  return { code, position: position === -1 ? null : position };
}

describe('if an input has several problems, the parser reports the first problem in the order of the contract', () => {
  testTable([
    ['doi:10.1000/%zz\ud800', 'UNPAIRED_SURROGATE'],
    ['hello\udc00', 'UNPAIRED_SURROGATE'],
    ['doi:10.1000/%zz%FF', 'INVALID_PERCENT_ENCODING'],
    ['doi:10.1000/a%07%', 'INVALID_PERCENT_ENCODING'],
    ['doi:10.1000%', 'INVALID_PERCENT_ENCODING'],
    ['doi:10/%zz', 'INVALID_PERCENT_ENCODING'],
    ['doi:11.x/%FF', 'INVALID_UTF8'],
    ['10.x/%FF', 'INVALID_UTF8'],
    ['10.x', 'MISSING_SUFFIX'],
    ['10.', 'MISSING_SUFFIX'],
    ['10.1000\u0007', 'MISSING_SUFFIX'],
    ['10/a\u0007', 'SHORT_DOI'],
    ['11.1000/a\u0007', 'INVALID_DIRECTORY_INDICATOR'],
    ['110.1000/', 'INVALID_DIRECTORY_INDICATOR'],
    ['10.x/', 'INVALID_PREFIX'],
    ['10.1000\u00ad/a\u0007', 'INVALID_PREFIX'],
    // Digits and full stops before the slash, but "10." is missing.
    ['1/x', 'INVALID_DIRECTORY_INDICATOR'],
    ['100/x', 'INVALID_DIRECTORY_INDICATOR'],
    ['...10/x', 'INVALID_DIRECTORY_INDICATOR'],
    ['1.10.1000/x', 'INVALID_DIRECTORY_INDICATOR'],
    ['0.1/x', 'INVALID_DIRECTORY_INDICATOR'],
  ])('for every input', (input, code) => {
    expect(parseDoi(input).problem?.code).toBe(code);
  });

  testTable<[string, string, number | null]>([
    ['\u200c10.1000/\u200b1', 'NON_GRAPHIC_CHARACTER', 9],
    [' doi:\u200b10.1000/1', 'NON_GRAPHIC_CHARACTER', 5],
    ['https://doi.org/%C2%AD10.1000/1', 'NON_GRAPHIC_CHARACTER', 16],
    ['abc/d\u0007', 'NON_GRAPHIC_CHARACTER', 5],
    ['hel\u00adlo', 'NON_GRAPHIC_CHARACTER', 3],
    ['abc/', 'MISSING_SUFFIX', null],
    ['0.NA/', 'MISSING_SUFFIX', null],
    ...['a/b', '0.NA/10.5555', '/10.1000/1', '10', '10,1000/1'].map((input): [string, string, null] => [
      input,
      'NOT_A_DOI',
      null,
    ]),
  ])('and NOT_A_DOI comes last', (input, code, position) => {
    expect(problemIn(input)).toEqual({ code, position });
  });
});

describe('the position of a problem is a UTF-16 offset into the unchanged input', () => {
  testTable<[code: string, ...marked: string[]]>([
    ['INVALID_PERCENT_ENCODING', '10.1000/100‸%'],
    ['INVALID_PERCENT_ENCODING', '10.1000/😀%F0%9F%98%80‸%u0041'],
    ['INVALID_PERCENT_ENCODING', '\t<doi: 10.1000/a‸%ZZ>'],
    ['INVALID_PERCENT_ENCODING', 'https://doi.org/10.1000/‸%?a=%zz'],
    ['INVALID_PERCENT_ENCODING', 'https://doi.org:443/api/handles/doi:10.1000/‸%4#x'],
    ['INVALID_PERCENT_ENCODING', 'https://doi.org//ra//10.1000/‸%zz'],
    ['INVALID_PERCENT_ENCODING', 'urn:doi:10.1000:‸%'],
    ['INVALID_PERCENT_ENCODING', ' ( \n10.1000/‸%)'],
    ['INVALID_PERCENT_ENCODING', '\u200b“doi:doi: 10.1000/‸%zz ”\u00ad'],
    ['INVALID_PERCENT_ENCODING', 'DOI \t10.1000/‸%'],
    ['INVALID_PERCENT_ENCODING', 'doi: //doi.org//ra//10.1000/‸%?x'],
    ['INVALID_PERCENT_ENCODING', 'https://doi-org.example.edu:80/info:hdl/10.1000/‸%'],
    ['INVALID_UTF8', '10.1000/%C3%A9‸%C3%C3%A9'],
    ['INVALID_UTF8', ' <info:doi/10.1000/%41%41‸%FE>'],
    ['INVALID_UTF8', '//doi.org/urn:doi:10.1000:%E2%82%AC‸%A0?%FF'],
    ['NON_GRAPHIC_CHARACTER', '10.1000/%41%C3%A9%E2%82%AC%F0%9F%98%80é😀‸%C2%AD'],
    ['NON_GRAPHIC_CHARACTER', '10.1000/😀‸%F3%A0%80%81'],
    ['NON_GRAPHIC_CHARACTER', ' <hdl: 10.1000/‸\u200e>'],
    ['NON_GRAPHIC_CHARACTER', 'https://doi.org/urn:doi:10.1000:a%2F‸%09?%00#\u0000'],
    ['NON_GRAPHIC_CHARACTER', 'https://doi.org/doiRA/10.1000/%2C‸%C2%85'],
    ['INVALID_PREFIX', '10.‸/x'],
    ['INVALID_PREFIX', '10.‸.1000/x'],
    ['INVALID_PREFIX', '10.10‸O0/1'],
    ['INVALID_PREFIX', '10.1000.‸/x'],
    ['INVALID_PREFIX', '10.1000‸ /x'],
    ['INVALID_PREFIX', '10.‸１/x'],
    ['INVALID_PREFIX', ' <doi:10.%31%30‸x/1>'],
    ['INVALID_PREFIX', 'https://doi.org/api/handles/10.‸SERV/CROSSREF'],
    ['INVALID_PREFIX', 'urn:doi:10.1‸x:1'],
    ['INVALID_PREFIX', '10.1‸😀/x'],
    ['INVALID_DIRECTORY_INDICATOR', ' ‸11.1000/x'],
    ['INVALID_DIRECTORY_INDICATOR', 'doi:‸11.1000/x'],
    ['INVALID_DIRECTORY_INDICATOR', 'https://dx.doi.org/‸%31%31.1000/x'],
    // A missing suffix has no position.
    ['MISSING_SUFFIX', ' 10.1000/'],
    ['MISSING_SUFFIX', 'https://doi.org/10.1000'],
  ])('for any form of the input', (code, marked) => {
    expect(problemIn(marked)).toEqual(problemAtMark(marked, code));
  });

  testTable([
    '‸\ud800',
    '10.1000/a‸\udc00b',
    '  doi:10.1000/😀‸\ud83d',
    '10.1000/‸\udc00\ud800',
    '10.1000/‸\ud83d\ud83d\ude00',
    'https://doi.org/10.1000/1?a=‸\ud800',
    'doi:10.1000/a b‸\ud800',
  ])('for an unpaired surrogate, even if the input is not in the requested form', (marked) => {
    for (const form of [null, 'NAME', 'URI', 'URL', 'URN', 'WEB_FORM'] as const) {
      expect(problemIn(marked, form)).toEqual(problemAtMark(marked, 'UNPAIRED_SURROGATE'));
    }
  });

  testTable([
    'doi:10.1000/a‸/b',
    'doi:10.1000/a‸#b',
    'doi:10.1000/a‸?b',
    'doi:‸ 10.1000/a',
    ' <doi:10.1000/a‸ b>',
    'doi:10.1000/‸é',
    'doi:10.1000/‸😀',
    'doi:10.1000/a‸[b]',
    'doi:10.1000/a%41‸%zz',
    'doi:10.1000/a‸%',
    'doi:10.1000/a‸\\',
    // The slash is missing, so there is no position.
    'doi:10.1000',
  ])('for text that a URI may not contain', (marked) => {
    expect(problemIn(marked, 'URI')).toEqual(problemAtMark(marked, 'NOT_IN_FORM'));
  });

  testTable<[string, DoiForm]>([
    [' 10.1000/1', 'URL'],
    ['DOI 10.1000/1', 'URI'],
  ])('or null if the whole input has another form', (input, form) => {
    expect(problemIn(input, form)).toEqual({ code: 'NOT_IN_FORM', position: null });
  });

  test('in a NAME, where white space counts and a triplet is three characters', () => {
    const marked = '10.1000/%07 ‸\u0007';
    expect(problemIn(marked, 'NAME')).toEqual(problemAtMark(marked, 'NON_GRAPHIC_CHARACTER'));
  });
});

testTable([
  ['doi:10.1000/\ud800', null, 'URI'],
  ['https://doi.org/10.1000/\ud800', null, 'URL'],
  ['10.1000/\ud800', 'NAME', 'NAME'],
  ['10.1000/\ud800', 'WEB_FORM', 'WEB_FORM'],
  ['hello \ud800', null, null],
] as const)('an unpaired surrogate does not change the form', (input, form, found) => {
  expect(parseDoi(input, form)).toMatchObject({ form: found, problem: { code: 'UNPAIRED_SURROGATE' } });
});

describe('the message', () => {
  testTable(['10.1000/100%', '10.1000/%zz', '10.1000/%C3', 'https://doi.org/10.1000/%FF'])(
    'says how to write a percent sign',
    (input) => {
      const message = parseDoi(input).problem?.message;
      expect(message).toContain('%25');
      expect(message).toContain('form: NAME');
    },
  );

  testTable([
    ['10.1000/a\u00adb', 'U+00AD'],
    ['10.1000/%F3%A0%80%81', 'U+E0001'],
    ['10.1000/\ud83d', 'U+D83D'],
  ])('names the code point at fault', (input, codePoint) => {
    expect(parseDoi(input).problem?.message).toContain(codePoint);
  });

  test('is short and well-formed for any input', () => {
    const long = ['x'.repeat(100_000), '😀'.repeat(100_000), `1${'😀'.repeat(100)}/`, 'doi:%zz'.repeat(999)];
    for (const input of long) {
      const message = parseDoi(input).problem?.message ?? '';
      expect(message.length).toBeLessThan(400);
      expect(message.isWellFormed()).toBe(true);
    }
  });

  testTable<[string, DoiForm | null, string, string]>([
    ['<img src=x onerror=alert(1)>', null, 'NOT_A_DOI', '"<img src=x onerror=alert(1)>" is not a DOI name'],
    [' <hello>\n', null, 'NOT_A_DOI', '"<hello>" is not a DOI name'],
    ['<hello>', 'NAME', 'NOT_A_DOI', '"<hello>" is not a DOI name'],
    ['<10.1000/1>', 'URI', 'NOT_IN_FORM', '"<10.1000/1>" is not written in the requested form'],
    ['<doi:10.1000/a/b>', 'URI', 'NOT_IN_FORM', '"<doi:10.1000/a/b>" is not written in the requested form'],
    ['<10.1000/>', null, 'MISSING_SUFFIX', '"10.1000/" has no suffix'],
  ])('quotes the input with its brackets', (input, form, code, words) => {
    const { problem } = parseDoi(input, form);
    expect(problem?.code).toBe(code);
    expect(problem?.message).toContain(words);
  });
});
