// If the API of an agency fails, no name gets the work of another name, and no failure becomes a missing work.

import { expect, test } from 'vitest';
import { agencyWorks, FAULTY_NAMES } from '../../support/agencies/agency-works.ts';
import { FAILURES, faultsByChance, REPAIRABLE } from '../../support/agencies/misbehaviours.ts';
import { testTable } from '../../support/test-table.ts';
import { CONTACT, faultsIn, startAgencyGateway } from './agency-gateway.ts';

const AGENCIES = ['Crossref', 'DataCite'] as const;
const MISBEHAVIOURS = [...REPAIRABLE, ...FAILURES];
const COUNT = 120;

const CASES = AGENCIES.flatMap((agency) =>
  MISBEHAVIOURS.map((fault) => [agency, fault, REPAIRABLE.every((each) => each !== fault)] as const),
);

testTable(CASES)(
  'after a list of %s with the fault %s, each name has its own work or an error',
  async (agency, fault, canFail) => {
    const works = agencyWorks({ count: COUNT, agency });
    let faults = 0;
    const { apis, lookUp } = await startAgencyGateway(works, CONTACT, {
      misbehaves({ kind }) {
        if (kind !== 'list' || faults > 0) return null;
        faults += 1;
        return fault;
      },
    });
    const { wrong, failed } = faultsIn(await lookUp(works), works);
    expect(wrong).toEqual([]);
    const inList = apis.calls.find(({ kind }) => kind === 'list')?.names.length ?? 0;
    expect(failed.length).toBeLessThanOrEqual(canFail ? inList : 0);
    expect(apis.breaches).toEqual([]);
  },
);

test.each([1, 2])('during random faults, each name has its own work or an error: seed %i', async (seed) => {
  const works = AGENCIES.flatMap((agency, at) =>
    agencyWorks({ count: 500, agency, seed, shares: FAULTY_NAMES[agency], firstNumber: 500 * at }),
  );
  const misbehaves = faultsByChance(seed, 0.3, MISBEHAVIOURS);
  const { apis, lookUp } = await startAgencyGateway(works, CONTACT, { seed, misbehaves });
  const { wrong, failures } = faultsIn(await lookUp(works), works);
  expect(wrong).toEqual([]);
  const codes = new Set(failures.map(({ extensions }) => extensions['code']));
  const allowed = ['GATEWAY_BUSY', 'UPSTREAM_BAD_RESPONSE', 'UPSTREAM_RATE_LIMITED', 'UPSTREAM_TIMEOUT'];
  expect([...allowed, 'UPSTREAM_UNAVAILABLE']).toEqual(expect.arrayContaining([...codes]));
  expect(apis.breaches).toEqual([]);
});

test.each([{}, CONTACT])('a failing API gets no more probes than its limits allow: %o', async (env) => {
  const works = agencyWorks({ count: 400, agency: 'Crossref' });
  const { apis, lookUp } = await startAgencyGateway(works, env, { misbehaves: () => 'SAYS_503' });
  const { wrong, failed } = faultsIn(await lookUp(works), works);
  expect(wrong).toEqual([]);
  expect(failed).toHaveLength(works.length);
  expect(apis.breaches).toEqual([]);
});

test.each(AGENCIES)(
  'if %s refuses lists because of a name that its response does not contain, halved lists isolate the name',
  async (agency) => {
    const works = agencyWorks({ count: COUNT, agency });
    const bad = works[7]?.name ?? '';
    const { apis, lookUp } = await startAgencyGateway(works, CONTACT, {
      misbehaves: ({ kind, names }) => (kind === 'list' && names.includes(bad) ? 'REFUSES' : null),
    });
    expect(faultsIn(await lookUp(works), works)).toMatchObject({ wrong: [], failed: [] });
    const refused = apis.calls.filter(({ status }) => status === 400);
    expect(refused.length).toBeLessThanOrEqual(Math.ceil(Math.log2(100)));
    expect(apis.calls.length).toBeLessThanOrEqual(3 + 2 * refused.length + 1);
  },
);

test.each(AGENCIES)(
  'if %s sends more than 1 MB for more than 25 names, each list is requested in parts',
  async (agency) => {
    const works = agencyWorks({ count: COUNT, agency });
    const { apis, lookUp } = await startAgencyGateway(works, CONTACT, { misbehaves: () => 'LONG' });
    expect(faultsIn(await lookUp(works), works)).toMatchObject({ wrong: [], failed: [] });
    expect(apis.calls.length).toBeLessThanOrEqual(8);
  },
);
