// Hive Gateway and Apollo's gateway as their users start them, in front of the gateway.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { withCosts } from '../../src/schema/federation/costs.ts';
import { printSubgraph } from '../../src/schema/federation/subgraph.ts';
import { schema } from '../../src/schema/index.ts';
import { SETS, supergraphOf } from '../federation/compose.ts';
import { requestParts } from '../graphql/incremental/parts.ts';
import { bearer } from '../http/request/clients/api-key-files.ts';
import { type Graph, OTHERS, startGraph } from './graph.ts';
import { folderOf, HIVE_COMMAND, type Router, startRouter, withoutRouter } from './router.ts';

let graph: Graph;
let isKnown: () => void;
let folder: string;
/** The events of the look-up of 10.123/left. */
const leaving: string[] = [];
const routers = new Map<string, Router>();

const startHive = async (): Promise<Router> => {
  const supergraph = join(folder, 'supergraph.graphql');
  const sdl = supergraphOf(OTHERS, (name) => graph.urls[name] ?? '');
  await writeFile(supergraph, sdl);
  return startRouter('hive', (port) => [
    ...[HIVE_COMMAND, 'supergraph', supergraph],
    ...['--config-path', 'caching.config.mjs', '--host', '127.0.0.1', '--port', port],
  ]);
};

const ROUTERS = [
  { name: 'hive', start: startHive, badRow: 'works.77.doi.name' },
  {
    name: 'apollo',
    start: () => startRouter('apollo', (port) => ['router.mjs', port, JSON.stringify(graph.urls)]),
    badRow: 'works.77.doi',
  },
] as const;

const installed = ROUTERS.filter(({ name }) => !withoutRouter(name));
const isInstalled = (router: string): boolean => installed.some(({ name }) => name === router);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doi-gateway-supergraph-'));
  const held = new Promise<void>((resolve) => {
    isKnown = resolve;
  });
  graph = await startGraph({
    '10.123/broken': new GatewayError('UPSTREAM_TIMEOUT'),
    '10.123/left': (_name, { signal }) =>
      new Promise((_resolve, reject) => {
        leaving.push('looked up');
        signal?.addEventListener('abort', () => {
          leaving.push('aborted');
          reject(signal.reason);
        });
      }),
    '10.123/held': () => held.then(() => Promise.reject(new GatewayError('UPSTREAM_TIMEOUT'))),
  });
  // If one does not start, the other is stopped too.
  const starts = await Promise.allSettled(
    installed.map(async ({ name, start }) => {
      routers.set(name, await start());
    }),
  );
  for (const start of starts) if (start.status === 'rejected') throw start.reason;
}, 60_000);

afterAll(async () => {
  for (const router of routers.values()) await router.stop();
  await graph?.close();
  await rm(folder, { recursive: true });
});

function routerOf(name: string): Router {
  const router = routers.get(name);
  if (!router) throw new Error(`${name} did not start`);
  return router;
}

const refsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `https://doi.org/10.123/Work.${index}`);

describe.each(installed)('behind $name', ({ name, badRow }) => {
  test.each([200, 1000])('%i works make one request', async (count) => {
    graph.knowWorks(refsOf(count));
    const { data, errors, requests } = await graph.send(
      routerOf(name),
      '{ works { doi { name record { status } registrationAgency { name } redirect { chosenBy } } } }',
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({
      works: refsOf(count).map((ref) => ({
        doi: {
          name: ref.slice('https://doi.org/'.length),
          record: { status: 'SUCCESS' },
          registrationAgency: { name: 'DataCite' },
          redirect: { chosenBy: 'URL' },
        },
      })),
    });
    expect(requests).toMatchObject([{ outcome: 'ok', fieldLookUps: expect.any(Number) }]);
  });

  test('a bad DOI among 500 works costs a row, a failed look-up a field', async () => {
    const refs: (string | null)[] = refsOf(500);
    refs.splice(77, 1, '10.123/');
    refs.splice(123, 1, '10.123/broken');
    refs.splice(200, 1, null);
    graph.knowWorks(refs);
    const { data, errors, requests } = await graph.send(
      routerOf(name),
      '{ works { doi { name redirect { chosenBy } } } }',
    );
    expect(data).toEqual({
      works: refs.map((ref, index) => {
        if (index === 77 || index === 200) return { doi: null };
        const redirect = index === 123 ? null : { chosenBy: 'URL' };
        return { doi: { name: ref?.replace('https://doi.org/', ''), redirect } };
      }),
    });
    const reported = errors.map(({ path = [], extensions }) => [extensions['code'], path.join('.')]);
    // @graphql-tools puts the index of the first work of a batch here (ardatan/graphql-tools#2951).
    const index =
      name === 'hive' ? expect.stringMatching(/^works\.\d+\.doi\.redirect$/) : 'works.123.doi.redirect';
    expect(new Map(reported as [string, string][])).toEqual(
      new Map([
        ['BAD_REPRESENTATION', badRow],
        ['UPSTREAM_TIMEOUT', index],
      ]),
    );
    expect([errors.length, requests.length]).toEqual([2, 1]);
  });

  test('Authorization and x-request-id are passed on', async () => {
    graph.knowWorks(['10.123/work.1']);
    const headers = { ...bearer(), 'x-request-id': `from-${name}` };
    const { requests } = await graph.send(routerOf(name), '{ works { doi { name } } }', { headers });
    expect(requests).toMatchObject([{ client: 'key:acme', requestId: `from-${name}` }]);
    const wrong = await graph.send(routerOf(name), '{ works { title doi { name } } }', {
      headers: bearer('wrong'),
    });
    expect(wrong.data).toEqual({ works: [{ title: 'Work 0', doi: null }] });
    expect(wrong.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(wrong.requests).toMatchObject([{ status: 401 }]);
  });
});

describe.skipIf(!isInstalled('hive'))('Hive Gateway', () => {
  test('@defer streams: the first part is there before the look-ups', async () => {
    graph.knowWorks(['10.123/Work.1', '10.123/held']);
    const parts = await requestParts(routerOf('hive'), '{ works { doi { name ... @defer { exists } } } }');
    const first = { works: [{ doi: { name: '10.123/Work.1' } }, { doi: { name: '10.123/held' } }] };
    expect(await parts.next()).toEqual({ data: first, hasNext: true });
    isKnown();
    expect(await parts.next()).toMatchObject({
      incremental: [
        { path: ['works', 0, 'doi'], data: { exists: true } },
        { path: ['works', 1, 'doi'], data: { exists: null }, errors: [{}] },
      ],
      hasNext: false,
    });
  });

  test('a client that leaves ends the look-ups', async () => {
    graph.knowWorks(['10.123/left']);
    const client = new AbortController();
    const left = routerOf('hive').query('{ works { doi { exists } } }', { signal: client.signal });
    await expect.poll(() => leaving).toEqual(['looked up']);
    client.abort();
    await expect(left).rejects.toThrow('aborted');
    await expect.poll(() => leaving).toEqual(['looked up', 'aborted']);
  });

  test('its HTTP cache keeps a response without errors, and no partly failed one', async () => {
    const hive = routerOf('hive');
    const query = '{ works { doi { url exists } } }';
    graph.knowWorks(['10.123/work.1', '10.123/work.2']);
    const first = await graph.send(hive, query);
    expect(first.requests).toHaveLength(1);
    expect(await graph.send(hive, query)).toEqual({ ...first, requests: [] });
    graph.knowWorks(['10.123/work.1', '10.123/broken']);
    for (const _attempt of [1, 2]) {
      const { errors, requests } = await graph.send(hive, query);
      expect(errors).toHaveLength(1);
      expect(requests).toHaveLength(1);
    }
  });
});

describe.skipIf(!isInstalled('apollo'))('Apollo', () => {
  test.each([
    ['', schema],
    [' with costs', withCosts(schema)],
  ])('composes the subgraph%s with every set, without a hint', async (_, subgraph) => {
    const sdl = join(folder, 'schema.graphql');
    await writeFile(sdl, printSubgraph(subgraph));
    const { stdout } = await promisify(execFile)(process.execPath, ['compose.mjs', sdl], {
      cwd: folderOf('apollo'),
    });
    const complaints = Object.fromEntries(Object.keys(SETS).map((what) => [what, []]));
    expect(JSON.parse(stdout)).toEqual(complaints);
  });

  test('three catalogs, reviews and contacts join by four keys and an agency', async () => {
    const router = routerOf('apollo');
    graph.knowWorks(['https://doi.org/10.123/Work.1']);
    graph.know('catalog-by-name', { query: { books: [{ isbn: '1', doi: { name: '10.123/WORK.1' } }] } });
    graph.know('catalog-by-id', { query: { articles: [{ number: 1, doi: { id: 'doi:10.123/work.1' } }] } });
    const reviewsOf = (key: unknown) => [{ text: `Of ${key}.` }];
    graph.know('reviews', {
      entities: { DOI: ({ canonicalName }) => ({ reviews: reviewsOf(canonicalName) }) },
    });
    graph.know('agency-contacts', {
      entities: { RegistrationAgency: (agency) => ({ contact: `${agency['name']}@example.org` }) },
    });
    const doi = 'doi { name record { status } registrationAgency { title contact } reviews { text } }';
    const { data, errors } = await graph.send(
      router,
      `{ works { ${doi} } books { ${doi} } articles { ${doi} } }`,
    );
    const joined = (spelling: string) => ({
      doi: {
        name: spelling,
        record: { status: 'SUCCESS' },
        registrationAgency: { title: 'DataCite', contact: 'DataCite@example.org' },
        reviews: [{ text: 'Of 10.123/work.1.' }],
      },
    });
    expect(errors).toEqual([]);
    expect(data).toEqual({
      works: [joined('10.123/Work.1')],
      books: [joined('10.123/WORK.1')],
      articles: [joined('10.123/work.1')],
    });
    const hidden = await router.query('{ works { doi { ref } } }');
    expect(hidden.errors?.[0]?.extensions['code']).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('does not know @defer', async () => {
    const { errors } = await routerOf('apollo').query('{ works { doi { name ... @defer { exists } } } }');
    expect(errors).toMatchObject([{ message: 'Unknown directive "@defer".' }]);
  });
});
