// GET /doiRA/{names}: what the rows of wire.json do not say.

import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../../src/directory/directory.ts';
import { createTurns } from '../../../src/turns.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { answerOf } from '../../support/http-request.ts';
import { createFace } from './face-under-test.ts';
import { startRest } from './rest-gateway.ts';

const CROSSREF: WhichRaVerdict = { status: 'FOUND', agency: 'Crossref' };
const AGENCIES: Readonly<Record<string, WhichRaVerdict>> = {
  '10.1000/1': CROSSREF,
  '10.1000/a,b': { status: 'FOUND', agency: 'Ä\u2028 & Co' },
  '10.1002': { status: 'FOUND', agency: 'CNKI' },
  '10.1002.5': { status: 'FOUND', agency: 'Sub' },
  '10.1000/unknown': { status: 'UNKNOWN', agency: null },
  'doi:10.1000/1': { status: 'INVALID_DOI', agency: null },
};
const INVALID = 'Invalid DOI';

async function rows(target: string) {
  const { get, calls } = await startRest({ agencies: AGENCIES });
  const { status, headers, body } = await get(target);
  expect([status, headers['content-type']]).toEqual([200, 'application/json;charset=UTF-8']);
  return { rows: JSON.parse(body) as unknown[], body, asked: calls.whichRa };
}

describe('Which RA', () => {
  test.each([
    [100, 0],
    [101, 1],
  ])('the look-ups of %i names wait for %i turns of the event loop', async (names, turns) => {
    let waited = 0;
    const next = async () => {
      waited += 1;
    };
    const face = createFace(createFakeDirectory(), { turns: { ...createTurns(), next } });
    const list = Array.from({ length: names }, (_, n) => `10.1000/${n}`);
    expect((await answerOf(face, `/doiRA/${list}`)).status).toBe(200);
    expect(waited).toBe(turns);
  });

  test.each([
    ['/doiRA/10.1000/1', [{ DOI: '10.1000/1', RA: 'Crossref' }]],
    ['/ra/10.1000/1', [{ DOI: '10.1000/1', RA: 'Crossref' }]],
    ['/DOIra/10.1000/1', [{ DOI: '10.1000/1', RA: 'Crossref' }]],
    ['/doiRA/10%2E1000%2F1', [{ DOI: '10.1000/1', RA: 'Crossref' }]],
    ['/doiRA/10.1000/1?pretty=false&callback=f', [{ DOI: '10.1000/1', RA: 'Crossref' }]],
    ['/doiRA/10.1000/UNKNOWN', [{ DOI: '10.1000/UNKNOWN', RA: 'Unknown' }]],
    ['/doiRA/10.1000/none', [{ DOI: '10.1000/none', status: 'DOI does not exist' }]],
    ['/doiRA/doi:10.1000/1', [{ DOI: 'doi:10.1000/1', status: INVALID }]],
    ['/doiRA/10.1002.5', [{ DOI: '10.1002.5', RA: 'Sub' }]],
    ['/doiRA/10.1000/a%2Cb', [{ DOI: '10.1000/a,b', RA: 'Ä\u2028 & Co' }]],
    [
      '/doiRA/10.1000/a,10.1002',
      [
        { DOI: '10.1000/a', status: 'DOI does not exist' },
        { DOI: '10.1002', RA: 'CNKI' },
      ],
    ],
  ])('answers %s', async (target, expected) => {
    expect((await rows(target)).rows).toEqual(expected);
  });

  test.each([
    ['/doiRA/', ['']],
    ['/doiRA/,', ['', '']],
    ['/doiRA/10.1000/%zz', ['10.1000/%zz']],
    ['/doiRA/10.1000/%FF,%,10.1000/%E2%82', ['10.1000/%FF', '%', '10.1000/%E2%82']],
  ])('has only "Invalid DOI" for %s, with the raw text as echo, and asks nobody', async (target, echoes) => {
    const answer = await rows(target);
    expect(answer.rows).toEqual(echoes.map((DOI) => ({ DOI, status: INVALID })));
    expect(answer.asked).toEqual([]);
  });

  test('keeps order, case and duplicates, between items that are nothing, in one batch', async () => {
    const answer = await rows('/doiRA/10.1000/1,,10.1000/none,%,10.1000/1');
    expect(answer.rows).toEqual([
      { DOI: '10.1000/1', RA: 'Crossref' },
      { DOI: '', status: INVALID },
      { DOI: '10.1000/none', status: 'DOI does not exist' },
      { DOI: '%', status: INVALID },
      { DOI: '10.1000/1', RA: 'Crossref' },
    ]);
    expect(answer.asked).toEqual([['10.1000/1', '10.1000/none']]);
  });

  test('is two-space pretty, with U+2028 escaped and no slash', async () => {
    const { body } = await rows('/ra/10.1000/a%2Cb');
    expect(body).toBe('[\n  {\n    "DOI": "10.1000/a,b",\n    "RA": "Ä\\u2028 & Co"\n  }\n]');
  });

  test.each(['/doiRA', '/ra'])('is not at %s, which is no name', async (target) => {
    const { get } = await startRest({ agencies: AGENCIES });
    expect((await get(target)).status).toBe(404);
  });
});
