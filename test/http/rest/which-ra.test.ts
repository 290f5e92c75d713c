// Rules of GET /doiRA/{names} that wire.json does not have.

import { describe, expect, test } from 'vitest';
import type { WhichRaVerdict } from '../../../src/directory/directory.ts';
import { createTurns } from '../../../src/turns.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { responseOf } from '../../support/http-request.ts';
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

async function getRows(target: string) {
  const { get, calls } = await startRest({ agencies: AGENCIES });
  const { status, headers, body } = await get(target);
  expect([status, headers['content-type']]).toEqual([200, 'application/json;charset=UTF-8']);
  return { rows: JSON.parse(body) as unknown[], body, lookedUp: calls.whichRa };
}

describe('Which RA', () => {
  test('waits for a turn of the event loop before it looks up more than 100 names', async () => {
    let turns = 0;
    const next = async () => {
      turns += 1;
    };
    const face = createFace(createFakeDirectory(), { turns: { ...createTurns(), next } });
    for (const count of [100, 101]) {
      await responseOf(face, `/doiRA/${Array.from({ length: count }, (_, at) => `10.1000/${at}`)}`);
    }
    expect(turns).toBe(1);
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
  ])('responds to %s', async (target, expected) => {
    expect((await getRows(target)).rows).toEqual(expected);
  });

  test.each([
    ['/doiRA/', ['']],
    ['/doiRA/,', ['', '']],
    ['/doiRA/10.1000/%zz', ['10.1000/%zz']],
    ['/doiRA/10.1000/%FF,%,10.1000/%E2%82', ['10.1000/%FF', '%', '10.1000/%E2%82']],
  ])('returns "Invalid DOI" with the raw text for %s, without a look-up', async (target, echoes) => {
    const response = await getRows(target);
    expect(response.rows).toEqual(echoes.map((DOI) => ({ DOI, status: INVALID })));
    expect(response.lookedUp).toEqual([]);
  });

  test('keeps order, case, duplicates and invalid items, and makes one look-up', async () => {
    const response = await getRows('/doiRA/10.1000/1,,10.1000/none,%,10.1000/1');
    expect(response.rows).toEqual([
      { DOI: '10.1000/1', RA: 'Crossref' },
      { DOI: '', status: INVALID },
      { DOI: '10.1000/none', status: 'DOI does not exist' },
      { DOI: '%', status: INVALID },
      { DOI: '10.1000/1', RA: 'Crossref' },
    ]);
    expect(response.lookedUp).toEqual([['10.1000/1', '10.1000/none']]);
  });

  test('is indented by two spaces, with U+2028 escaped', async () => {
    const { body } = await getRows('/ra/10.1000/a%2Cb');
    expect(body).toBe('[\n  {\n    "DOI": "10.1000/a,b",\n    "RA": "Ä\\u2028 & Co"\n  }\n]');
  });

  test.each(['/doiRA', '/ra'])('responds with 404 to %s without names', async (target) => {
    const { get } = await startRest({ agencies: AGENCIES });
    expect((await get(target)).status).toBe(404);
  });
});
