// A thousand titles that are not cached, within the limits of the APIs and the deadline of one operation.

import { expect, test } from 'vitest';
import { agencyWorks, FAULTY_NAMES } from '../../support/agencies/agency-works.ts';
import { CONTACT, faultsIn, LATENCY_MS, startAgencyGateway } from './agency-gateway.ts';

const COUNT = 1_000;

test.each([
  ['Crossref', {}, 21, 19_000],
  ['Crossref', CONTACT, 21, 6_000],
  ['DataCite', {}, 11, 0],
] as const)('1,000 titles of %s with %o take at most %i lists', async (agency, env, maxLists, limitMs) => {
  const works = agencyWorks({ count: COUNT, agency });
  const { apis, lookUp, time } = await startAgencyGateway(works, env);
  const began = time.now();
  expect(faultsIn(await lookUp(works), works)).toMatchObject({ wrong: [], failed: [] });
  expect(apis.breaches).toEqual([]);
  expect(apis.calls.length).toBeLessThanOrEqual(maxLists);
  expect(new Set(apis.calls.map(({ kind }) => kind))).toEqual(new Set(['list']));
  // The time that the limits require, and the latency of Which RA and of a list.
  const endedAt = (apis.calls.at(-1)?.at ?? 0) + LATENCY_MS;
  expect(endedAt - began).toBeLessThanOrEqual(1.2 * limitMs + 4 * LATENCY_MS);
});

test.each(['Crossref', 'DataCite'] as const)(
  'with CONTACT, an operation has the right titles for aliases, commas, refused names and absent names of %s',
  async (agency) => {
    const works = agencyWorks({ count: COUNT, agency, shares: FAULTY_NAMES[agency] });
    const { apis, lookUp } = await startAgencyGateway(works, CONTACT);
    expect(faultsIn(await lookUp(works), works)).toMatchObject({ wrong: [], failed: [] });
    expect(apis.breaches).toEqual([]);
  },
);

test('without CONTACT, late titles fail with GATEWAY_BUSY, and a second operation gets the late titles', async () => {
  const works = agencyWorks({ count: COUNT, agency: 'Crossref', shares: FAULTY_NAMES.Crossref });
  const { apis, lookUp, time } = await startAgencyGateway(works);
  const first = faultsIn(await lookUp(works), works);
  expect(first.wrong).toEqual([]);
  expect(first.failed.length).toBeLessThan(COUNT / 2);
  expect([...new Set(first.failures.map(({ extensions }) => extensions['code']))]).toEqual(['GATEWAY_BUSY']);
  const seconds = first.failures.map(({ extensions }) => extensions['retryAfterSeconds'] as number);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1);
  await time.drive(time.sleep(1_000 * Math.max(...seconds)));
  expect(faultsIn(await lookUp(works), works)).toMatchObject({ wrong: [], failed: [] });
  expect(apis.breaches).toEqual([]);
  const lists = apis.calls.filter(({ kind }) => kind === 'list');
  const refused = works.filter(({ kind }) => kind === 'REFUSED');
  expect(lists.length).toBeLessThanOrEqual(21 + refused.length);
});
