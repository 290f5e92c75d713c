// Inputs that are not URLs: the name, and the form in which it is written.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import { DOI_FORMS, type DoiForm } from '../src/recognise.ts';

const codeOf = (input: string, form: DoiForm | null = null) => parseDoi(input, form).problem?.code;
const nameIn = (input: string, form: DoiForm | null = null) => parseDoi(input, form).name;

describe('white space around an input', () => {
  testTable([' 10.1000/1', '10.1000/1\r\n', '\u00a0\u3000\ufeff\u2028 10.1000/1 \t\v\f\u2003'])(
    'does not belong to the name',
    (input) => {
      expect(parseDoi(input)).toMatchObject({ input, name: '10.1000/1' });
    },
  );

  test('belongs to a NAME', () => {
    expect(nameIn('10.1000/x ', 'NAME')).toBe('10.1000/x ');
    expect(nameIn('10.1000/ ', 'NAME')).toBe('10.1000/ ');
    expect(codeOf(' 10.1000/x', 'NAME')).toBe('NOT_A_DOI');
    expect(codeOf('<10.1000/x>', 'NAME')).toBe('NOT_A_DOI');
    expect(codeOf('   ', 'NAME')).toBe('NOT_A_DOI');
    expect(codeOf('', 'NAME')).toBe('EMPTY');
  });

  test('stays at the end of a name if the white space is encoded', () => {
    expect(nameIn('10.1000/x\u3000')).toBe('10.1000/x');
    expect(nameIn('doi:10.1000/x ')).toBe('10.1000/x');
    expect(nameIn('doi:10.1000/x%20')).toBe('10.1000/x ');
    expect(codeOf('10.1000/ ')).toBe('MISSING_SUFFIX');
  });

  testTable(['', ' ', '\n\t\u00a0\ufeff'])(
    'has the problem EMPTY if the input has no other character',
    (input) => {
      for (const form of [null, ...DOI_FORMS.filter((each) => each !== 'NAME')]) {
        expect(parseDoi(input, form)).toMatchObject({
          name: null,
          problem: { code: 'EMPTY', position: null },
        });
      }
    },
  );
});

describe('a scheme', () => {
  testTable<[string, string, DoiForm]>([
    ['DOI:\t10.1000/1', '10.1000/1', 'URI'],
    ['Doi:\u00a0\u3000 10.1000/1', '10.1000/1', 'URI'],
    ['hdl: 10.1000/1', '10.1000/1', 'HANDLE_URI'],
    ['HDL:10.1000/1', '10.1000/1', 'HANDLE_URI'],
    ['INFO:DOI/10.1000/1', '10.1000/1', 'INFO_URI'],
    ['Urn:Doi:10.1000:1', '10.1000/1', 'URN'],
    ['doi \u00a0\n10.1000/a%23b', '10.1000/a#b', 'URI'],
    ['DOI: doi: 10.1000/1', '10.1000/1', 'URI'],
    ['doi: DOI 10.1000/1', '10.1000/1', 'URI'],
    ['INFO:HDL/10.1000/1', '10.1000/1', 'HANDLE_URI'],
    ['urn:hdl:10.1000:a/b:c', '10.1000/a/b:c', 'URN'],
    ['URN:HDL:10.1000/a:b', '10.1000/a:b', 'URN'],
  ])('is read in any letter case and in common spellings', (input, name, form) => {
    expect(parseDoi(input)).toMatchObject({ name, form, problem: null });
  });

  testTable([
    ...['doi://doi.org/10.1000/1', 'doi:doi:doi:10.1000/1', 'doi:doi:https://doi.org/10.1000/1'],
    ...['doi:doi: doi.org/10.1000/1', 'DOI https://doi.org/10.1000/1', 'DOI doi:10.1000/1'],
    ...['DOI10.1000/1', 'DOI\u200b10.1000/1', 'DOI 11.1000/1', 'hdl:hdl:10.1000/1', 'hdl 10.1000/1'],
    ...['urn:doi: 10.1000:1', 'urn:hdl: 10.1000:1', 'info:doi/ 10.1000/1', 'info:hdl/ 10.1000/1'],
    ...['hdl:doi:10.1000/1', 'doi:hdl:10.1000/1', 'doi:urn:doi:10.1000:1', 'info:doi/doi:10.1000/1'],
  ])('is not read if no document defines the scheme and people do not usually write it', (input) => {
    expect(['NOT_A_DOI', 'NON_GRAPHIC_CHARACTER']).toContain(codeOf(input));
  });

  test('does not change how a plus sign, a triplet or the dividing slash is read', () => {
    for (const scheme of ['doi:', 'hdl:', 'info:doi/', 'urn:doi:', '//doi.org/', '']) {
      expect(nameIn(`${scheme}10.1000/a+b%2B`)).toBe('10.1000/a+b+');
      expect(nameIn(`${scheme}10.1000/%2541%e2%82%ac`)).toBe('10.1000/%41€');
      expect(nameIn(`${scheme}10.1000%2Fx`)).toBe('10.1000/x');
      if (scheme !== '') expect(nameIn(`${scheme}%31%30.1000/x`)).toBe('10.1000/x');
    }
  });

  testTable(['doi:10.1000/', 'hdl:10.1000/', 'info:doi/10.1000/', 'urn:doi:10.1000:', '10.1000/'])(
    'begins no URL, so "?" and "#" belong to the name',
    (beginning) => {
      const expected = { name: '10.1000/a?b#c', proxyParameters: [], fragment: null };
      expect(parseDoi(`${beginning}a?b#c`)).toMatchObject(expected);
    },
  );
});

testTable([
  ['urn:doi:10.1000:a:b/c', '10.1000/a:b/c'],
  ['urn:doi:10.1000/a:b', '10.1000/a:b'],
  ['urn:doi:10.1000::a', '10.1000/:a'],
  ['urn:doi:10.1000:/a', '10.1000//a'],
  ['urn:doi:10.1000:%3A%2F', '10.1000/:/'],
  ['https://doi.org/urn:doi:10.1000:a/b', '10.1000/a/b'],
  ['https://doi.org/urn:doi:10.1000/a:b', '10.1000/a:b'],
  ['https://doi.org/URN:DOI:10.1000:a?x:y#z', '10.1000/a'],
])('the first raw colon or slash of a URN divides its name', (input, name) => {
  expect(parseDoi(input)).toMatchObject({ name, form: 'URN' });
});

testTable(['urn:doi:10.1000%3Aa', 'urn:doi:10.1000:', 'urn:doi:10.1000'])(
  'a URN without text after a raw colon has no suffix',
  (input) => {
    expect(codeOf(input)).toBe('MISSING_SUFFIX');
  },
);

testTable<[string, DoiForm | null, DoiForm | null]>([
  ['doi: 10.1000/a/b?#', null, 'URI'],
  ['doi:10.1000/%zz', null, 'URI'],
  ['10.1000', null, 'WEB_FORM'],
  ['10.1000/%zz', null, 'WEB_FORM'],
  ['hdl:0.NA/10.5555', null, 'HANDLE_URI'],
  ['info:doi/10.1000/', null, 'INFO_URI'],
  ['urn:doi:10.1000:', null, 'URN'],
  ['https://doi.org/d8dn', null, 'URL'],
  ['https://doi.org/doiRA/10.1000/1,10.1000/2', null, 'URL'],
  ['https://hdl.handle.net/0.NA/10.5555', null, 'HANDLE_URI'],
  ['10/abcde', null, null],
  ['11.1000/x', null, null],
  ['hello', null, null],
  ['', null, null],
  ['10.1000/1', 'NAME', 'NAME'],
  ['hello', 'NAME', 'NAME'],
  ['10.1000/%zz', 'WEB_FORM', 'WEB_FORM'],
])('an input with a problem has the form that was recognised or requested', (input, requested, form) => {
  expect(parseDoi(input, requested).form).toBe(form);
});
