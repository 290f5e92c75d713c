// A problem says which other identifier an input is.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { arxivDoi, type OtherIdentifier } from '../src/other-identifiers.ts';
import { parseDoi } from '../src/parse.ts';

const looksLike = (input: string) => parseDoi(input).problem?.looksLike;

testTable<[OtherIdentifier, ...inputs: string[]]>([
  ['SHORT_DOI', '10/abcde', 'doi:10/abcde', 'https://doi.org/abcde', 'www.doi.org/abcde', '(10/abcde)'],
  ['HANDLE', '0.NA/10.5555', 'hdl:loc.gov/x', 'https://hdl.handle.net/cnri.dlib/a', 'hdl:1721.1/12345'],
  ['HANDLE', 'https://doi.org/0.NA/10.5555', 'https://hdl.handle.net/20.500.12345/67', 'info:hdl/2027/x'],
  ['ARXIV', 'arXiv:2101.12345', '0704.0001v3', 'hep-th/9901001', 'math.GT/0309136'],
  ['ARXIV', 'arXiv: cond-mat/0112110v1', '1501.00001 [astro-ph.GA]', 'arxiv.org/pdf/hep-th/9901001.pdf'],
  ['ARXIV', 'https://arxiv.org/abs/2101.12345v2'],
  ['ISBN', '978-3-16-148410-0', '9783161484100', 'ISBN 0-306-40615-2', '080442957X', 'isbn-10:0306406152'],
  ['ISBN', 'urn:isbn:9783161484100', 'ISBN-13: 978 3 16 148410 0', '"979-10-90636-07-1"'],
  ['ISBN', '0\u2011306\u201140615\u20112'],
  ['ISSN', '0317-8471', 'ISSN 2434-561X', 'eISSN: 0317-8471', 'issn-l 0317-8471', 'urn:issn:0317-8471'],
  ['PMID', 'PMID: 31978945', 'pmid31978945', 'https://pubmed.ncbi.nlm.nih.gov/31978945/?x=1'],
  ['PMCID', 'PMC2715568', 'PMCID: PMC2715568.2', 'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC2715568/'],
  ['ORCID', '0000-0002-1825-0097', 'https://orcid.org/0000-0002-1694-233X', 'ORCID: 0000-0001-5109-3700'],
  ['ROR', 'https://ror.org/03yrm5c26', 'ror.org/042nb2s44', '03YRM5C26'],
  ['URL', 'https://publisher.example/article/10.1000/182', 'http://localhost:4000/', 'www.example.org/a'],
  ['URL', '//example.org/x', 'ftp://example.org', 'https://doi.org', 'https://u@doi.org/10.1/x'],
])('an input looks like another identifier', (identifier, ...inputs) => {
  for (const input of inputs) {
    expect(looksLike(input), input).toBe(identifier);
    expect(looksLike(` ${input}\u200b\n`), input).toBe(identifier);
  }
});

describe('an input looks like no other identifier', () => {
  testTable([
    ...['hello', 'and/or', 'TCP/IP', 'a/b/c', '12345678', '31978945', 'PMC', 'see 0317-8471', 'https://'],
    ...['doi:x/y', '978-3-16-148410-1', '0-306-40615-3', '080442957x1', '0804429570', '977-3-16-148410-1'],
    ...['97831614841001', '0317-8472', '2434-5610', '0000-0002-1825-0098', '0000-0002-1694-2330'],
    ...['0000-0002-1825', '03yrm5c27', '2113.12345', '2100.12345', '2101.123', '2101.123456'],
    ...['foo-bar/9901001', 'hep-th/9913001', 'arXiv:', 'arXiv:2101.12345v0', '0-0-0', '-'.repeat(199)],
    `978${' '.repeat(150)}3161484100`,
  ])('if the input only resembles the identifier', (input) => {
    expect(looksLike(input)).toBeNull();
  });

  testTable([
    ['11.1000/182', 'INVALID_DIRECTORY_INDICATOR'],
    ['10.SERV/CROSSREF', 'INVALID_PREFIX'],
    ['10.1000', 'MISSING_SUFFIX'],
    ['https://doi.org/10.1000/%zz', 'INVALID_PERCENT_ENCODING'],
    ['', 'EMPTY'],
  ])('if the input has another problem', (input, code) => {
    expect(parseDoi(input).problem).toMatchObject({ code, looksLike: null });
  });

  test('if the check digit of an ISBN, ISSN, ORCID or ROR is wrong', () => {
    for (const right of ['9783161484100', '080442957X', '2434-561X', '0000-0002-1694-233X', '03yrm5c26']) {
      const others = [...'0123456789X'].filter((digit) => !right.endsWith(digit));
      const found = others.map((digit) => looksLike(right.slice(0, -1) + digit));
      expect(found, right).toEqual(others.map(() => null));
    }
  });
});

testTable([
  ['arXiv:2101.12345v2', '10.48550/arXiv.2101.12345'],
  ['ARXIV: 0704.0001', '10.48550/arXiv.0704.0001'],
  ['https://arxiv.org/abs/2101.12345?context=math', '10.48550/arXiv.2101.12345'],
  ['https://export.arxiv.org/pdf/2101.12345v1.pdf', '10.48550/arXiv.2101.12345'],
  ['hep-th/9901001v3', '10.48550/arXiv.hep-th/9901001'],
  ['HEP-TH/9901001', '10.48550/arXiv.hep-th/9901001'],
  ['math.GT/0309136', '10.48550/arXiv.math/0309136'],
  ['(arXiv:1501.00001 [astro-ph.GA])', '10.48550/arXiv.1501.00001'],
])('an arXiv identifier has a DOI name', (input, name) => {
  expect(arxivDoi(input)).toBe(name);
  expect(parseDoi(name, 'NAME').name).toBe(name);
});

testTable(['', '10.48550/arXiv.2101.12345', '2101.12345 and more', 'https://example.org/abs/2101.12345'])(
  'another text has no DOI name at arXiv',
  (input) => {
    expect(arxivDoi(input)).toBeNull();
  },
);
