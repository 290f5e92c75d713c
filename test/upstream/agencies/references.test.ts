// What a work cites, from the APIs of the agencies.

import { expect, test } from 'vitest';
import { type AgencyWork, agencyWorks } from '../../support/agencies/agency-works.ts';
import { agencyStage, CONTACT } from './agency-stage.ts';

const COUNT = 50;

const WHAT_BECAME = `query ($name: String!) {
  doi(input: $name, form: NAME) {
    references { text doi { name metadata { title } updates { outcome } } } } }`;
const NAMES =
  'query ($names: [String!]!) { dois(inputs: $names, form: NAME) { references { doi { name } } } }';

interface Cited {
  readonly text: string | null;
  readonly doi: { name: string; metadata: { title: string } | null; updates: { outcome: string } | null };
}

/** A work that cites COUNT works, which are plain or have the faults of real names. */
function citingWork(agency: 'Crossref' | 'DataCite'): { citing: AgencyWork; cited: readonly AgencyWork[] } {
  const [first, ...cited] = agencyWorks({ count: COUNT + 1, agency });
  return { citing: { ...(first as AgencyWork), cites: cited.map(({ name }) => name) }, cited };
}

test.each(['Crossref', 'DataCite'] as const)(
  'what became of each of 50 references takes one list of %s',
  async (agency) => {
    const { citing, cited } = citingWork(agency);
    const { apis, gateway, time } = await agencyStage([citing, ...cited], CONTACT);
    const { data, errors } = await time.drive(
      gateway.query<{ doi: { references: readonly Cited[] } }>(WHAT_BECAME, { name: citing.name }),
    );
    expect(errors).toBeUndefined();
    const { references } = data.doi;
    expect(references.map(({ doi }) => [doi.name, doi.metadata?.title, doi.updates?.outcome])).toEqual(
      cited.map(({ name, title, outcome }) => [name, title, outcome]),
    );
    expect(references.map(({ text }) => text)).toEqual(
      cited.map((_, at) => (agency === 'Crossref' ? `Reference ${at}.` : null)),
    );
    // One request for the list of references, one for all that it cites.
    expect(apis.calls.map(({ names }) => names.length)).toEqual([1, COUNT]);
    expect(apis.breaches).toEqual([]);
  },
);

test('the references of 25 works take three lists, and are fetched only when they are selected', async () => {
  const works = agencyWorks({ count: 25, agency: 'Crossref' }).map((work) => ({
    ...work,
    cites: [work.name],
  }));
  const { apis, gateway, time, ask } = await agencyStage(works, CONTACT);
  await ask(works);
  expect(apis.calls).toHaveLength(1);
  const names = works.map(({ name }) => name);
  const { data } = await time.drive(
    gateway.query<{ dois: readonly { references: readonly Cited[] }[] }>(NAMES, { names }),
  );
  // A reference to the work itself is a reference.
  expect(data.dois.map(({ references }) => references.map(({ doi }) => doi.name))).toEqual(
    names.map((name) => [name]),
  );
  expect(apis.calls.map(({ names }) => names.length)).toEqual([25, 10, 10, 5]);
  expect(apis.breaches).toEqual([]);
});

test('a failure is an error, and no list is null', async () => {
  const [listed, unlisted] = agencyWorks({ count: 2, agency: 'Crossref' }) as [AgencyWork, AgencyWork];
  const works = [{ ...listed, cites: [] }, unlisted];
  const names = works.map(({ name }) => name);
  const { gateway, time } = await agencyStage(works, CONTACT);
  const { data } = await time.drive(gateway.query(NAMES, { names }));
  expect(data).toEqual({ dois: [{ references: [] }, { references: null }] });

  const down = await agencyStage(works, CONTACT, {
    misbehaves: () => 'SAYS_503',
  });
  const failed = await down.time.drive(down.gateway.query(NAMES, { names }));
  expect(failed.data).toEqual({ dois: [{ references: null }, { references: null }] });
  expect(failed.errors?.map(({ path }) => path)).toEqual([
    ['dois', 0, 'references'],
    ['dois', 1, 'references'],
  ]);
});

test('each reference is charged when it is found, with its fields', async () => {
  const { citing, cited } = citingWork('Crossref');
  const { gateway, time } = await agencyStage([citing, ...cited], CONTACT);
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
