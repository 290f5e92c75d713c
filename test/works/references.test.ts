import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { members } from '../../src/works/agency-json.ts';
import {
  crossrefReferences,
  dataciteReferences,
  readReference,
  referenceEntries,
} from '../../src/works/references.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';

const read = (content: Readonly<Record<string, unknown>>) =>
  referenceEntries(content)?.map((entry) => readReference(members(entry))) ?? null;
const ofCrossref = (reference: unknown) => read(crossrefReferences({ reference }));
const ofDatacite = (relatedIdentifiers: unknown) => read(dataciteReferences({ relatedIdentifiers }));

const NOTHING = {
  ...{ doi: null, text: null, title: null, author: null, year: null },
  ...{ containerTitle: null, volume: null, page: null, assertedBy: null },
};

describe('a reference of Crossref', () => {
  test('has the deposited text, its parts and its DOI', () => {
    const deposited = {
      ...{ key: 'ref1', DOI: '10.1000/A<b>', 'doi-asserted-by': 'crossref', author: 'Carberry' },
      ...{ unstructured: 'Carberry,\n J. 2008', year: '2008a', 'article-title': 'Psychoceramics <i>now</i>' },
      ...{ 'journal-title': 'Nature', volume: '12', 'first-page': '115', issue: '3' },
    };
    expect(ofCrossref([deposited])).toEqual([
      {
        ...{
          doi: '10.1000/A<b>',
          text: 'Carberry, J. 2008',
          title: 'Psychoceramics now',
          author: 'Carberry',
        },
        ...{ year: 2008, containerTitle: 'Nature', volume: '12', page: '115', assertedBy: 'crossref' },
      },
    ]);
  });

  test('without a deposited text has its parts as text', () => {
    const parts = {
      author: 'Carberry',
      year: 2008,
      'journal-title': 'Nature',
      volume: '12',
      'first-page': '115',
    };
    expect(ofCrossref([parts])?.[0]).toMatchObject({ doi: null, text: 'Carberry, 2008, Nature, 12, 115' });
    const chapter = { 'article-title': 'Pots', 'volume-title': 'Psychoceramics', 'series-title': 'Books' };
    expect(ofCrossref([chapter])?.[0]).toMatchObject({ title: 'Pots', containerTitle: 'Psychoceramics' });
    const book = { 'volume-title': 'Psychoceramics', 'series-title': 'Books' };
    expect(ofCrossref([book])?.[0]).toMatchObject({ title: 'Psychoceramics', containerTitle: 'Books' });
  });

  test('has an invalid DOI in its text', () => {
    expect(ofCrossref([{ DOI: 'PMID 123', 'doi-asserted-by': 'publisher' }])).toEqual([
      { ...NOTHING, text: 'PMID 123' },
    ]);
    expect(ofCrossref([{ DOI: 'hdl/1', unstructured: 'Carberry, hdl/1.' }])?.[0]?.text).toBe(
      'Carberry, hdl/1.',
    );
    expect(ofCrossref([{ DOI: 'hdl/1', unstructured: 'Carberry' }])?.[0]?.text).toBe('Carberry, hdl/1');
  });

  test('with only a DOI has no text', () => {
    expect(ofCrossref([{ DOI: '10.1000/182' }])).toEqual([{ ...NOTHING, doi: '10.1000/182' }]);
  });
});

test('a missing list is null, and an empty list is empty', () => {
  expect([ofCrossref(undefined), ofCrossref(null), ofDatacite(undefined)]).toEqual([null, null, null]);
  expect([ofCrossref([]), ofDatacite([])]).toEqual([[], []]);
});

test('the relations Cites and References of DataCite are references, each once', () => {
  const related = (relationType: string, relatedIdentifier: string, relatedIdentifierType = 'DOI') => ({
    ...{ relationType, relatedIdentifier, relatedIdentifierType },
  });
  expect(
    ofDatacite([
      related('References', 'https://doi.org/10.5072/1'),
      related('IsSupplementedBy', '10.5072/2'),
      related('Cites', '10.5072/1'),
      related('cites', 'arXiv:2101.00001', 'arXiv'),
      related('IsCitedBy', '10.5072/3'),
    ]),
  ).toEqual([
    { ...NOTHING, doi: '10.5072/1', assertedBy: 'DataCite' },
    { ...NOTHING, text: 'arXiv:2101.00001' },
  ]);
});

test('a long list and its long texts are cut', () => {
  const long = 'x'.repeat(1_000_000);
  const reference = Array.from({ length: 20_000 }, () => ({ unstructured: long, author: long, DOI: long }));
  const kept = crossrefReferences({ reference: reference.slice(0, 10) });
  expect(JSON.stringify(kept).length).toBeLessThan(10 * 3 * (WORK_LIMITS.textCharacters + 30));
  expect(ofCrossref(Array.from({ length: 20_000 }, () => ({ author: 'a' })))).toHaveLength(
    WORK_LIMITS.listEntries,
  );
});

test('any JSON is read as a list of well-formed references', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      for (const list of [ofCrossref(json), ofCrossref([json]), ofDatacite(json), ofDatacite([json])]) {
        if (json !== null) expect(Array.isArray(list)).toBe(true);
        for (const { text } of list ?? []) expect(text?.isWellFormed() ?? true).toBe(true);
      }
    }),
  );
});
