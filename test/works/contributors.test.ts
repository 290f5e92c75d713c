// Contributors with their roles and affiliations, and dates with their kinds.

import { describe, expect, test } from 'vitest';
import { readContributors } from '../../src/works/contributors.ts';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readDataciteWork } from '../../src/works/datacite-work.ts';
import { cleanCsl } from '../../src/works/negotiated-csl.ts';
import { readWork } from '../../src/works/work.ts';
import { datesIn, readDataciteDates } from '../../src/works/work-dates.ts';
import { WORK_LIMITS } from '../../src/works/work-limits.ts';
import { doiName } from '../support/doi-names.ts';
import { testTable } from '../support/test-table.ts';

const NAME = doiName('10.1000/a');
const ROR = 'https://ror.org/05h7xva58';

function contributorsOf(members: object, agency: 'Crossref' | 'DataCite' = 'Crossref') {
  const work =
    agency === 'Crossref'
      ? readCrossrefWork({ DOI: NAME, ...members }, NAME)
      : readDataciteWork({ id: NAME, attributes: { doi: NAME, state: 'findable', ...members } }, NAME);
  const { csl, history } = work ?? expect.fail('the work is left out');
  return readContributors(csl, history.details?.contributors ?? null);
}

const summaryOf = (all: ReturnType<typeof contributorsOf>) =>
  all.map(({ role, roleType, name }) => `${role} ${roleType} ${name}`);

describe('the contributors of a work', () => {
  test('are the authors, editors, translators and chairs of Crossref', () => {
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((family) => ({ family, given: 'X.' }));
    expect(summaryOf(contributorsOf({ chair: [d], translator: [c], editor: [b], author: [a, d] }))).toEqual([
      ...['AUTHOR author X. A', 'AUTHOR author X. D', 'EDITOR editor X. B'],
      ...['TRANSLATOR translator X. C', 'CHAIR chair X. D'],
    ]);
  });

  test('are the creators of DataCite, then its contributors with each of their roles', () => {
    const contributors = [
      { contributorType: 'DataCollector', familyName: 'B', givenName: 'X.' },
      { contributorType: 'Editor', familyName: 'C', givenName: 'X.' },
      { contributorType: 'ContactPerson', familyName: 'B', givenName: 'X.' },
      { contributorType: 'New', name: 'An office', nameType: 'Organizational' },
      { name: ':(unav)' },
    ];
    expect(summaryOf(contributorsOf({ creators: { name: 'A, X.' }, contributors }, 'DataCite'))).toEqual([
      ...['AUTHOR Creator A, X.', 'DATA_COLLECTOR DataCollector X. B', 'EDITOR Editor X. C'],
      ...['CONTACT_PERSON ContactPerson X. B', 'OTHER New An office'],
    ]);
  });

  test('are all people of the work in CSL from content negotiation', () => {
    const csl = cleanCsl({ author: { literal: 'A' }, illustrator: { family: 'B' }, producer: 'C' }, NAME);
    expect(summaryOf(readContributors(csl, null))).toEqual([
      ...['AUTHOR author A', 'OTHER illustrator B', 'PRODUCER producer C'],
    ]);
  });

  test('are organizations if they have no given and no family name, or if the agency says so', () => {
    const isOrganization = (members: object, agency?: 'DataCite') =>
      contributorsOf(members, agency).map((person) => person.isOrganization);
    expect(isOrganization({ author: [{ name: 'CERN' }, { family: 'Plato' }, { given: 'Sappho' }] })).toEqual([
      ...[true, false, false],
    ]);
    const creators = [
      { name: 'Office, Met', familyName: 'Office', givenName: 'Met', nameType: 'Organizational' },
      { name: 'CERN' },
      { name: 'Plato', nameType: 'Personal' },
      { familyName: 'Carberry', givenName: 'Josiah' },
    ];
    expect(isOrganization({ creators }, 'DataCite')).toEqual([true, true, false, false]);
  });

  test('have affiliations from texts or objects, with their ROR ids', () => {
    const affiliations = (affiliation: unknown) => [
      contributorsOf({ author: { family: 'A', affiliation } })[0]?.affiliations,
      contributorsOf({ creators: { familyName: 'A', affiliation } }, 'DataCite')[0]?.affiliations,
    ];
    const twice = (...all: object[]) => [all, all];
    expect(affiliations([{ name: 'R&amp;D', id: [{ id: ROR, 'id-type': 'ROR' }] }])).toEqual(
      twice({ name: 'R&D', ror: ROR }),
    );
    const datacite = { affiliationIdentifier: 'ror.org/05H7XVA58', affiliationIdentifierScheme: 'ror' };
    expect(affiliations({ name: 'Wesleyan', ...datacite })).toEqual(twice({ name: 'Wesleyan', ror: ROR }));
    expect(affiliations(['One', { name: ['Two'] }, null, 7, {}])).toEqual(
      twice({ name: 'One', ror: null }, { name: 'Two', ror: null }),
    );
    const grid = { affiliationIdentifier: 'grid.268117.b', affiliationIdentifierScheme: 'GRID' };
    expect(affiliations({ name: 'Wesleyan', ...grid })).toEqual(twice({ name: 'Wesleyan', ror: null }));
  });

  test('have the ROR of an organization of DataCite', () => {
    const nameIdentifiers = [{ nameIdentifier: ROR, nameIdentifierScheme: 'ROR' }];
    expect(contributorsOf({ creators: { name: 'Wesleyan', nameIdentifiers } }, 'DataCite')).toMatchObject([
      { name: 'Wesleyan', ror: ROR, isOrganization: true },
    ]);
  });

  test('are cut at the limits of names and affiliations', () => {
    const affiliation = [{ name: 'A' }, { name: 'B' }];
    const people = Array.from({ length: WORK_LIMITS.creators + 10 }, (_, at) => ({
      family: `F${at}`,
      affiliation,
    }));
    const contributors = people.map((person) => ({ ...person, contributorType: 'Editor', familyName: 'F' }));
    const { creators } = readWork(readCrossrefWork({ DOI: NAME, author: people }, NAME).csl);
    expect(creators).toHaveLength(WORK_LIMITS.creators);
    expect(creators.flatMap(({ affiliations }) => affiliations)).toHaveLength(WORK_LIMITS.affiliations);
    expect(contributorsOf({ contributors }, 'DataCite')).toHaveLength(WORK_LIMITS.listEntries);
  });
});

describe('the dates of a work', () => {
  test('have the name of their JSON member as type in Crossref and CSL', () => {
    const day = { 'date-parts': [[2020, 7, 29]] };
    expect(
      datesIn({ 'published-online': day, accepted: '2020-01', issued: { 'date-parts': [[null]] } }, [
        ...['issued', 'accepted', 'published-online'],
      ]),
    ).toMatchObject([
      { kind: 'ACCEPTED', type: 'accepted', start: { text: '2020-01' }, end: null },
      { kind: 'PUBLISHED_ONLINE', type: 'published-online', start: { text: '2020-07-29' }, end: null },
    ]);
    const range = { 'date-parts': [[2001], [2003, 5]] };
    expect(datesIn({ 'event-date': range }, ['event-date'])).toMatchObject([
      { kind: 'OTHER', start: { text: '2001' }, end: { text: '2003-05' } },
    ]);
  });

  testTable<[date: string, start: string, end: string | null]>([
    ['2001-05/2003', '2001-05', '2003'],
    ['2001/', '2001', null],
    ['2001-05-03T10:00:00Z/2001-05-04T10:00:00Z', '2001-05-03', '2001-05-04'],
    ['\n 2010-01-02 / (:tba)\n ', '2010-01-02', null],
    ['2001/05/03', '2001-05-03', null],
    ['2001.05.03', '2001-05-03', null],
    ['Mai/2001', '2001', null],
    ['03/05/2001', '2001', null],
    ['2019-03-04T05:06:07+00:00', '2019-03-04', null],
  ])('are ranges or days in DataCite', (date, start, end) => {
    const [read] = readDataciteDates([{ date, dateType: 'Collected' }]);
    expect(read).toMatchObject({ kind: 'COLLECTED', type: 'Collected', start: { text: start } });
    expect(read?.end?.text ?? null).toBe(end);
  });

  testTable(['/2003', '../2003', '(:tba)/2003', ':unkn / 2003-05'])(
    'are left out if they have no start',
    (date) => {
      expect(readDataciteDates([{ date, dateType: 'Collected' }])).toEqual([]);
    },
  );

  test('are left out if they have no year, and have the kind OTHER if they have no type', () => {
    expect(readDataciteDates([{ date: ':tba', dateType: 'Issued' }, null, { date: 2001 }])).toMatchObject([
      { kind: 'OTHER', type: 'Other', start: { text: '2001' } },
    ]);
  });
});

test('an abstract of DataCite is in the language of the work', () => {
  const descriptions = ['de', 'en-GB'].map((lang) => ({
    descriptionType: 'Abstract',
    description: lang,
    lang,
  }));
  const abstractIn = (language: unknown) => {
    const attributes = { doi: NAME, state: 'findable', descriptions, language };
    return readDataciteWork({ id: NAME, attributes }, NAME)?.csl['abstract'];
  };
  expect(['en-US', 'eng', 'de', null, 'fr'].map(abstractIn)).toEqual(['en-GB', 'en-GB', 'de', 'de', 'de']);
});
