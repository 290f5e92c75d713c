// What is read from an input that is no URL, and the form that was found.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import { DOI_FORMS, type DoiForm } from '../src/recognise.ts';

function codeOf(input: string, form: DoiForm | null = null): string | undefined {
  return parseDoi(input, form).problem?.code;
}

function nameIn(input: string, form: DoiForm | null = null): string | null {
  return parseDoi(input, form).name;
}

describe('white space and angle brackets', () => {
  testTable([
    ' 10.1000/1',
    '10.1000/1\r\n',
    '\u00a0\u3000\ufeff\u2028 10.1000/1 \t\v\f\u2003',
    '<10.1000/1>',
    ' <doi:10.1000/1> ',
    '<https://doi.org/10.1000/1>',
    '<urn:doi:10.1000:1>',
  ])('%j is read without them', (input) => {
    expect(nameIn(input)).toBe('10.1000/1');
  });

  test('the input is handed back as it was given', () => {
    expect(parseDoi(' <10.1000/1>\n').input).toBe(' <10.1000/1>\n');
    expect(parseDoi(' x ').input).toBe(' x ');
  });

  test('one pair of brackets is dropped, not two', () => {
    expect(nameIn('<<10.1000/1>>')).toBeNull();
    expect(nameIn('(<10.1000/1>)')).toBeNull();
  });

  testTable(['<10.1000/1', '<doi:10.1000/1'])('half a pair is not dropped: %s', (input) => {
    expect(codeOf(input)).toBe('NOT_A_DOI');
  });

  test('a closing bracket alone belongs to the name', () => {
    expect(nameIn('10.1000/a<b>')).toBe('10.1000/a<b>');
  });

  test('a form that was asked for is read without them too', () => {
    expect(nameIn('\t<doi:10.1000/1> ', 'URI')).toBe('10.1000/1');
    expect(nameIn('\t<10.1000/1> ', 'WEB_FORM')).toBe('10.1000/1');
  });

  test('a NAME is never trimmed: a space at its end is part of it, one before it is no DOI name', () => {
    expect(nameIn('10.1000/x ', 'NAME')).toBe('10.1000/x ');
    expect(nameIn('10.1000/ ', 'NAME')).toBe('10.1000/ ');
    expect(codeOf(' 10.1000/x', 'NAME')).toBe('NOT_A_DOI');
    expect(codeOf('<10.1000/x>', 'NAME')).toBe('NOT_A_DOI');
    expect(codeOf('   ', 'NAME')).toBe('NOT_A_DOI');
  });

  test('every other form loses a raw space at the end, and keeps an encoded one', () => {
    expect(nameIn('10.1000/x\u3000')).toBe('10.1000/x');
    expect(nameIn('doi:10.1000/x ')).toBe('10.1000/x');
    expect(nameIn('doi:10.1000/x%20')).toBe('10.1000/x ');
    expect(codeOf('10.1000/ ')).toBe('MISSING_SUFFIX');
  });

  testTable(['', ' ', '\n\t\u00a0\ufeff'])('%j is EMPTY in every form that is trimmed', (input) => {
    for (const form of [null, ...DOI_FORMS.filter((each) => each !== 'NAME')]) {
      expect(parseDoi(input, form)).toMatchObject({ name: null, problem: { code: 'EMPTY', position: null } });
    }
  });

  test('an empty NAME is EMPTY', () => {
    expect(codeOf('', 'NAME')).toBe('EMPTY');
  });
});

describe('a scheme', () => {
  testTable([
    'doi: 10.1000/1',
    'DOI:\t10.1000/1',
    'Doi:\u00a0\u3000 10.1000/1',
    'hdl: 10.1000/1',
    'HDL:10.1000/1',
    'INFO:DOI/10.1000/1',
    'Urn:Doi:10.1000:1',
  ])('is read in any case and with white space after its colon: %j', (input) => {
    expect(nameIn(input)).toBe('10.1000/1');
  });

  testTable(['urn:doi: 10.1000:1', 'info:doi/ 10.1000/1'])(
    'has none where it is a URN or a path: %j',
    (input) => {
      expect(codeOf(input)).toBe('NOT_A_DOI');
    },
  );

  testTable<[string, string, DoiForm]>([
    ['DOI 10.1000/1', '10.1000/1', 'URI'],
    ['doi \u00a0\n10.1000/a%23b', '10.1000/a#b', 'URI'],
    ['doi:doi:10.1000/1', '10.1000/1', 'URI'],
    ['DOI: doi: 10.1000/1', '10.1000/1', 'URI'],
    ['doi: DOI 10.1000/1', '10.1000/1', 'URI'],
    ['info:hdl/10.1000/a%23b', '10.1000/a#b', 'HANDLE_URI'],
    ['INFO:HDL/10.1000/1', '10.1000/1', 'HANDLE_URI'],
    ['urn:hdl:10.1000:a/b:c', '10.1000/a/b:c', 'URN'],
    ['URN:HDL:10.1000/a:b', '10.1000/a:b', 'URN'],
  ])('as it is often written: %j', (input, name, form) => {
    expect(parseDoi(input)).toMatchObject({ name, form, problem: null });
  });

  testTable([
    'doi://10.1000/1',
    'doi://doi.org/10.1000/1',
    'doi:doi:doi:10.1000/1',
    'doi:doi:https://doi.org/10.1000/1',
    'doi:doi: doi.org/10.1000/1',
    'DOI https://doi.org/10.1000/1',
    'DOI doi:10.1000/1',
    'DOI10.1000/1',
    'DOI\u200b10.1000/1',
    'DOI 11.1000/1',
    'hdl:hdl:10.1000/1',
    'hdl 10.1000/1',
    'info:hdl/ 10.1000/1',
    'urn:hdl: 10.1000:1',
  ])('that nobody defined is none: %j', (input) => {
    expect(['NOT_A_DOI', 'NON_GRAPHIC_CHARACTER']).toContain(codeOf(input));
  });

  testTable(['hdl:doi:10.1000/1', 'doi:hdl:10.1000/1', 'doi:urn:doi:10.1000:1', 'info:doi/doi:10.1000/1'])(
    'before another is no name: %s',
    (input) => {
      expect(codeOf(input)).toBe('NOT_A_DOI');
    },
  );

  test('a plus sign is never a space', () => {
    for (const before of ['doi:', 'hdl:', 'info:doi/', 'urn:doi:', 'https://doi.org/', '']) {
      expect(nameIn(`${before}10.1000/a+b%2B`)).toBe('10.1000/a+b+');
    }
  });

  testTable([
    'doi:10.1000/a?b#c',
    'hdl:10.1000/a?b#c',
    'info:doi/10.1000/a?b#c',
    'urn:doi:10.1000:a?b#c',
    '10.1000/a?b#c',
  ])('no query and no fragment outside URLs: %s', (input) => {
    expect(parseDoi(input)).toMatchObject({ name: '10.1000/a?b#c', proxyParameters: [], fragment: null });
  });

  test('triplets are decoded once, in every form but NAME', () => {
    for (const before of ['doi:', 'hdl:', 'info:doi/', 'urn:doi:', '//doi.org/', '']) {
      expect(nameIn(`${before}10.1000/%2541%e2%82%ac`)).toBe('10.1000/%41€');
    }
    expect(nameIn('10.1000/%2541', 'NAME')).toBe('10.1000/%2541');
  });

  test('the slash that divides and the prefix may be triplets', () => {
    for (const before of ['doi:', 'hdl:', 'info:doi/', '//doi.org/']) {
      expect(nameIn(`${before}%31%30.1000%2Fx`)).toBe('10.1000/x');
    }
    expect(nameIn('10.1000%2Fx')).toBe('10.1000/x');
  });
});

describe('a URN', () => {
  testTable([
    ['urn:doi:10.1000:a', '10.1000/a'],
    ['urn:doi:10.1000:a:b/c', '10.1000/a:b/c'],
    ['urn:doi:10.1000/a:b', '10.1000/a:b'],
    ['urn:doi:10.1000::a', '10.1000/:a'],
    ['urn:doi:10.1000:/a', '10.1000//a'],
    ['urn:doi:10.1000:%3A%2F', '10.1000/:/'],
    ['urn:doi:10.1000%2Fa', '10.1000/a'],
    ['https://doi.org/urn:doi:10.1000:a/b', '10.1000/a/b'],
    ['https://doi.org/urn:doi:10.1000/a:b', '10.1000/a:b'],
    ['https://doi.org/URN:DOI:10.1000:a?x:y#z', '10.1000/a'],
  ])('%s names %s', (input, name) => {
    expect(parseDoi(input)).toMatchObject({ name, form: 'URN' });
  });

  test('its colon is looked for before decoding', () => {
    expect(codeOf('urn:doi:10.1000%3Aa')).toBe('MISSING_SUFFIX');
  });

  test('nothing after its colon is a missing suffix', () => {
    expect(codeOf('urn:doi:10.1000:')).toBe('MISSING_SUFFIX');
    expect(codeOf('urn:doi:10.1000')).toBe('MISSING_SUFFIX');
  });
});

describe('a shortDOI', () => {
  testTable([
    '10/abcde',
    '10/b5-x',
    'doi:10/abcde',
    'hdl:10/abcde',
    'info:doi/10/abcde',
    'urn:doi:10:abcde',
    'https://doi.org/10/abcde',
    'https://www.doi.org/10/abcde',
    'https://hdl.handle.net/10/abcde',
    'https://doi.org/abcde',
    'http://dx.doi.org/D8dn',
    'doi.org/abcde',
    'www.doi.org/abcde',
    '<10/abcde>',
    'https://doi.org//abcde',
    'https://doi-org.proxy.example.edu/abcde',
    '//doi.org:80/abcde?noredirect#top',
    'https://doi.org/ra',
  ])('%s is SHORT_DOI, and the message says what that is', (input) => {
    expect(parseDoi(input).problem).toMatchObject({
      code: 'SHORT_DOI',
      message: expect.stringContaining('shortDOI'),
      position: null,
    });
  });

  testTable([
    'abcde',
    'doi:abcde',
    'https://hdl.handle.net/abcde',
    'https://doi.org/ab-cde',
    'https://doi.org/doi:abcde',
  ])('%s is not', (input) => {
    expect(codeOf(input)).toBe('NOT_A_DOI');
  });
});

describe('the form that was found', () => {
  testTable<[string, DoiForm | null]>([
    ['10.1000/1', 'WEB_FORM'],
    ['doi:10.1000/1', 'URI'],
    ['doi: 10.1000/a/b?#', 'URI'],
    ['doi:10.1000/%zz', 'URI'],
    ['10.1000', 'WEB_FORM'],
    ['10.1000/%zz', 'WEB_FORM'],
    ['hdl:0.NA/10.5555', 'HANDLE_URI'],
    ['info:doi/10.1000/', 'INFO_URI'],
    ['urn:doi:10.1000:', 'URN'],
    ['https://doi.org/d8dn', 'URL'],
    ['https://doi.org/doiRA/10.1000/1,10.1000/2', 'URL'],
    ['https://hdl.handle.net/0.NA/10.5555', 'HANDLE_URI'],
    ['10/abcde', null],
    ['11.1000/x', null],
    ['hello', null],
    ['', null],
  ])('every row', (input, form) => {
    expect(parseDoi(input).form).toBe(form);
  });

  test('a form that was asked for, with and without a problem', () => {
    expect(parseDoi('10.1000/1', 'NAME').form).toBe('NAME');
    expect(parseDoi('hello', 'NAME').form).toBe('NAME');
    expect(parseDoi('10.1000/%zz', 'WEB_FORM').form).toBe('WEB_FORM');
  });
});
