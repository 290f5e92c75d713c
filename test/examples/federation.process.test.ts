// The federation example, started as its README says, with the queries of its README.

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
  const response = await example.query('federated gateway', blockAfter(page, 'and ask:', 'graphql'));
  expect(response).toEqual(JSON.parse(blockAfter(page, 'and ask:', 'json')));
});

test.each([
  ['DOI gateway', 'schema.graphql'],
  ['catalog', 'examples/federation/catalog.graphql'],
  ['review service', 'examples/federation/reviews.graphql'],
])('%s returns the SDL that is composed', async (part, path) => {
  expect(await example.query(part, '{ _service { sdl } }')).toEqual({
    data: { _service: { sdl: read(path) } },
  });
});

test('the address without a path redirects to /graphql', async () => {
  const response = await fetch(new URL('/', example.parts['federated gateway']?.url), { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/graphql']);
});

test('the supergraph for other gateways has the addresses in the README', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['supergraph.mjs'], { cwd: exampleFolder });
  const graphs = [...stdout.matchAll(/@join__graph\(name: "(\w+)", url: "(.+?)"\)/g)];
  expect(Object.fromEntries(graphs.map(([, name, url]) => [name, url]))).toEqual({
    catalog: 'http://127.0.0.1:4011/graphql',
    doi: 'http://127.0.0.1:4013/graphql',
    reviews: 'http://127.0.0.1:4012/graphql',
  });
});

test('the example has the packages of the project, in the same versions', () => {
  const { dependencies, overrides } = JSON.parse(read('examples/federation/package.json'));
  const ours = JSON.parse(read('package.json'));
  expect(ours.overrides).toMatchObject(overrides);
  expect({ ...ours.devDependencies, ...ours.dependencies }).toMatchObject(dependencies);
});

/** Runs the command that the example prints for a restart of a part, until the part listens. */
async function startAgain(part: string): Promise<void> {
  const printed = example.lines.find((line) => line.startsWith(`The ${part} ended (SIGKILL).`)) ?? '';
  const command = printed.slice(printed.indexOf('To start it again: ') + 'To start it again: '.length);
  // Another process may have the port for a moment.
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

test('the gateway continues without the catalog, prints a message, and uses the catalog again when it is back', async () => {
  const page = read('examples/federation/README.md');
  const query = blockAfter(page, 'with the catalog ended', 'graphql');
  const { url, pid = 0 } = example.parts['catalog'] ?? {};
  process.kill(pid, 'SIGKILL');
  await expect
    .poll(() => example.lines.at(-1))
    .toMatch(/^The catalog ended \(SIGKILL\)\. The others go on\./);

  const expected = JSON.parse(blockAfter(page, 'with the catalog ended', 'json')) as unknown;
  expect(await example.query('federated gateway', query)).toEqual(expected);
  const away = `The catalog does not answer at ${url}. What the others know is still answered.`;
  await expect.poll(() => example.lines.at(-1)).toBe(away);
  expect(await example.query('federated gateway', query)).toEqual(expected);

  await startAgain('catalog');
  expect(await example.query('federated gateway', query)).toMatchObject({
    data: { works: [{ title: 'The DOI Handbook' }, {}, {}, {}, {}, {}], doi: { name: '10.1000/182' } },
  });
  await expect.poll(() => example.lines.at(-1)).toBe('The catalog answers again.');
  // The example prints the message once.
  expect(example.lines.filter((line) => line === away)).toHaveLength(1);
});

test('the gateway continues without the DOI gateway', async () => {
  process.kill(example.parts['DOI gateway']?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => example.lines.at(-1)).toMatch(/^The DOI gateway ended \(SIGKILL\)\./);
  const query = '{ doi(input: "10.1000/182") { name } __typename }';
  expect(await example.query('federated gateway', query)).toEqual({
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

test('Ctrl-C ends all processes', async () => {
  expect(await example.end('SIGINT')).toEqual([0, null]);
  for (const part of Object.keys(example.parts))
    await expect(example.query(part, '{ __typename }')).rejects.toThrow();
});
