// Which problem an input is reported for, and where in it.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import type { DoiForm } from '../src/recognise.ts';

/** Stands in a test's input where the problem is; taken out before it is read. */
const HERE = '‸';

function problemIn(marked: string, form: DoiForm | null = null): unknown {
  const { problem } = parseDoi(marked.replace(HERE, ''), form);
  return problem && { code: problem.code, position: problem.position };
}

function problemAt(marked: string, code: string): unknown {
  const position = marked.indexOf(HERE);
  return { code, position: position === -1 ? null : position };
}

describe('of several problems the first is reported', () => {
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
    ['10.1000/', 'MISSING_SUFFIX'],
  ])('%j is %s', (input, code) => {
    expect(parseDoi(input).problem?.code).toBe(code);
  });

  testTable(['1/x', '100/x', '...10/x', '1.10.1000/x', '0.1/x'])(
    '%s: digits and stops that do not begin with "10." are no directory indicator',
    (input) => {
      expect(parseDoi(input).problem?.code).toBe('INVALID_DIRECTORY_INDICATOR');
    },
  );

  // NOT_A_DOI is what fits none of the others, so what is before it in the order comes first.
  testTable([
    ['\u200c10.1000/\u200b1', 'NON_GRAPHIC_CHARACTER', 9],
    [' doi:\u200b10.1000/1', 'NON_GRAPHIC_CHARACTER', 5],
    ['https://doi.org/%C2%AD10.1000/1', 'NON_GRAPHIC_CHARACTER', 16],
    ['abc/d\u0007', 'NON_GRAPHIC_CHARACTER', 5],
    ['hel\u00adlo', 'NON_GRAPHIC_CHARACTER', 3],
    ['abc/', 'MISSING_SUFFIX', null],
    ['0.NA/', 'MISSING_SUFFIX', null],
  ])('%j is no DOI because of %s', (input, code, position) => {
    expect(problemIn(input)).toEqual({ code, position });
  });

  testTable(['hello', 'a/b', '0.NA/10.5555', '/10.1000/1', 'x10.1000/1', '１０.1000/1', '10', '10,1000/1'])(
    '%s fits none',
    (input) => {
      expect(problemIn(input)).toEqual({ code: 'NOT_A_DOI', position: null });
    },
  );
});

describe('a position is a UTF-16 offset into the input as given', () => {
  testTable([
    `10.1000/100${HERE}%`,
    `  10.1000/100${HERE}%`,
    `10.1000/${HERE}%zz`,
    `10.1000/%41${HERE}%4`,
    `10.1000/😀%F0%9F%98%80${HERE}%u0041`,
    `\t<doi: 10.1000/a${HERE}%ZZ>`,
    `https://doi.org/10.1000/${HERE}%?a=%zz`,
    `https://doi.org:443/api/handles/doi:10.1000/${HERE}%4#x`,
    `urn:doi:10.1000:${HERE}%`,
    ` ( \n10.1000/${HERE}%)`,
    `\u200b“doi:doi: 10.1000/${HERE}%zz ”\u00ad`,
    `DOI \t10.1000/${HERE}%`,
    `doi: //doi.org//ra//10.1000/${HERE}%?x`,
    `urn:hdl:10.1000:a${HERE}%`,
    `https://doi-org.example.edu:80/info:hdl/10.1000/${HERE}%`,
  ])('malformed triplet: %s', (input) => {
    expect(problemIn(input)).toEqual(problemAt(input, 'INVALID_PERCENT_ENCODING'));
  });

  testTable([
    `10.1000/a${HERE}%FF`,
    `10.1000/${HERE}%80`,
    `10.1000/${HERE}%C3`,
    `10.1000/${HERE}%C3x`,
    `10.1000/${HERE}%C3é`,
    `10.1000/%C3%A9${HERE}%C3%C3%A9`,
    `10.1000/${HERE}%C0%80`,
    `10.1000/${HERE}%ED%A0%80`,
    `10.1000/${HERE}%E2%82`,
    `10.1000/${HERE}%E2%82%41`,
    `10.1000/😀%F0%9F%98%80${HERE}%F0%9F%98`,
    `10.1000/${HERE}%F4%90%80%80`,
    `10.1000/${HERE}%F8%88%80%80%80`,
    ` <info:doi/10.1000/%41%41${HERE}%FE>`,
    `//doi.org/urn:doi:10.1000:%E2%82%AC${HERE}%A0?%FF`,
  ])('bytes that are not UTF-8: %s', (input) => {
    expect(problemIn(input)).toEqual(problemAt(input, 'INVALID_UTF8'));
  });

  testTable([
    `10.1000/a${HERE}\u200bb`,
    `10.1000/${HERE}\u0000`,
    `\u3000 10.1000/a${HERE}%0Ab`,
    `10.1000/%41%C3%A9%E2%82%AC%F0%9F%98%80é😀${HERE}%C2%AD`,
    `10.1000/%25${HERE}%7F`,
    `10.1000/${HERE}\u{e0001}`,
    `10.1000/😀${HERE}%F3%A0%80%81`,
    `10.1000/${HERE}\ue000`,
    `10.1000/${HERE}\uffff`,
    `10.1000/${HERE}\u{10ffff}`,
    `10.1000/a${HERE}\u2028b`,
    `10.1000/${HERE}\ufeffx`,
    ` <hdl: 10.1000/${HERE}\u200e>`,
    `urn:doi:10.1000:%3A${HERE}%00`,
    `https://doi.org/urn:doi:10.1000:a%2F${HERE}%09?%00#\u0000`,
    `https://doi.org/doiRA/10.1000/%2C${HERE}%C2%85`,
  ])('non-graphic character: %j', (input) => {
    expect(problemIn(input)).toEqual(problemAt(input, 'NON_GRAPHIC_CHARACTER'));
  });

  testTable([
    `10.${HERE}/x`,
    `10.${HERE}.1000/x`,
    `10.10${HERE}O0/1`,
    `10.1000.${HERE}/x`,
    `10.1000${HERE} /x`,
    `10.${HERE}１/x`,
    ` <doi:10.%31%30${HERE}x/1>`,
    `https://doi.org/api/handles/10.${HERE}SERV/CROSSREF`,
    `urn:doi:10.1${HERE}x:1`,
    `10.1${HERE}😀/x`,
  ])('prefix: %s', (input) => {
    expect(problemIn(input)).toEqual(problemAt(input, 'INVALID_PREFIX'));
  });

  testTable([` ${HERE}11.1000/x`, `doi:${HERE}11.1000/x`, `https://dx.doi.org/${HERE}%31%31.1000/x`])(
    'directory indicator: %s',
    (input) => {
      expect(problemIn(input)).toEqual(problemAt(input, 'INVALID_DIRECTORY_INDICATOR'));
    },
  );

  testTable([
    `${HERE}\ud800`,
    `10.1000/a${HERE}\udc00b`,
    `  doi:10.1000/😀${HERE}\ud83d`,
    `10.1000/${HERE}\udc00\ud800`,
    `10.1000/${HERE}\ud83d\ud83d\ude00`,
    `https://doi.org/10.1000/1?a=${HERE}\ud800`,
  ])('unpaired surrogate: %j', (input) => {
    for (const form of [null, 'NAME', 'URI', 'URL', 'WEB_FORM'] as const) {
      expect(problemIn(input, form)).toEqual(problemAt(input, 'UNPAIRED_SURROGATE'));
    }
  });

  test('a wrong form is nowhere in particular', () => {
    expect(problemIn(' 10.1000/1', 'URL')).toEqual({ code: 'NOT_IN_FORM', position: null });
  });

  testTable([
    `doi:10.1000/a${HERE}/b`,
    `doi:10.1000/a${HERE}#b`,
    `doi:10.1000/a${HERE}?b`,
    `doi:${HERE} 10.1000/a`,
    ` <doi:10.1000/a${HERE} b>`,
    `doi:10.1000/${HERE}é`,
    `doi:10.1000/${HERE}😀`,
    `doi:10.1000/a${HERE}[b]`,
    `doi:10.1000/a%41${HERE}%zz`,
    `doi:10.1000/a${HERE}%`,
    `doi:10.1000/a${HERE}\\`,
  ])('syntax of a URI: %s', (input) => {
    expect(problemIn(input, 'URI')).toEqual(problemAt(input, 'NOT_IN_FORM'));
  });

  test('a slash that a URI lacks is nowhere in particular', () => {
    expect(problemIn('doi:10.1000', 'URI')).toEqual({ code: 'NOT_IN_FORM', position: null });
  });

  test('in a NAME, white space before it counts and triplets are characters', () => {
    expect(problemIn(`10.1000/%07 ${HERE}\u0007`, 'NAME')).toEqual({
      code: 'NON_GRAPHIC_CHARACTER',
      position: 12,
    });
  });

  testTable(['10.1000', ' 10.1000/', 'doi:10.1000', 'https://doi.org/10.1000'])(
    'a missing suffix is nowhere in particular: %s',
    (input) => {
      expect(problemIn(input)).toEqual({ code: 'MISSING_SUFFIX', position: null });
    },
  );
});

describe('the message', () => {
  testTable(['10.1000/100%', '10.1000/%zz', '10.1000/%C3', 'https://doi.org/10.1000/%FF'])(
    'of %s says how to write a percent sign',
    (input) => {
      const message = parseDoi(input).problem?.message;
      expect(message).toContain('%25');
      expect(message).toContain('form: NAME');
    },
  );

  test('names the code point that is at fault', () => {
    expect(parseDoi('10.1000/a\u00adb').problem?.message).toContain('U+00AD');
    expect(parseDoi('10.1000/%F3%A0%80%81').problem?.message).toContain('U+E0001');
    expect(parseDoi('10.1000/\ud83d').problem?.message).toContain('U+D83D');
  });

  test('stays short and well-formed whatever the input', () => {
    for (const input of [
      'x'.repeat(100_000),
      '😀'.repeat(100_000),
      `1${'😀'.repeat(100)}/`,
      'doi:%zz'.repeat(999),
    ]) {
      const message = parseDoi(input).problem?.message ?? '';
      expect(message.length).toBeLessThan(400);
      expect(message.isWellFormed()).toBe(true);
    }
  });
});

describe('an unpaired surrogate', () => {
  testTable([
    ['doi:10.1000/\ud800', null, 'URI'],
    ['https://doi.org/10.1000/\ud800', null, 'URL'],
    ['10.1000/\ud800', 'NAME', 'NAME'],
    ['10.1000/\ud800', 'WEB_FORM', 'WEB_FORM'],
    ['hello \ud800', null, null],
  ] as const)('in %j read as %s leaves the form that was recognised', (input, form, found) => {
    expect(parseDoi(input, form)).toMatchObject({ form: found, problem: { code: 'UNPAIRED_SURROGATE' } });
  });

  test('comes before a form that does not fit', () => {
    expect(parseDoi('10.1000/\ud800', 'URN').problem?.code).toBe('UNPAIRED_SURROGATE');
    expect(parseDoi('doi:10.1000/a b\ud800', 'URI').problem?.code).toBe('UNPAIRED_SURROGATE');
  });
});

describe('a message quotes what was typed, brackets included', () => {
  testTable<[string, DoiForm | null, string, string]>([
    ['<img src=x onerror=alert(1)>', null, 'NOT_A_DOI', '"<img src=x onerror=alert(1)>" is not a DOI name'],
    [' <hello>\n', null, 'NOT_A_DOI', '"<hello>" is not a DOI name'],
    ['hello', null, 'NOT_A_DOI', '"hello" is not a DOI name'],
    ['<hello>', 'NAME', 'NOT_A_DOI', '"<hello>" is not a DOI name'],
    ['<10.1000/1>', 'URI', 'NOT_IN_FORM', '"<10.1000/1>" is not written in the requested form'],
    ['<doi:10.1000/a/b>', 'URI', 'NOT_IN_FORM', '"<doi:10.1000/a/b>" is not written in the requested form'],
    ['<10.1000/>', null, 'MISSING_SUFFIX', '"10.1000/" has no suffix'],
  ])('%j as %s', (input, form, code, words) => {
    const { problem } = parseDoi(input, form);
    expect(problem?.code).toBe(code);
    expect(problem?.message).toContain(words);
  });
});
