// Handles of any kind, read from inputs of people and programs.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { handleUri, handleUrl } from '../src/encoding-forms.ts';
import type { HandleName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';
import { handleThatIsNotDoi, literalHandle, readHandle } from '../src/read-handle.ts';

describe('a handle', () => {
  testTable([
    ['20.500.12345/1', '20.500.12345/1'],
    ['2381/12345', '2381/12345'],
    ['0.NA/10.1000', '0.NA/10.1000'],
    ['10/abcde', '10/abcde'],
    ['cnri.dlib/july95-arms', 'cnri.dlib/july95-arms'],
    ['2381/a%2Fb', '2381/a%2Fb'],
    ['10.1000/a%23b', '10.1000/a%23b'],
    ['2381/1 ', '2381/1 '],
    ['hdl:10.1000/1', '10.1000/1'],
    ['hdl:2381/a%23b', '2381/a#b'],
    [' HDL: 2381/A ', '2381/A'],
    ['<hdl:2381/1>', '2381/1'],
    ['info:hdl/2381/1', '2381/1'],
    ['urn:hdl:2381:1', '2381/1'],
    ['doi:10.1000/1', '10.1000/1'],
    ['https://hdl.handle.net/2381/12345', '2381/12345'],
    ['https://hdl.handle.net/2381/a%23b?noredirect#top', '2381/a#b'],
    ['hdl.handle.net/api/handles/2381/1', '2381/1'],
    ['https://doi.org/2381/1', '2381/1'],
  ])('is read from its name, URI or URL', (input, name) => {
    expect(readHandle(input)).toEqual({ name, problem: null });
  });

  testTable([
    ['', 'is empty'],
    [' ', 'is empty'],
    ['2381', '"2381" is not a handle'],
    ['10.1000', 'is not a handle'],
    ['2381/', 'is not a handle'],
    ['/1', 'is not a handle'],
    ['20..500/1', 'is not a handle'],
    ['see 2381/1', 'is not a handle'],
    ['a@example.org/1', 'is not a handle'],
    ['https://example.org/1', 'is not a handle'],
    ['hdl:', 'is empty'],
    ['hdl:2381', '"2381" is not a handle'],
    ['hdl:2381/%zz', '"%zz" does not encode a UTF-8 character'],
    ['hdl:2381/%ff', '"%ff" does not encode a UTF-8 character'],
    ['2381/a\u00adb', 'U+00AD at position 6'],
    ['2381/\ud800', 'unpaired surrogate U+D800'],
  ])('is not read from another text, and the problem says why', (input, problem) => {
    expect(readHandle(input)).toEqual({ name: null, problem: expect.stringContaining(problem) });
  });

  test('is read from its name, URI and URL, for any name', () => {
    const prefix = fc.constantFrom('2381', '20.500.12345', '0.NA', '10.SERV', '11304', '21.T11148');
    const handles = fc.tuple(prefix, doiNames()).map(([before, doi]) => before + doi.slice(doi.indexOf('/')));
    const property = fc.property(fc.oneof(handles, doiNames()), (text) => {
      const name = text as HandleName;
      for (const written of [name, handleUri(name), handleUrl(name)])
        expect(readHandle(written)).toEqual({ name, problem: null });
      expect(literalHandle(name)).toEqual({ name, problem: null });
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('an input that is not a DOI name', () => {
  testTable([
    ['hdl:20.500.12345/abc', '20.500.12345/abc'],
    ['https://hdl.handle.net/2381/12345', '2381/12345'],
    [' 2381/12345', '2381/12345'],
    ['21.T11148/a', '21.T11148/a'],
    ['0.NA/10.1000', '0.NA/10.1000'],
    ['hdl:10.SERV/CROSSREF', '10.SERV/CROSSREF'],
    ['hdl:cnri.dlib/a', 'cnri.dlib/a'],
  ])('is a handle if it has a label of handles or the prefix of a handle', (input, name) => {
    expect(handleThatIsNotDoi(parseDoi(input))).toBe(name);
  });

  testTable([
    ...['10.1000/1', 'hdl:10.1000/1', '10.SERV/CROSSREF', '10.1000', '10/abcde', 'hdl:10/abcde'],
    ...['doi:2381/12345', 'DOI: 11.1000/1', 'https://doi.org/2381/12345', 'urn:doi:2381:1', 'hdl:2381/'],
    ...['hdl:10.1000/', 'and/or', 'hep-th/9901001', 'https://example.org/1', ''],
  ])('is not a handle if it is meant as a DOI name or as another identifier', (input) => {
    expect(handleThatIsNotDoi(parseDoi(input))).toBeNull();
  });
});
