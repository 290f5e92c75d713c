// What is read when the form is asked for.

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

describe('a form that is asked for', () => {
  const READ_AS: readonly (readonly [input: string, readonly DoiForm[]])[] = [
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
  ];

  for (const [input, forms] of READ_AS) {
    testTable(DOI_FORMS)(`${input} as %s`, (form) => {
      const parsed = parseDoi(input, form);
      // A text read as a bare name has the name's problems.
      const refusal = form === 'NAME' || form === 'WEB_FORM' ? 'NOT_A_DOI' : 'NOT_IN_FORM';
      expect(parsed.name).toBe(forms.includes(form) ? '10.1000/1' : null);
      expect(parsed.problem?.code).toBe(forms.includes(form) ? undefined : refusal);
    });
  }

  test('a URN or handle in a URL is read as URL and named for what was found', () => {
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
  ])('%s is not RFC 3986 syntax, as URI must be', (input) => {
    expect(parseDoi(input).form).toBe('URI');
    expect(codeOf(input, 'URI')).toBe('NOT_IN_FORM');
  });

  test('a URI may hold any pchar and any valid triplet', () => {
    expect(nameIn("DOI:10.1000/-._~!$&'()*+,;=:@%41%2f%C3%89", 'URI')).toBe("10.1000/-._~!$&'()*+,;=:@A/É");
  });

  testTable([
    ['doi:10.1000/', 'MISSING_SUFFIX'],
    ['doi:10/abcde', 'SHORT_DOI'],
    ['doi:11.1000/a', 'INVALID_DIRECTORY_INDICATOR'],
    ['doi:10.x/a', 'INVALID_PREFIX'],
    ['doi:10.1000/%FF', 'INVALID_UTF8'],
    ['doi:10.1000/%07', 'NON_GRAPHIC_CHARACTER'],
    ['doi:abc/x', 'NOT_A_DOI'],
  ])("%s as URI has the name's own problem, %s", (input, code) => {
    expect(codeOf(input, 'URI')).toBe(code);
  });

  test('a URI has one scheme and no label', () => {
    expect(parseDoi('doi:doi:10.1000/1', 'URI').problem).toMatchObject({ code: 'NOT_A_DOI', position: null });
    expect(parseDoi('DOI 10.1000/1', 'URI').problem).toMatchObject({ code: 'NOT_IN_FORM', position: null });
    expect(parseDoi('doi:doi:10.1000/1', 'WEB_FORM').problem?.code).toBe('NOT_A_DOI');
    expect(parseDoi('DOI 10.1000/1', 'WEB_FORM').problem?.code).toBe('NOT_A_DOI');
  });

  test("a bare name read as WEB_FORM has the name's own problems", () => {
    expect(codeOf('hello', 'WEB_FORM')).toBe('NOT_A_DOI');
    expect(codeOf('10/abcde', 'WEB_FORM')).toBe('SHORT_DOI');
    expect(codeOf('11.1000/a', 'WEB_FORM')).toBe('INVALID_DIRECTORY_INDICATOR');
    expect(codeOf('10.1000/%', 'WEB_FORM')).toBe('INVALID_PERCENT_ENCODING');
  });

  test('NAME takes every character literally', () => {
    expect(nameIn('10.1000/%zz#a?b+c ', 'NAME')).toBe('10.1000/%zz#a?b+c ');
    expect(codeOf('10.1000%2Fx', 'NAME')).toBe('MISSING_SUFFIX');
    expect(codeOf('DOI:10.1000/1', 'NAME')).toBe('NOT_A_DOI');
  });
});
