import { describe, expect, it } from 'vitest';
import { DATACITE_FIELDS, readDataciteWork } from '../../src/works/datacite-work.ts';
import { readWork } from '../../src/works/work.ts';
import { doiName } from '../support/doi-names.ts';

const NAME = doiName('10.5072/set');

const entry = (attributes: object, more: object = {}) => ({
  id: '10.5072/set',
  type: 'dois',
  attributes: { doi: '10.5072/set', state: 'findable', ...attributes },
  relationships: { client: { data: { id: 'cern.zenodo', type: 'clients' } } },
  ...more,
});
const cslOf = (attributes: object) => readDataciteWork(entry(attributes), NAME)?.csl ?? expect.fail('null');
const related = (relatedIdentifier: string, relatedIdentifierType: string, relationType = 'IsPartOf') => ({
  ...{ relatedIdentifier, relatedIdentifierType, relationType },
});
const authorOf = (...creators: readonly object[]) => cslOf({ creators })['author'];

describe('a DataCite record', () => {
  it('is one item of CSL', () => {
    const orcid = 'https://orcid.org/0000-0002-1825-0097';
    const csl = cslOf({
      titles: [{ title: 'Water <i>in</i> air', lang: 'en' }],
      creators: [
        {
          ...{ name: 'Carberry, Josiah', givenName: 'Josiah', familyName: 'Carberry' },
          affiliation: [{ name: 'Brown', affiliationIdentifier: 'https://ror.org/05gq02987' }],
          nameIdentifiers: [{ nameIdentifier: orcid, nameIdentifierScheme: 'ORCID' }],
        },
        { name: 'CERN', nameType: 'Organizational' },
      ],
      contributors: [
        { givenName: 'E.', familyName: 'Ditor', contributorType: 'Editor' },
        { name: 'X', contributorType: 'DataManager' },
      ],
      publisher: { name: 'Zenodo', publisherIdentifier: 'https://ror.org/1' },
      publicationYear: 2020,
      types: { resourceTypeGeneral: 'Dataset', citeproc: 'dataset' },
      dates: [{ date: '2020-07-29', dateType: 'Issued' }],
      container: { title: 'Data', volume: '1', issue: '2', firstPage: '3', lastPage: '4' },
      language: 'en',
      version: '1.0',
      url: 'https://example.org/set',
    });
    expect(csl).toEqual({
      ...{ id: NAME, type: 'dataset', DOI: NAME, URL: 'https://example.org/set' },
      title: 'Water <i>in</i> air',
      author: [
        { family: 'Carberry', given: 'Josiah', ORCID: orcid, affiliation: [{ name: 'Brown' }] },
        { literal: 'CERN' },
      ],
      editor: [{ family: 'Ditor', given: 'E.' }],
      issued: { 'date-parts': [[2020, 7, 29]] },
      'container-title': 'Data',
      ...{ publisher: 'Zenodo', volume: '1', issue: '2', page: '3-4', version: '1.0', language: 'en' },
    });
  });

  it('is left out if it is not findable or is a copy of another agency', () => {
    const client = (data: unknown) => ({ relationships: { client: { data } } });
    const leftOut = [
      entry({ state: 'registered' }),
      entry({ state: 'draft' }),
      entry({ state: null }),
      entry({}, client(null)),
      entry({}, client({ id: 'crossref.citations', type: 'clients' })),
      entry({}, { relationships: {} }),
      entry({ doi: null }, { id: null }),
      null,
      'x',
    ];
    expect(leftOut.filter((item) => readDataciteWork(item, NAME) !== null)).toEqual([]);
    expect(readDataciteWork(entry({}, { relationships: undefined }), NAME)).not.toBeNull();
    expect(DATACITE_FIELDS).toContain('client');
  });

  it('has updates and relations, which are not part of its CSL', () => {
    const dates = [{ date: '2021', dateType: 'Withdrawn' }];
    const relatedIdentifiers = [related('10.5072/v1', 'DOI', 'IsNewVersionOf')];
    const read = readDataciteWork(entry({ dates, relatedIdentifiers }), NAME);
    expect(read?.history.updates.outcome).toBe('WITHDRAWN');
    expect(read?.history.relations).toMatchObject([{ kind: 'IS_NEW_VERSION_OF' }]);
    expect(JSON.stringify(read?.csl)).not.toMatch(/v1|2021/);
  });

  it('has the types of CSL', () => {
    const types = [
      [{ resourceTypeGeneral: 'Software', citeproc: 'article' }, 'software'],
      [{ resourceTypeGeneral: 'Dataset', citeproc: 'dataset' }, 'dataset'],
      [{ resourceTypeGeneral: 'Text', citeproc: 'article-journal' }, 'article-journal'],
      [{ resourceTypeGeneral: 'Text', citeproc: 'report' }, 'report'],
      [{ resourceTypeGeneral: 'Preprint' }, 'article'],
      [{ resourceTypeGeneral: 'Preprint', citeproc: 'article' }, 'article'],
      [{ citeproc: 'article' }, 'article'],
      [{ resourceTypeGeneral: 'Book', citeproc: 'article' }, 'book'],
      [{ resourceTypeGeneral: 'BookChapter', citeproc: 'article' }, 'chapter'],
      [{ resourceTypeGeneral: 'Audiovisual', citeproc: 'article' }, 'motion_picture'],
      [{ resourceTypeGeneral: 'Event', citeproc: 'article' }, 'event'],
      [{ resourceTypeGeneral: 'Collection', citeproc: 'article' }, 'collection'],
      [{ resourceTypeGeneral: 'Instrument', citeproc: 'article' }, 'document'],
      [
        { resourceTypeGeneral: 'Text', citeproc: 'article-journal', resourceType: 'Doctoral Thesis' },
        'thesis',
      ],
      [{ citeproc: 'article', resourceType: 'Masterarbeit' }, 'thesis'],
      [{ resourceTypeGeneral: 'Dataset', citeproc: 'dataset', resourceType: 'Thesis' }, 'dataset'],
      [{ resourceTypeGeneral: 'Collection', citeproc: '' }, 'collection'],
      [{ resourceTypeGeneral: 'Other' }, 'document'],
      [undefined, 'document'],
    ] as const;
    expect(types.map(([read]) => cslOf({ types: read })['type'])).toEqual(types.map(([, type]) => type));
  });
});

describe('in a DataCite record, the gateway corrects', () => {
  it('two dates of issue with the year of publication', () => {
    const dates = ['2015-01-02', '2020-07-29'].map((date) => ({ date, dateType: 'Issued' }));
    expect(readWork(cslOf({ dates, publicationYear: 2020 })).issued?.text).toBe('2020-07-29');
    expect(readWork(cslOf({ dates, publicationYear: '2015' })).issued?.text).toBe('2015-01-02');
    expect(readWork(cslOf({ dates, publicationYear: 1999 })).issued?.text).toBe('2015-01-02');
    expect(readWork(cslOf({ dates })).issued?.text).toBe('2015-01-02');
    const unknown = [{ date: 'unknown', dateType: 'Issued' }];
    expect(readWork(cslOf({ dates: unknown, publicationYear: '2020' })).issued?.text).toBe('2020');
  });

  it('the container, if a related item describes the container', () => {
    const item = {
      relationType: 'IsPublishedIn',
      relatedItemType: 'Journal',
      titles: [{ title: 'Physics' }, { title: 'of Water', titleType: 'Subtitle' }],
      relatedItemIdentifier: { relatedItemIdentifier: '0264-3561', relatedItemIdentifierType: 'ISSN' },
      volume: '3',
      issue: '4',
      firstPage: '20',
      lastPage: '30',
    };
    const other = { relationType: 'IsPartOf', titles: [{ title: 'Other' }], volume: '9' };
    const container = { title: 'Physics; 3(4)', volume: '8', firstPage: '1' };
    expect(cslOf({ relatedItems: [other, item], container })).toMatchObject({
      'container-title': 'Physics: of Water',
      volume: '3',
      issue: '4',
      page: '20-30',
      ISSN: '0264-3561',
    });
    expect(
      cslOf({ relatedItems: [{ ...item, titles: [], volume: null, firstPage: '' }], container }),
    ).toMatchObject({
      'container-title': 'Physics; 3(4)',
      volume: '8',
      page: '1',
    });
  });

  it('pages and containers that are volumes', () => {
    const container = { title: '№1(24) (2019)', firstPage: 'Bd. 1 Nr. 1 (2018)', lastPage: '5' };
    const csl = cslOf({ container });
    expect([csl['page'], csl['container-title']]).toEqual([undefined, undefined]);
    expect(cslOf({ container: { firstPage: '3', lastPage: 'n/a' } })['page']).toBe('3');
  });

  it('titles in several languages, and a subtitle', () => {
    const titles = [
      { title: 'Translated', titleType: 'TranslatedTitle' },
      { title: 'Water' },
      { title: 'a study', titleType: 'Subtitle' },
    ];
    expect(readWork(cslOf({ titles }))).toMatchObject({ title: 'Water', subtitle: 'a study' });
    expect(readWork(cslOf({ titles: titles.slice(0, 1) })).title).toBe('Translated');
  });

  it('an ORCID iD beside another identifier, or without its usual scheme', () => {
    const nameIdentifier = 'https://orcid.org/0000-0002-1825-0097';
    for (const nameIdentifiers of [
      [{ nameIdentifierScheme: 'ORCID' }, { nameIdentifier, nameIdentifierScheme: 'orcid' }],
      [{ nameIdentifier: '0000 0001 2103 2683', nameIdentifierScheme: 'ISNI' }, { nameIdentifier }],
      { nameIdentifier, nameIdentifierScheme: 'https://orcid.org' },
    ]) {
      expect(authorOf({ name: 'Josiah', nameIdentifiers })).toMatchObject([{ ORCID: nameIdentifier }]);
    }
  });

  it('ISSNs and ISBNs that stand in several members', () => {
    const csl = cslOf({
      container: { identifier: '0264-3561', identifierType: 'ISSN' },
      relatedIdentifiers: [
        ...[
          related('1472-9032', 'EISSN'),
          related('0264-3561', 'ISSN'),
          related('978-3-16-148410-0', 'ISBN'),
        ],
        ...[related('9999-9994', 'ISSN', 'Cites'), related('10.5072/a', 'DOI')],
      ],
      relatedItems: [
        {
          relationType: 'IsPartOf',
          relatedItemIdentifier: { relatedItemIdentifier: '2049-3630', relatedItemIdentifierType: 'ISSN' },
        },
        {
          relationType: 'IsPartOf',
          ...{ relatedItemIdentifier: '9781861972712', relatedItemIdentifierType: 'ISBN' },
        },
        {
          relationType: 'Cites',
          relatedItemIdentifier: { relatedItemIdentifier: '9999-9994', relatedItemIdentifierType: 'ISSN' },
        },
      ],
      identifiers: [
        { identifier: 'urn:isbn:9780199567027', identifierType: 'ISBN' },
        { identifier: '9780306406157', identifierType: 'Print ISBN-13' },
      ],
    });
    expect(csl).toMatchObject({
      ISSN: '0264-3561, 2049-3630, 1472-9032',
      ISBN: '9781861972712, 978-3-16-148410-0, 9780199567027, 9780306406157',
    });
  });

  it('texts that say that a name or title is unknown', () => {
    for (const name of [':(unav)', ':unav', '(:unav)', '(:unkn)', ' :(unav) ']) {
      expect(authorOf({ name })).toBeUndefined();
    }
    expect(cslOf({ titles: [{ title: ':unav' }], publisher: '(:unav)' })).toEqual({
      id: NAME,
      type: 'document',
      DOI: NAME,
    });
  });

  it('names whose parts are one text', () => {
    expect(authorOf({ name: 'Carberry, Josiah', nameType: 'Personal' })).toEqual([
      { family: 'Carberry', given: 'Josiah' },
    ]);
    expect(authorOf({ name: 'Water, Air and Soil Group' })).toEqual([
      { literal: 'Water, Air and Soil Group' },
    ]);
    expect(authorOf({ name: 'Josiah Carberry', givenName: 'Josiah Carberry', familyName: null })).toEqual([
      { literal: 'Josiah Carberry', nameType: 'Personal' },
    ]);
    expect(authorOf({ name: 'CERN', nameType: 'Organizational', familyName: 'CERN' })).toEqual([
      { literal: 'CERN' },
    ]);
  });
});
