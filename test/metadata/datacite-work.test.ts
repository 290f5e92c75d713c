import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATACITE_FIELDS, readDataciteWork } from '../../src/metadata/datacite-work.ts';
import { readWork } from '../../src/metadata/work.ts';
import { doiName } from '../support/doi-names.ts';

const ASKED = doiName('10.5072/set');

const entry = (attributes: object, more: object = {}) => ({
  id: '10.5072/set',
  type: 'dois',
  attributes: { doi: '10.5072/set', state: 'findable', ...attributes },
  relationships: { client: { data: { id: 'cern.zenodo', type: 'clients' } } },
  ...more,
});
const cslOf = (attributes: object) => readDataciteWork(entry(attributes), ASKED)?.csl ?? expect.fail('null');
const authorOf = (...creators: readonly object[]) => cslOf({ creators })['author'];

describe('a DataCite record', () => {
  it('is one item of CSL', () => {
    const csl = cslOf({
      titles: [{ title: 'Water <i>in</i> air', lang: 'en' }, { title: 'Wasser' }],
      creators: [
        {
          name: 'Carberry, Josiah',
          nameType: 'Personal',
          givenName: 'Josiah',
          familyName: 'Carberry',
          affiliation: [{ name: 'Brown', affiliationIdentifier: 'https://ror.org/05gq02987' }],
          nameIdentifiers: [
            { nameIdentifier: '123', nameIdentifierScheme: 'ISNI' },
            { nameIdentifier: 'https://orcid.org/0000-0002-1825-0097', nameIdentifierScheme: 'ORCID' },
          ],
        },
        { name: 'CERN', nameType: 'Organizational', affiliation: [], nameIdentifiers: [] },
      ],
      contributors: [
        { name: 'Ditor, E.', givenName: 'E.', familyName: 'Ditor', contributorType: 'Editor' },
        { name: 'X', contributorType: 'DataManager' },
      ],
      publisher: { name: 'Zenodo', publisherIdentifier: 'https://ror.org/1' },
      publicationYear: 2020,
      types: { resourceTypeGeneral: 'Dataset', citeproc: 'dataset' },
      dates: [
        { date: '2019-01-01', dateType: 'Created' },
        { date: '2020-07-29', dateType: 'Issued' },
      ],
      container: {
        type: 'Series',
        title: 'Data',
        volume: '1',
        issue: '2',
        firstPage: '3',
        lastPage: '4',
        identifier: '0264-3561',
        identifierType: 'ISSN',
      },
      language: 'en',
      version: '1.0',
      url: 'https://example.org/set',
      relatedIdentifiers: [
        { relationType: 'IsPartOf', relatedIdentifier: '10.5072/all', relatedIdentifierType: 'DOI' },
      ],
    });
    expect(csl).toEqual({
      id: '10.5072/set',
      type: 'dataset',
      DOI: '10.5072/set',
      URL: 'https://example.org/set',
      title: 'Water <i>in</i> air',
      author: [
        { family: 'Carberry', given: 'Josiah', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
        { literal: 'CERN' },
      ],
      editor: [{ family: 'Ditor', given: 'E.' }],
      issued: { 'date-parts': [[2020, 7, 29]] },
      'container-title': 'Data',
      publisher: 'Zenodo',
      volume: '1',
      issue: '2',
      page: '3-4',
      ISSN: '0264-3561',
      version: '1.0',
      language: 'en',
    });
  });

  it('is left out if it is not findable or is a copy of another agency', () => {
    const client = (data: unknown) => ({ relationships: { client: { data } } });
    const left = [
      entry({ state: 'registered' }),
      entry({ state: 'draft' }),
      entry({ state: null }),
      entry({}, client(null)),
      entry({}, client({ id: 'crossref.citations', type: 'clients' })),
      entry({}, { relationships: {} }),
      entry({ doi: null }, { id: null }),
      null,
      'junk',
    ];
    expect(left.map((item) => readDataciteWork(item, ASKED))).toEqual(left.map(() => null));
    expect(readDataciteWork(entry({}, { relationships: undefined }), ASKED)).not.toBeNull();
    expect(DATACITE_FIELDS).toContain('client');
  });

  it('has a history, which is not in its CSL', () => {
    const read = readDataciteWork(
      entry({
        dates: [{ date: '2021', dateType: 'Withdrawn' }],
        relatedIdentifiers: [
          { relationType: 'IsNewVersionOf', relatedIdentifier: '10.5072/v1', relatedIdentifierType: 'DOI' },
        ],
      }),
      ASKED,
    );
    expect(read?.history).toMatchObject({
      updates: { outcome: 'WITHDRAWN' },
      relations: [{ kind: 'IS_NEW_VERSION_OF' }],
    });
    expect(JSON.stringify(read?.csl)).not.toMatch(/v1|2021/);
  });

  it('has the types of CSL', () => {
    const types = [
      [{ resourceTypeGeneral: 'Software', citeproc: 'article' }, 'software'],
      [{ resourceTypeGeneral: 'Dataset', citeproc: 'dataset' }, 'dataset'],
      [{ resourceTypeGeneral: 'Text', citeproc: 'article-journal' }, 'article-journal'],
      [{ resourceTypeGeneral: 'Preprint' }, 'article'],
      [{ resourceTypeGeneral: 'Collection', citeproc: '' }, 'collection'],
      [{ resourceTypeGeneral: 'Other' }, 'document'],
      [undefined, 'document'],
    ] as const;
    expect(types.map(([read]) => cslOf({ types: read })['type'])).toEqual(types.map(([, type]) => type));
  });
});

describe('faults of DataCite records', () => {
  it('people without a name', () => {
    for (const name of [':(unav)', ':unav', '(:unav)', '(:unkn)', ' :(unav) ']) {
      expect(authorOf({ name })).toBeUndefined();
    }
    expect(cslOf({ titles: [{ title: ':unav' }], publisher: '(:unav)' })).toEqual({
      id: ASKED,
      type: 'document',
      DOI: ASKED,
    });
  });

  it('names in one text', () => {
    expect(authorOf({ name: 'Carberry, Josiah', nameType: 'Personal' })).toEqual([
      { family: 'Carberry', given: 'Josiah' },
    ]);
    expect(authorOf({ name: 'Water, Air and Soil Group' })).toEqual([
      { literal: 'Water, Air and Soil Group' },
    ]);
    expect(authorOf({ name: 'Josiah Carberry', givenName: 'Josiah Carberry', familyName: null })).toEqual([
      { literal: 'Josiah Carberry' },
    ]);
    expect(authorOf({ name: 'CERN', nameType: 'Organizational', familyName: 'CERN' })).toEqual([
      { literal: 'CERN' },
    ]);
  });

  it('a publisher as a text, dates without a year, single members where lists belong', () => {
    const csl = cslOf({
      titles: { title: 'A' },
      creators: {
        name: 'CERN',
        nameIdentifiers: { nameIdentifier: '0000-0002-1825-0097', nameIdentifierScheme: 'ORCID' },
      },
      publisher: 'Zenodo',
      dates: [{ date: 'unknown', dateType: 'Issued' }],
      publicationYear: '2020',
      container: { title: '', firstPage: '7' },
    });
    expect(readWork(csl)).toMatchObject({
      title: 'A',
      publisher: 'Zenodo',
      containerTitle: null,
      page: '7',
      issued: { text: '2020' },
      creators: [{ name: 'CERN', orcid: '0000-0002-1825-0097' }],
    });
  });
});

it('no JSON makes the reader throw; the result is frozen, plain JSON', () => {
  const names = fc.constantFrom(...DATACITE_FIELDS, 'name', 'title', 'date', 'dateType', 'nameIdentifiers');
  const { nested } = fc.letrec((tie) => ({
    nested: fc.oneof(fc.jsonValue(), fc.array(tie('nested')), fc.dictionary(names, tie('nested'))),
  }));
  fc.assert(
    fc.property(fc.dictionary(names, nested), (attributes) => {
      const read = readDataciteWork(entry({ ...attributes, state: 'findable' }), ASKED);
      expect(JSON.parse(JSON.stringify(read))).toEqual(read);
      expect(Object.isFrozen(read?.csl)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
