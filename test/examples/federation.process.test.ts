// The federation example, started as its README says, and sent the queries of its README.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { exampleFolder, type FederationExample, startFederationExample } from './federation-example.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

let example: FederationExample;
beforeAll(async () => {
  example = await startFederationExample();
}, 60_000);
afterAll(() => example.end('SIGTERM'));

/** The first fenced block of a language in the part of a page that follows a text. */
function blockAfter(page: string, text: string, language: string): string {
  const rest = page.slice(page.indexOf(text));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(rest)?.[1] ?? '';
}

test('the README shows a federated query with its response', async () => {
  const page = read('examples/federation/README.md');
  const response = await example.ask('federated gateway', blockAfter(page, 'and ask:', 'graphql'));
  expect(response).toEqual(JSON.parse(blockAfter(page, 'and ask:', 'json')));
});

test.each([
  ['DOI gateway', 'schema.graphql'],
  ['catalog', 'examples/federation/catalog.graphql'],
  ['review service', 'examples/federation/reviews.graphql'],
])('%s gives the SDL that is composed', async (part, path) => {
  expect(await example.ask(part, '{ _service { sdl } }')).toEqual({
    data: { _service: { sdl: read(path) } },
  });
});

test('the bare address leads to where queries are answered', async () => {
  const response = await fetch(new URL('/', example.parts['federated gateway']?.url), { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/graphql']);
});

test('the supergraph for other gateways has the addresses that the README names', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['supergraph.mjs'], { cwd: exampleFolder });
  const graphs = [...stdout.matchAll(/@join__graph\(name: "(\w+)", url: "(.+?)"\)/g)];
  expect(Object.fromEntries(graphs.map(([, name, url]) => [name, url]))).toEqual({
    catalog: 'http://127.0.0.1:4011/graphql',
    doi: 'http://127.0.0.1:4013/graphql',
    reviews: 'http://127.0.0.1:4012/graphql',
  });
});

test('has the packages of the project, in the same versions', () => {
  const { dependencies, overrides } = JSON.parse(read('examples/federation/package.json'));
  const ours = JSON.parse(read('package.json'));
  expect(ours.overrides).toMatchObject(overrides);
  expect({ ...ours.devDependencies, ...ours.dependencies }).toMatchObject(dependencies);
});

/** Runs the command that the example says a part is started again by, until that listens. */
async function startAgain(part: string): Promise<void> {
  const said = example.lines.find((line) => line.startsWith(`The ${part} ended (SIGKILL).`)) ?? '';
  const command = said.slice(said.indexOf('To start it again: ') + 'To start it again: '.length);
  // Whoever took the port meanwhile gives it back sooner or later.
  await expect
    .poll(async () => {
      const process = spawn('/bin/sh', ['-c', `exec env ${command}`], {
        cwd: exampleFolder,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(process, 'exit');
      for await (const line of createInterface({ input: process.stdout })) {
        onTestFinished(async () => {
          process.kill('SIGTERM');
          await ended;
        });
        return line;
      }
      return 'ended before it listened';
    })
    .toBe(example.parts[part]?.url);
}

test('goes on without the catalog, says so, and takes it again when it is back', async () => {
  const page = read('examples/federation/README.md');
  const query = blockAfter(page, 'with the catalog ended', 'graphql');
  const { url, pid = 0 } = example.parts['catalog'] ?? {};
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => example.lines.at(-1))
    .toMatch(/^The catalog ended \(SIGKILL\)\. The others go on\./);

  const answer = JSON.parse(blockAfter(page, 'with the catalog ended', 'json')) as unknown;
  expect(await example.ask('federated gateway', query)).toEqual(answer);
  const away = `The catalog does not answer at ${url}. What the others know is still answered.`;
  await expect.poll(() => example.lines.at(-1)).toBe(away);
  expect(await example.ask('federated gateway', query)).toEqual(answer);

  await startAgain('catalog');
  expect(await example.ask('federated gateway', query)).toMatchObject({
    data: { works: [{ title: 'The DOI Handbook' }, {}, {}, {}, {}, {}], doi: { name: '10.1000/182' } },
  });
  await expect.poll(() => example.lines.at(-1)).toBe('The catalog answers again.');
  // It was said once.
  expect(example.lines.filter((line) => line === away)).toHaveLength(1);
});

test('goes on without the DOI gateway', async () => {
  process.kill(example.parts['DOI gateway']?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => example.lines.at(-1)).toMatch(/^The DOI gateway ended \(SIGKILL\)\./);
  const query = '{ doi(input: "10.1000/182") { name } __typename }';
  expect(await example.ask('federated gateway', query)).toEqual({
    data: { doi: null, __typename: 'Query' },
    errors: [
      {
        message: 'The DOI gateway does not answer. What it knows is missing here until it is back.',
        path: ['doi'],
        extensions: { code: 'SUBGRAPH_AWAY', subgraph: 'DOI gateway' },
      },
    ],
  });
});

test('Ctrl-C ends all of it', async () => {
  expect(await example.end('SIGINT')).toEqual([0, null]);
  for (const part of Object.keys(example.parts))
    await expect(example.ask(part, '{ __typename }')).rejects.toThrow();
});
