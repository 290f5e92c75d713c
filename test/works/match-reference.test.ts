import { describe, expect, it } from 'vitest';
import { judgeReference } from '../../src/works/matching/match-reference.ts';
import {
  accuracyOf,
  foundWork,
  inThisTurn,
  isChimera,
  readReferences,
  scoreReference,
  searchOfWorks,
} from '../support/reference-vectors.ts';
import { testTable } from '../support/test-table.ts';

const ITEM = {
  DOI: '10.5555/pumps',
  type: 'journal-article',
  title: ['Reliability of hydraulic pumps in alpine villages'],
  'container-title': ['Journal of Mountain Engineering'],
  issued: { 'date-parts': [[2012]] },
  author: [
    { given: 'Ada', family: 'Berger' },
    { given: 'Karl', family: 'Steiner' },
  ],
  volume: '57',
  issue: '8',
  page: '978-991',
};
const TITLE = ITEM.title[0];
const WHOLE = `Berger A, Steiner K. ${TITLE}. Journal of Mountain Engineering. 2012;57(8):978-991.`;

const item = (DOI: string, members: object) => ({ ...ITEM, DOI, ...members });
const judge = (text: string, ...items: (typeof ITEM)[]) =>
  judgeReference(text, (items.length > 0 ? items : [ITEM]).flatMap(foundWork), inThisTurn);
const verdictsOf = async (text: string) =>
  Object.fromEntries(
    (await judge(text)).work?.evidence.map(({ detail, verdict }) => [detail, verdict]) ?? [],
  );

describe('a reference is found', () => {
  testTable([
    ['Vancouver', WHOLE],
    ['APA', `Berger, A., & Steiner, K. (2012). ${TITLE}. Journal of Mountain Engineering, 57(8), 978–991.`],
    [
      'IEEE',
      `[7] A. Berger and K. Steiner, “${TITLE},” J. Mt. Eng., vol. 57, no. 8, pp. 978–991, Aug. 2012.`,
    ],
    [
      'MLA, with a shortened page',
      `Berger, Ada, and Karl Steiner. “${TITLE}.” Journal of Mountain Engineering, vol. 57, no. 8, 2012, pp. 978–91.`,
    ],
    [
      'ACS, without a title',
      '(1) Berger, A.; Steiner, K. Journal of Mountain Engineering 2012, 57, 978–991.',
    ],
    ['AIP, without a title', '12 A. Berger, K. Steiner, J. Mountain Eng. 57, 978 (2012).'],
    ['capitals', WHOLE.toUpperCase()],
    ['typing errors', WHOLE.replace('Reliability', 'Relaibility').replace('Mountain', 'Montain')],
    [
      'typing errors in the abbreviated journal',
      WHOLE.replace('Journal of Mountain Engineering', 'Jorn. Montain Egineer.'),
    ],
    ['the year of the online version', WHOLE.replace('2012', '2011')],
    ['its DOI', `${WHOLE} https://doi.org/10.5555/PUMPS`],
  ])('in every style', async (_, text) => {
    expect(await judge(text)).toMatchObject({ outcome: 'FOUND', work: { doi: '10.5555/pumps' } });
  });
});

describe('a reference with a wrong detail', () => {
  testTable([
    ['AUTHORS', WHOLE.replace('Berger A, Steiner K', 'Oduya N, Marsh P')],
    ['CONTAINER', WHOLE.replace('Journal of Mountain Engineering', 'Annals of Botany')],
    ['YEAR', WHOLE.replace('2012', '1999')],
    ['VOLUME', WHOLE.replace('57', '31')],
    ['PAGE', WHOLE.replace('978-991', '12-19')],
    ['DOI', `${WHOLE} doi:10.5555/other`],
  ])('differs, and its evidence shows the detail', async (detail, text) => {
    expect((await judge(text)).outcome).toBe('DIFFERS');
    expect(await verdictsOf(text)).toMatchObject({ TITLE: 'AGREES', [detail]: 'DIFFERS' });
  });
});

it('a reference with the title of one work and the details of another work differs', async () => {
  const invented = `Oduya N, Marsh P. ${TITLE}. Annals of Botany. 1999;31:12.`;
  expect((await judge(invented)).outcome).toBe('DIFFERS');
  expect(await verdictsOf(invented)).toMatchObject({
    ...{ TITLE: 'AGREES', AUTHORS: 'DIFFERS', CONTAINER: 'DIFFERS', YEAR: 'DIFFERS' },
  });
});

describe('a reference to another work', () => {
  testTable([
    [
      'people and journal with an invented title',
      WHOLE.replace(`${TITLE}`, 'Optimal irrigation of urban gardens under drought'),
    ],
    [
      'the words of the title in another order',
      WHOLE.replace(`${TITLE}`, 'Alpine pumps of villages in hydraulic reliability'),
    ],
    ['a short title of many works', 'Oduya N. Hydraulic pumps. Annals of Botany. 1999;31:12.'],
    ['no words', ''],
    ['an address alone', 'https://example.org/Reliability-of-hydraulic-pumps'],
  ])('is not found', async (_, text) => {
    expect((await judge(text)).outcome).not.toBe('FOUND');
  });
});

describe('if several works have the title of a reference, the result', () => {
  const preprint = item('10.5555/preprint', {
    type: 'posted-content',
    subtype: 'preprint',
    'container-title': [],
    publisher: 'Alpine Preprints',
    volume: undefined,
    issue: undefined,
    page: undefined,
  });
  const correction = item('10.5555/correction', { title: [`Correction to: ${TITLE}`] });
  const secondPart = item('10.5555/part', { title: [`${TITLE}. II. Further results`] });

  it('is the article if the reference has the details of the article', async () => {
    const { outcome, work } = await judge(WHOLE, correction, preprint, secondPart, ITEM);
    expect([outcome, work?.doi]).toEqual(['FOUND', '10.5555/pumps']);
  });

  it('is the preprint if the reference names the server of the preprint', async () => {
    const text = `Berger A, Steiner K. ${TITLE}. Alpine Preprints. 2012.`;
    expect((await judge(text, ITEM, preprint)).work?.doi).toBe('10.5555/preprint');
  });

  it('is the correction if the reference begins like the title of the correction', async () => {
    const text = WHOLE.replace(`${TITLE}`, `Correction to: ${TITLE}`);
    expect((await judge(text, ITEM, correction)).work?.doi).toBe('10.5555/correction');
  });

  it('is no correction and no second part of the article if the article is missing', async () => {
    expect((await judge(WHOLE, correction, secondPart)).outcome).not.toBe('FOUND');
  });

  it('is no single work if two works fit equally', async () => {
    const { outcome, work, candidates } = await judge(WHOLE, ITEM, item('10.5555/copy', {}));
    expect([outcome, work, candidates.length]).toEqual(['SEVERAL', null, 2]);
  });

  it('is a work if the two works that fit are the same work', async () => {
    const copy = item('10.5555/copy', {
      relation: { 'is-same-as': [{ id: '10.5555/pumps', 'id-type': 'doi', 'asserted-by': 'subject' }] },
    });
    expect((await judge(WHOLE, ITEM, copy)).outcome).toBe('FOUND');
  });
});

it('a work is not found if its title is the whole reference', async () => {
  expect(
    (await judge(WHOLE, item('10.5555/bait', { title: [WHOLE], author: [], page: '1' }))).outcome,
  ).not.toBe('FOUND');
});

it('most published references are found, and invented references are not found', {
  timeout: 60_000,
}, async () => {
  const search = searchOfWorks();
  // A twelfth of the references and a third of the chimeras. `npm run references` measures all, with stricter limits.
  const some = readReferences().filter((vector, at) => (isChimera(vector) && at % 3 === 0) || at % 12 === 0);
  const { precision, recall, chimerasFound } = accuracyOf(
    await Promise.all(some.map((vector) => scoreReference(vector, search))),
  );
  expect(precision).toBeGreaterThanOrEqual(0.99);
  expect(recall).toBeGreaterThanOrEqual(0.92);
  expect(chimerasFound).toBe(0);
});
