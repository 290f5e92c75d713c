// docs/from-datacite.md and its examples show the results of their queries.

import { readFileSync } from 'node:fs';
import { canonicalName } from 'doi-names';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeDirectory } from './support/fake-directory.ts';
import { createTestGateway, type TestGateway } from './support/gateway.ts';
import { RECORDED_WORKS } from './works/recorded-works.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/from-datacite.md');

/** A query for DataCite's API, the same query for the gateway, and its result. */
interface Translation {
  readonly datacite: string;
  readonly gateway: string;
  readonly result: unknown;
}

function translationsIn(page: string): readonly Translation[] {
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)];
  return blocks.flatMap(([, language, text = ''], at) => {
    const [datacite = '', gateway = ''] = [blocks[at - 2]?.[2], blocks[at - 1]?.[2]];
    return language === 'json' ? [{ datacite, gateway, result: JSON.parse(text) as unknown }] : [];
  });
}

const ON_PAGE = translationsIn(page);
const EXAMPLES = translationsIn(read('examples/from-datacite/README.md'));

/** `Work` of DataCite's schema in 2026: https://github.com/datacite/lupo, app/graphql/types/doi_item.rb */
const FIELDS_OF_WORK =
  `id type doi creators contributors titles publicationYear publisher subjects fieldsOfScience
  fieldsOfScienceCombined fieldsOfScienceRepository dates registered language identifiers relatedIdentifiers relatedItems
  types formats sizes version rights descriptions container geolocations fundingReferences url contentUrl repository
  member registrationAgency formattedCitation xml bibtex schemaOrg claims referenceCount citationCount viewCount
  downloadCount versionCount versionOfCount partCount partOfCount otherRelatedCount citationsOverTime viewsOverTime
  downloadsOverTime references citations otherRelated parts partOf versions versionOf`.split(/\s+/);

describe('docs/from-datacite.md', () => {
  let testGateway: TestGateway;
  beforeAll(async () => {
    testGateway = await createTestGateway();
  });
  afterAll(() => testGateway.close());

  it('has a query for DataCite beside each query for the gateway', () => {
    expect([ON_PAGE.length, EXAMPLES.length]).toEqual([2, 5]);
    for (const { datacite } of [...ON_PAGE, ...EXAMPLES]) expect(() => parse(datacite)).not.toThrow();
  });

  it.each(ON_PAGE)('shows the result of $gateway', async ({ gateway, result }) => {
    expect(await testGateway.query(gateway)).toEqual(result);
  });

  it('lists every field of `Work`', () => {
    const named = new Set(
      [...page.matchAll(/^\| (.*?) \| /gm)]
        .flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)/g)])
        .map(([, field]) => field),
    );
    expect(FIELDS_OF_WORK.filter((field) => !named.has(field))).toEqual([]);
  });

  it('names only existing fields of the gateway', async () => {
    const rows = page.slice(page.indexOf('### Field by field'), page.indexOf('## Not here'));
    const cells = [...rows.matchAll(/^\| `.*?` .*?\| (.*) \|$/gm)].map(([, cell = '']) => cell);
    const selections = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
    expect(selections.length).toBeGreaterThan(25);
    const { errors } = await testGateway.query(
      `{ doi(input: "10.5438/bc11-cqw1") { ${selections.join(' ')} } }`,
    );
    expect(errors).toBeUndefined();
  });
});

/** A directory with the recorded works of DataCite, and one citation for all of them. */
function recordedDirectory() {
  const works = RECORDED_WORKS.filter(({ agency }) => agency === 'DataCite').map(
    (work) => [canonicalName(work.name), work] as const,
  );
  const of = <Value>(make: (work: (typeof RECORDED_WORKS)[number]) => Value) =>
    Object.fromEntries(works.map(([name, work]) => [name, make(work)]));
  return createFakeDirectory({
    agencies: of(() => ({ status: 'FOUND', agency: 'DataCite' }) as const),
    histories: of(({ read: { history } }) => history),
    metadata: of(
      ({ read: { csl } }) =>
        async (_, { kind }) =>
          kind === 'csl' ? csl : citation,
    ),
  });
}

const citation = 'Chetverikov, P. E. (2016). FIGURE 3 in New species and records of phytoptid mites. Zenodo.';

describe('examples/from-datacite', () => {
  it.each(EXAMPLES)('shows the result of $gateway', async ({ gateway, result }) => {
    const testGateway = await createTestGateway({ directory: recordedDirectory() });
    expect(await testGateway.query(gateway)).toEqual(result);
    await testGateway.close();
  });
});
