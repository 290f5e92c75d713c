// A thousand cold titles from the APIs of the agencies, within their limits and the deadline of one operation.

import { expect, test } from 'vitest';
import { agencyWorks, FAULTY_NAMES } from '../../support/agencies/agency-works.ts';
import { agencyStage, CONTACT, faultsIn, LATENCY_MS } from './agency-stage.ts';

const COUNT = 1_000;

test.each([
  ['Crossref', {}, 21, 19_000],
  ['Crossref', CONTACT, 21, 6_000],
  ['DataCite', {}, 11, 0],
] as const)('1,000 titles of %s with %o take at most %i lists', async (agency, env, mostLists, limitMs) => {
  const works = agencyWorks({ count: COUNT, agency });
  const { apis, ask, time } = await agencyStage(works, env);
  const began = time.now();
  expect(faultsIn(await ask(works), works)).toMatchObject({ wrong: [], failed: [] });
  expect(apis.breaches).toEqual([]);
  expect(apis.calls.length).toBeLessThanOrEqual(mostLists);
  expect(new Set(apis.calls.map(({ kind }) => kind))).toEqual(new Set(['list']));
  // The time that the limits alone require, and that of the look-ups of agencies and of a list.
  const endedAt = (apis.calls.at(-1)?.at ?? 0) + LATENCY_MS;
  expect(endedAt - began).toBeLessThanOrEqual(1.2 * limitMs + 4 * LATENCY_MS);
});

test.each(['Crossref', 'DataCite'] as const)(
  'aliases, commas, refused and absent names of %s are right in one operation of an operator with CONTACT',
  async (agency) => {
    const works = agencyWorks({ count: COUNT, agency, shares: FAULTY_NAMES[agency] });
    const { apis, ask } = await agencyStage(works, CONTACT);
    expect(faultsIn(await ask(works), works)).toMatchObject({ wrong: [], failed: [] });
    expect(apis.breaches).toEqual([]);
  },
);

test('without CONTACT, titles that are not in time fail as busy, and a second operation gets them', async () => {
  const works = agencyWorks({ count: COUNT, agency: 'Crossref', shares: FAULTY_NAMES.Crossref });
  const { apis, ask, time } = await agencyStage(works);
  const first = faultsIn(await ask(works), works);
  expect(first.wrong).toEqual([]);
  expect(first.failed.length).toBeLessThan(COUNT / 2);
  expect([...new Set(first.failures.map(({ extensions }) => extensions['code']))]).toEqual(['GATEWAY_BUSY']);
  const seconds = first.failures.map(({ extensions }) => extensions['retryAfterSeconds'] as number);
  expect(Math.min(...seconds)).toBeGreaterThanOrEqual(1);
  await time.drive(time.sleep(1_000 * Math.max(...seconds)));
  expect(faultsIn(await ask(works), works)).toMatchObject({ wrong: [], failed: [] });
  expect(apis.breaches).toEqual([]);
  const lists = apis.calls.filter(({ kind }) => kind === 'list');
  const refused = works.filter(({ kind }) => kind === 'REFUSED');
  expect(lists.length).toBeLessThanOrEqual(21 + refused.length);
});
