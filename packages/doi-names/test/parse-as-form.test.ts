// The parser reads an input in the form that the caller requests.

import { expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';
import { DOI_FORMS, type DoiForm } from '../src/recognise.ts';

const codeOf = (input: string, form: DoiForm) => parseDoi(input, form).problem?.code;
const nameIn = (input: string, form: DoiForm) => parseDoi(input, form).name;

testTable<[input: string, DoiForm[]]>([
  ['10.1000/1', ['NAME', 'WEB_FORM']],
  ['doi:10.1000/1', ['URI']],
  ['https://doi.org/10.1000/1', ['URL']],
  ['https://doi.org/doi:10.1000/1', ['URL']],
  ['https://doi.org/info:doi/10.1000/1', ['URL']],
  ['(doi:10.1000/1)', ['URI']],
  ['“10.1000/1”', ['WEB_FORM']],
  ['doi:https://doi.org/10.1000/1', ['URL']],
  ['urn:doi:10.1000:1', ['URN']],
  ['urn:hdl:10.1000:1', ['URN']],
  ['info:hdl/10.1000/1', ['HANDLE_URI']],
  ['https://doi.org/urn:doi:10.1000:1', ['URN', 'URL']],
  ['info:doi/10.1000/1', ['INFO_URI']],
  ['hdl:10.1000/1', ['HANDLE_URI']],
  ['https://doi.org/hdl:10.1000/1', ['HANDLE_URI', 'URL']],
  ['https://hdl.handle.net/10.1000/1', ['HANDLE_URI', 'URL']],
])('an input is read in each of its forms, and in no other form', (input, forms) => {
  for (const form of DOI_FORMS) {
    const parsed = parseDoi(input, form);
    // A text that is read as a bare name has the problems of a name.
    const refusal = form === 'NAME' || form === 'WEB_FORM' ? 'NOT_A_DOI' : 'NOT_IN_FORM';
    expect(parsed.name, form).toBe(forms.includes(form) ? '10.1000/1' : null);
    expect(parsed.problem?.code, form).toBe(forms.includes(form) ? undefined : refusal);
  }
});

test('a URN or handle in a URL keeps its form', () => {
  expect(parseDoi('https://doi.org/urn:doi:10.1000:1', 'URL').form).toBe('URN');
  expect(parseDoi('https://hdl.handle.net/10.1000/1', 'URL').form).toBe('HANDLE_URI');
});

testTable([
  'doi:10.1000/a/b',
  'doi:10.1000/a#b',
  'doi: 10.1000/a',
  'doi:10.1000/é',
  'doi:10.1000/%zz',
  'doi:10.1000',
])(
  'a requested URI must have the syntax of RFC 3986, but a recognised URI may have another syntax',
  (input) => {
    expect(parseDoi(input).form).toBe('URI');
    expect(codeOf(input, 'URI')).toBe('NOT_IN_FORM');
  },
);

test('a URI may contain any pchar and any valid triplet', () => {
  expect(nameIn("DOI:10.1000/-._~!$&'()*+,;=:@%41%2f%C3%89", 'URI')).toBe("10.1000/-._~!$&'()*+,;=:@A/É");
});

testTable<[input: string, DoiForm, code: string]>([
  ['doi:10.1000/', 'URI', 'MISSING_SUFFIX'],
  ['doi:10/abcde', 'URI', 'SHORT_DOI'],
  ['doi:11.1000/a', 'URI', 'INVALID_DIRECTORY_INDICATOR'],
  ['doi:10.x/a', 'URI', 'INVALID_PREFIX'],
  ['doi:10.1000/%FF', 'URI', 'INVALID_UTF8'],
  ['doi:10.1000/%07', 'URI', 'NON_GRAPHIC_CHARACTER'],
  ['doi:abc/x', 'URI', 'NOT_A_DOI'],
  // A URI has one scheme. A WEB_FORM has no label.
  ['doi:doi:10.1000/1', 'URI', 'NOT_A_DOI'],
  ['DOI 10.1000/1', 'URI', 'NOT_IN_FORM'],
  ['doi:doi:10.1000/1', 'WEB_FORM', 'NOT_A_DOI'],
  ['DOI 10.1000/1', 'WEB_FORM', 'NOT_A_DOI'],
  ['hello', 'WEB_FORM', 'NOT_A_DOI'],
  ['10/abcde', 'WEB_FORM', 'SHORT_DOI'],
  ['11.1000/a', 'WEB_FORM', 'INVALID_DIRECTORY_INDICATOR'],
  ['10.1000/%', 'WEB_FORM', 'INVALID_PERCENT_ENCODING'],
  // A NAME takes every character literally.
  ['10.1000%2Fx', 'NAME', 'MISSING_SUFFIX'],
  ['DOI:10.1000/1', 'NAME', 'NOT_A_DOI'],
  ['(10.1000/1)', 'NAME', 'NOT_A_DOI'],
  ['10.1000/1\u200b', 'NAME', 'NON_GRAPHIC_CHARACTER'],
])('an input with a problem has the same problem if the caller requests a form', (input, form, code) => {
  expect(codeOf(input, form)).toBe(code);
});

test('a NAME may contain triplets, marks of URLs and white space', () => {
  expect(nameIn('10.1000/%zz#a?b+c ', 'NAME')).toBe('10.1000/%zz#a?b+c ');
});
