// The federation example, started as its README says, and asked what its README and ours ask. Where its own
// packages are not installed, Node finds those of the project, which are the same.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('examples/federation', root));
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const ANY_FREE = { PORT: '0', CATALOG_PORT: '0', REVIEWS_PORT: '0', DOI_GATEWAY_PORT: '0' };

/** All parts, as `npm start` starts them. */
function startExample() {
  return spawn(process.execPath, ['start.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...ANY_FREE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

let example: ReturnType<typeof startExample>;
const urls: Record<string, string> = {};
beforeAll(async () => {
  example = startExample();
  for await (const line of createInterface({ input: example.stdout })) {
    const [, part = '', url = ''] = /^(.+?) +(http:\S+)$/.exec(line) ?? [];
    urls[part] = url;
    if (part === 'federated gateway') return;
  }
  throw new Error('The example ended before it listened.');
});
afterAll(async () => {
  if (example.exitCode !== null || example.signalCode !== null) return;
  const exited = once(example, 'exit');
  example.kill('SIGTERM');
  await exited;
});

async function ask(part: string, query: string): Promise<unknown> {
  const response = await fetch(urls[part] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

/** The first fenced block of a language in the part of a page that follows a text. */
function blockAfter(page: string, text: string, language: string): string {
  const rest = page.slice(page.indexOf(text));
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(rest)?.[1] ?? '';
}

test.each([
  ['examples/federation/README.md', 'and ask:'],
  ['README.md', '## Federation'],
])('%s shows a federated query with its answer', async (path, text) => {
  const page = read(path);
  const answer = await ask('federated gateway', blockAfter(page, text, 'graphql'));
  expect(answer).toEqual(JSON.parse(blockAfter(page, text, 'json')));
});

test.each([
  ['DOI gateway', 'schema.graphql'],
  ['catalog', 'examples/federation/catalog.graphql'],
  ['reviews', 'examples/federation/reviews.graphql'],
])('%s gives the SDL that is composed', async (part, path) => {
  expect(await ask(part, '{ _service { sdl } }')).toEqual({ data: { _service: { sdl: read(path) } } });
});

test('the bare address leads to where queries are answered', async () => {
  const response = await fetch(new URL('/', urls['federated gateway']), { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/graphql']);
});

test('the supergraph for other gateways has the addresses that the README names', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['supergraph.mjs'], { cwd: folder });
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
  expect(overrides).toEqual(ours.overrides);
  expect({ ...ours.devDependencies, ...ours.dependencies }).toMatchObject(dependencies);
});

test('Ctrl-C ends all of it', async () => {
  const exited = once(example, 'exit');
  example.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  for (const part of Object.keys(urls)) await expect(ask(part, '{ __typename }')).rejects.toThrow();
});
