// The references of a work, from the APIs of the agencies.

import { expect, test } from 'vitest';
import { type AgencyWork, agencyWorks } from '../../support/agencies/agency-works.ts';
import { CONTACT, startAgencyGateway } from './agency-gateway.ts';

const COUNT = 50;

const TITLES_AND_UPDATES = `query ($name: String!) {
  doi(input: $name, form: NAME) {
    references { text doi { name metadata { title } updates { outcome } } } } }`;
const NAMES =
  'query ($names: [String!]!) { dois(inputs: $names, form: NAME) { references { doi { name } } } }';

interface Cited {
  readonly text: string | null;
  readonly doi: { name: string; metadata: { title: string } | null; updates: { outcome: string } | null };
}

/** A work that cites COUNT works. */
function citingWork(agency: 'Crossref' | 'DataCite'): { citing: AgencyWork; cited: readonly AgencyWork[] } {
  const [first, ...cited] = agencyWorks({ count: COUNT + 1, agency });
  return { citing: { ...(first as AgencyWork), cites: cited.map(({ name }) => name) }, cited };
}

test.each(['Crossref', 'DataCite'] as const)(
  'the titles and updates of 50 references take one list of %s',
  async (agency) => {
    const { citing, cited } = citingWork(agency);
    const { apis, gateway, time } = await startAgencyGateway([citing, ...cited], CONTACT);
    const { data, errors } = await time.drive(
      gateway.query<{ doi: { references: readonly Cited[] } }>(TITLES_AND_UPDATES, { name: citing.name }),
    );
    expect(errors).toBeUndefined();
    const { references } = data.doi;
    expect(references.map(({ doi }) => [doi.name, doi.metadata?.title, doi.updates?.outcome])).toEqual(
      cited.map(({ name, title, outcome }) => [name, title, outcome]),
    );
    expect(references.map(({ text }) => text)).toEqual(
      cited.map((_, at) => (agency === 'Crossref' ? `Reference ${at}.` : null)),
    );
    // One request for the references, one for all cited works.
    expect(apis.calls.map(({ names }) => names.length)).toEqual([1, COUNT]);
    expect(apis.breaches).toEqual([]);
  },
);

test('the references of 25 works take three lists, and are requested only if selected', async () => {
  const works = agencyWorks({ count: 25, agency: 'Crossref' }).map((work) => ({
    ...work,
    cites: [work.name],
  }));
  const { apis, gateway, time, lookUp } = await startAgencyGateway(works, CONTACT);
  await lookUp(works);
  expect(apis.calls).toHaveLength(1);
  const names = works.map(({ name }) => name);
  const { data } = await time.drive(
    gateway.query<{ dois: readonly { references: readonly Cited[] }[] }>(NAMES, { names }),
  );
  // Each work cites itself.
  expect(data.dois.map(({ references }) => references.map(({ doi }) => doi.name))).toEqual(
    names.map((name) => [name]),
  );
  expect(apis.calls.map(({ names }) => names.length)).toEqual([25, 10, 10, 5]);
  expect(apis.breaches).toEqual([]);
});

test('references are null if the work lists no references, and have an error if the request fails', async () => {
  const [listed, unlisted] = agencyWorks({ count: 2, agency: 'Crossref' }) as [AgencyWork, AgencyWork];
  const works = [{ ...listed, cites: [] }, unlisted];
  const names = works.map(({ name }) => name);
  const { gateway, time } = await startAgencyGateway(works, CONTACT);
  const { data } = await time.drive(gateway.query(NAMES, { names }));
  expect(data).toEqual({ dois: [{ references: [] }, { references: null }] });

  const down = await startAgencyGateway(works, CONTACT, {
    misbehaves: () => 'SAYS_503',
  });
  const failed = await down.time.drive(down.gateway.query(NAMES, { names }));
  expect(failed.data).toEqual({ dois: [{ references: null }, { references: null }] });
  expect(failed.errors?.map(({ path }) => path)).toEqual([
    ['dois', 0, 'references'],
    ['dois', 1, 'references'],
  ]);
});

test('the price counts each reference with its fields when their number is known', async () => {
  const { citing, cited } = citingWork('Crossref');
  const { gateway, time } = await startAgencyGateway([citing, ...cited], CONTACT);
  const aliases = (count: number, field: string) =>
    Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(' ');
  const query = (lists: number) => `query ($name: String!) { doi(input: $name, form: NAME) {
    ${aliases(lists, `references { doi { ${aliases(100, 'url')} } }`)} } }`;
  // 50 references with 102 fields each cost more than 5,100. The limit is 250,000.
  const codesOf = async (lists: number) => {
    const { errors = [] } = await time.drive(gateway.query(query(lists), { name: citing.name }));
    return [...new Set(errors.map(({ extensions }) => extensions?.['code']))];
  };
  expect(await codesOf(10)).toEqual([]);
  expect(await codesOf(50)).toEqual(['LIMIT_EXCEEDED']);
});
