// The functions of the inspector that need no gateway.

import { warnings } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { findDois, handleThatIsNotDoi, parseDoi } from 'doi-names/parts';
import { describe, expect, it } from 'vitest';
import type { Character } from '../../../inspector/answers.ts';
import { csvOf } from '../../../inspector/csv.ts';
import { differencesOf } from '../../../inspector/differences.ts';
import { resolverOf, shouldBeHandle } from '../../../inspector/other-identifier.ts';
import { readProxyParameters } from '../../../inspector/proxy-parameters.ts';
import { forReaders } from '../../../inspector/reader-words.ts';
import { canBeReference, splitInWords, withoutName } from '../../../inspector/references-without.ts';
import { isRunningText } from '../../../inspector/running-text.ts';
import { referencesInWords } from '../../../src/works/reference-lists/references-in-words.ts';

describe('the inspector searches a text for names', () => {
  it.each([
    ['10.1000/182', false],
    ['\n 10.1000/182 \r\n', false],
    ['See 10.1000/1, 10.1000/2', false],
    ['10.1000/1\n10.1000/2', true],
    ['10.1000/1\r10.1000/2', true],
    [`10.1000/${'a'.repeat(3_000)}`, false],
    [`10.1000/1 ${'word '.repeat(500)}`, true],
  ])('if the text has several lines, or is long and has spaces: %j: %s', (text, expected) => {
    expect(isRunningText(text)).toBe(expected);
  });
});

describe('the list as CSV', () => {
  it('quotes cells with a comma, a quote or a line break, and has empty cells for null', () => {
    expect(
      csvOf([
        ['name', 'exists'],
        ['10.1000/a,"b"', null],
        ['a\nb', true],
        ['10.1000/é', 7],
      ]),
    ).toBe('name,exists\r\n"10.1000/a,""b""",\r\n"a\nb",true\r\n10.1000/é,7\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
    'has no formula in a cell: %j',
    (text) => {
      const [cell = ''] = csvOf([[text]]).split(/\r\n$/);
      expect(cell.replace(/^"/, '')).toBe(`'${text}${cell.startsWith('"') ? '"' : ''}`);
    },
  );
});

describe('the differences of two names', () => {
  const differences = (a: string, b: string) => {
    const characters = (text: string) => Array.from(text, (character) => ({ character }));
    const text = (side: readonly Pick<Character, 'character'>[]) =>
      side.map(({ character }) => character).join('');
    return differencesOf(characters(a), characters(b)).map(
      ({ position, a: one, b: other }) => `${position} ${text(one)}|${text(other)}`,
    );
  };

  it.each([
    ['10.1000/abc', '10.1000/ABC', []],
    ['10.1000/p\u0430yp\u0430l', '10.1000/paypal', ['9 \u0430|a', '12 \u0430|a']],
    ['10.1000/\u{1D5EE}0', '10.1000/aO', ['8 \u{1D5EE}|a', '9 0|O']],
    ['10.1000/modern', '10.1000/modem', ['12 rn|m']],
    ['10.1000/e\u0301', '10.1000/\u00E9', ['8 e\u0301|\u00E9']],
    ['10.1000/aa', '10.1000/aaa', ['10 |a']],
    ['10.1000/aaa', '10.1000/aa', ['10 a|']],
  ])('are found for %s and %s', (a, b, expected) => {
    expect(differences(a, b)).toEqual(expected);
  });
});

describe('the proxy parameters of a link', () => {
  const read = (query: string) =>
    readProxyParameters(
      query.split('&').map((item) => {
        const [name = '', value = null] = item.split('=');
        return { name, value };
      }),
    );
  const plain = { reader: {}, shows: null, refused: false };

  it.each([
    ['x=1', plain],
    ['locatt=id:0&locatt=a:b', { ...plain, reader: { locatt: ['id:0', 'a:b'] } }],
    ['country=gb&country=de&urlappend=?p=2', { ...plain, reader: { country: 'gb', urlAppend: '?p' } }],
    ['ignore_aliases', { ...plain, reader: { ignoreAliases: true } }],
    ['ignore_aliases=no', plain],
    [
      'type=URL&type=URL.&index=1&index=-2',
      { ...plain, reader: { types: ['URL', 'URL.'], indexes: [1, -2] } },
    ],
    ['index=1&index=99999999999', { ...plain, refused: true }],
    ['noredirect', { ...plain, shows: 'record' }],
    ['noredirect=no', plain],
    ['action=showvalues', { ...plain, shows: 'record' }],
    ['action=showurls', { ...plain, shows: 'locations' }],
    ['action=metadata', { ...plain, reader: { locatt: ['role:metadata'] } }],
  ])('are read from the query %s', (query, expected) => {
    expect(read(query)).toEqual(expected);
  });
});

describe('references without a DOI name', () => {
  const RIS = (field: string) => `TY  - JOUR\nTI  - Bells\n${field}\nER  - \n`;

  it.each([
    [
      'with a DOI in each reference',
      'One. 10.1000/a\nTwo. 10.1000/b',
      [],
      'one on each line. 2 of them have a DOI.',
    ],
    [
      'with wrapped lines and a DOI that a line end divides',
      '[1] A reference of\ntwo lines.\n[2] Another. https://doi.org/10.5555/\nferries\n[3] The last\r\none.',
      ['1: A reference of two lines.', '5: The last one.'],
      'numbered. 1 of them has a DOI.',
    ],
    [
      'of HTML elements on one line',
      '<ol><li>One. 2012.</li><li>Two. 10.1000/a</li><li>Three. 1977.</li></ol>',
      ['1: One. 2012.', '1: Three. 1977.'],
      'with bullets. 1 of them has a DOI.',
    ],
    [
      'with a DOI on the next line, below a heading',
      'A text.\n\nReferences\n\nOne. 2012.\n\nTwo.\n10.1000/a\n',
      ['5: One. 2012.'],
      'one on each line. 1 of them has a DOI. 1 line is no reference.',
    ],
    [
      'of BibTeX entries',
      '@book{a, title={Bells {of} Rome}}\n@book{b,\n  title = {Pumps},\n  doi = {10.1000/a}\n}',
      ['1: Bells of Rome.'],
      'in BibTeX entries. 1 of them has a DOI.',
    ],
    [
      'of RIS records',
      RIS('DO  - 10.1000/a') + RIS('PY  - 1977'),
      ['5: (1977). Bells.'],
      'in records. 1 of them',
    ],
  ])('are found in a list %s', (_, text, expected, split) => {
    const list = referencesInWords(text);
    const without = withoutName(list.references, findDois(text));
    expect(without.map((reference) => `${reference.line}: ${reference.text}`)).toEqual(expected);
    const sentence = splitInWords(list, list.references.length - without.length);
    expect(sentence).toContain(`The text was split into ${list.references.length} references, ${split}`);
  });

  it('are a single reference if the whole text is a reference, even on several lines', () => {
    const list = referencesInWords(
      'Carberry J. Toward a unified theory of high-energy\nmetaphysics. 2008;5(11):1-3.',
    );
    expect([list.references.length, splitInWords(list, 0)]).toEqual([
      1,
      'The text was read as one reference.',
    ]);
  });
});

describe('an input of one line that is not a name', () => {
  it.each([
    ['Carberry J. Toward a unified theory of high-energy metaphysics. 2008;5(11):1-3.', true],
    ['Einstein A. Phys. Rev. 47, 777 (1935)', true],
    ['王伟, 李娜. 关于研究[J]. 学报, 2020.', true],
    ['Smith J. A book. ISBN 978-3-16-148410-0, https://example.org/x', true],
    ['ISBN 978-3-16-148410-0', false],
    ['https://example.org/a page of words', false],
    ['doi:10.1000/%zz', false],
    ['see 10.1000/\uE000', false],
    ['three short words', false],
  ])('%s can be a reference in words: %s', (text, expected) => {
    const { problem } = parseDoi(text);
    expect(problem !== null && canBeReference(text, problem)).toBe(expected);
  });
});

describe('an identifier that is not a DOI', () => {
  it.each([
    ['PMID', 'PMID: 12345678', 'https://pubmed.ncbi.nlm.nih.gov/12345678/'],
    ['PMID', 'https://pubmed.ncbi.nlm.nih.gov/12345678/?x=1', 'https://pubmed.ncbi.nlm.nih.gov/12345678/'],
    ['PMCID', 'pmc1234567', 'https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/'],
    ['ISBN', 'ISBN-13: 978-3-16-148410-0', 'https://openlibrary.org/isbn/9783161484100'],
    ['ISBN', 'isbn 10 0-8044-2957-x', 'https://openlibrary.org/isbn/080442957X'],
    ['ISBN', '9783161484100', 'https://openlibrary.org/isbn/9783161484100'],
    ['HANDLE', '20.500/1', undefined],
    ['constructor', '1', undefined],
  ])('of the kind %s, such as %s, resolves at the page %s', (kind, input, href) => {
    expect(resolverOf(kind, input)?.href).toBe(href);
  });
});

describe('a handle that is not a DOI name', () => {
  it.each([
    ['hdl:20.500.12345/abc', true],
    ['https://hdl.handle.net/2381/12345', true],
    ['2381/12345', true],
    ['0.NA/10.1000', true],
    ['hdl:10.1000/1', false],
    ['doi:2381/12345', false],
    ['https://doi.org/2381/12345', false],
    ['10.SERV/CROSSREF', false],
    ['10/abcde', false],
    ['and/or', false],
  ])('is recognised in %s as `doi show` does: %s', (input, isHandle) => {
    const parsed = parseDoi(input);
    expect(shouldBeHandle({ ...parsed, meant: [] })).toBe(isHandle);
    expect(handleThatIsNotDoi(parsed) !== null).toBe(isHandle);
  });
});

describe('messages of the gateway for users', () => {
  it.each([
    '10.1000/d\u0435mo',
    '10.1000/a\u00ADb',
    '10.1000/../x',
    '10/abcde',
    'doi:10.1000/%zz',
    'https://doi.org/10.1000/%FF',
  ])('name no field, argument or offset: %s', (input) => {
    const { name, problem } = parseDoi(input);
    const messages = problem ? [problem.message] : warnings(name, lookalikes).map(({ message }) => message);
    expect(messages).not.toEqual([]);
    for (const message of messages) {
      expect(forReaders(message)).not.toMatch(/`|\binput:|form:|offset/);
      expect(forReaders(message)).toMatch(/\.$/);
    }
  });
});
