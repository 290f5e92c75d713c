import { describe, expect, it } from 'vitest';
import {
  MAX_RELATIONS,
  RELATION_KINDS,
  readCrossrefRelations,
  readDataciteRelations,
  relationDoi,
} from '../../src/works/relations.ts';

const crossref = (relation: unknown) => readCrossrefRelations({ relation });
const datacite = (...relatedIdentifiers: readonly unknown[]) => readDataciteRelations({ relatedIdentifiers });
const related = (relationType: string) => ({
  relationType,
  relatedIdentifier: '10.5555/b',
  relatedIdentifierType: 'DOI',
});

describe('the relations of a work', () => {
  it('come from the member relation of Crossref', () => {
    const doi = (id: string, by = 'subject') => ({ id, 'id-type': 'doi', 'asserted-by': by });
    expect(
      crossref({
        'is-preprint-of': [doi('10.5555/a'), doi('10.5555/b', 'object')],
        cites: [doi('10.5555/c')],
        'is-identical-to': { id: 'arXiv:2101.00001', 'id-type': 'arxiv' },
        'is-based-on': [{ id: 7, 'id-type': 'pmid' }],
      }),
    ).toEqual([
      {
        kind: 'IS_PREPRINT_OF',
        type: 'is-preprint-of',
        identifier: '10.5555/a',
        identifierType: 'doi',
        assertedBy: 'subject',
      },
      {
        kind: 'IS_PREPRINT_OF',
        type: 'is-preprint-of',
        identifier: '10.5555/b',
        identifierType: 'doi',
        assertedBy: 'object',
      },
      {
        kind: 'IS_SAME_AS',
        type: 'is-identical-to',
        identifier: 'arXiv:2101.00001',
        identifierType: 'arxiv',
        assertedBy: null,
      },
      { kind: 'OTHER', type: 'is-based-on', identifier: '7', identifierType: 'pmid', assertedBy: null },
    ]);
  });

  it('come from the related identifiers of DataCite', () => {
    const kinds = {
      IsNewVersionOf: 'IS_NEW_VERSION_OF',
      IsPreviousVersionOf: 'IS_PREVIOUS_VERSION_OF',
      Obsoletes: 'REPLACES',
      IsObsoletedBy: 'IS_REPLACED_BY',
      IsIdenticalTo: 'IS_SAME_AS',
      Reviews: 'IS_REVIEW_OF',
      IsReviewedBy: 'HAS_REVIEW',
      HasTranslation: 'HAS_TRANSLATION',
      IsSupplementTo: 'IS_SUPPLEMENT_TO',
      IsDerivedFrom: 'OTHER',
      constructor: 'OTHER',
    };
    const read = datacite(
      ...['Cites', 'IsCitedBy', 'References', 'IsReferencedBy'].map(related),
      ...Object.keys(kinds).map(related),
    );
    expect(read.map(({ type, kind }) => [type, kind])).toEqual(Object.entries(kinds));
    expect(read[0]).toMatchObject({ identifier: '10.5555/b', identifierType: 'DOI', assertedBy: null });
  });

  it('get each kind from its name at Crossref and at DataCite', () => {
    for (const kind of RELATION_KINDS.filter((one) => one !== 'OTHER')) {
      const hyphens = kind.toLowerCase().replaceAll('_', '-');
      const words = hyphens.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(crossref({ [hyphens]: [{ id: '10.5555/b', 'id-type': 'doi' }] })[0]?.kind).toBe(kind);
      expect(datacite(related(words))[0]?.kind).toBe(kind);
    }
  });

  it('have a DOI if the identifier is a DOI', () => {
    const doiOf = (identifier: string, identifierType: string) =>
      relationDoi({ kind: 'OTHER', type: 'x', identifier, identifierType, assertedBy: null });
    expect(doiOf('10.5555/A', 'doi')).toBe('10.5555/A');
    expect(doiOf('https://doi.org/10.5555/a%2Fb', 'DOI')).toBe('10.5555/a/b');
    expect(doiOf('10.5555/a%2Fb', 'DOI')).toBe('10.5555/a%2Fb');
    expect(doiOf('doi:10.5555/a', 'Doi')).toBe('10.5555/a');
    expect(doiOf('https://doi.org/10.5555/a', 'URL')).toBeNull();
    expect(doiOf('arXiv:2101.00001', 'arXiv')).toBeNull();
    expect(doiOf('n/a', 'DOI')).toBeNull();
  });

  it('occur once, even if both works state the same relation', () => {
    const version = (id: string, by: string) => ({ id, 'id-type': 'doi', 'asserted-by': by });
    const relation = {
      'is-version-of': [version('10.5555/AB', 'subject'), version('https://doi.org/10.5555/ab', 'object')],
      'is-part-of': [version('10.5555/ab', 'subject'), { id: '10.5555/ab', 'id-type': 'issn' }],
      'is-based-on': [version('10.5555/ab', 'subject')],
      'is-derived-from': [version('10.5555/ab', 'subject')],
    };
    expect(
      crossref(relation).map(({ type, identifier, assertedBy }) => [type, identifier, assertedBy]),
    ).toEqual([
      ['is-version-of', '10.5555/AB', 'subject'],
      ['is-part-of', '10.5555/ab', 'subject'],
      ['is-part-of', '10.5555/ab', null],
      ['is-based-on', '10.5555/ab', 'subject'],
      ['is-derived-from', '10.5555/ab', 'subject'],
    ]);
    expect(datacite(related('IsIdenticalTo'), related('isidenticalto'))).toHaveLength(1);
  });

  it('have a maximum number, and unreadable entries are left out', () => {
    const unreadable = [null, 7, 'x', [], {}, { relationType: 'IsPartOf' }, { relatedIdentifier: 'x' }];
    expect(datacite(...unreadable)).toEqual([]);
    const many = Array.from({ length: 100_000 }, (_, at) => ({
      ...related('IsPartOf'),
      relatedIdentifier: `10.5555/${at}`,
    }));
    expect(datacite(...many)).toHaveLength(MAX_RELATIONS);
  });
});
