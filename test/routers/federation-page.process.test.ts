// The code of docs/federation.md. Its first lines run unchanged, except for ports and for packages that are already
// installed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { withoutRouter } from './router.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Each with what stands for it here, where there is no network, and dist/ may be missing. */
const replacements = (): Readonly<Record<string, string>> => ({
  'npm ci && npm ci --prefix test/routers/hive\n': '',
  'npm start': `node ${inject('compiledGateway')}`,
});

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/federation.md');

async function shownLines(): Promise<string> {
  let lines = /```sh\n(.*?)```/s.exec(page)?.[1] ?? '';
  expect(lines.trim().split('\n')).toHaveLength(8);
  for (const [shown, used] of Object.entries(replacements())) {
    expect(lines).toContain(shown);
    lines = lines.replace(shown, used);
  }
  for (const port of ['4000', '4010']) lines = lines.replaceAll(port, String(await freePort()));
  return lines;
}

/** A folder that the lines may write to. It has the files of the project that the lines read. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doi-gateway-lines-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['schema.graphql', 'node_modules', 'test'])
    await symlink(join(root, name), join(folder, name));
  const example = 'examples/federation';
  const filter = (path: string) => !path.includes('node_modules');
  await cp(join(root, example), join(folder, example), { recursive: true, filter });
  return folder;
}

test.skipIf(withoutRouter('hive'))(
  'its lines compose a graph, and answer a query through Hive Gateway',
  async () => {
    const lines = await shownLines();
    const [gatewayPort = ''] = /(?<=DOI_GATEWAY_PORT=)\d+/.exec(lines) ?? [];
    const ports = {
      PORT: gatewayPort,
      CATALOG_PORT: String(await freePort()),
      REVIEWS_PORT: String(await freePort()),
    };
    const shell = spawn('/bin/sh', ['-c', lines], {
      cwd: await createFolder(),
      env: { PATH: process.env['PATH'], SHUTDOWN_DRAIN_MS: '0', ...ports },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    onTestFinished(() => void process.kill(-(shell.pid ?? 0), 'SIGKILL'));
    let output = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(shell, 'exit');
    const response = () => JSON.parse(/\{.*"works":.*\}/.exec(output)?.[0] ?? '{}') as unknown;
    await expect.poll(response).toMatchObject({
      data: {
        works: expect.arrayContaining([
          {
            title: 'The DOI Handbook',
            doi: { url: 'https://doi.org/10.1000/182', exists: true, reviews: [{ stars: 5 }] },
          },
        ]),
      },
    });
  },
);

test.each([
  ['hive/gateway.config.mjs', 'Hive Gateway passes on'],
  ['apollo/router.mjs', 'Apollo’s gateway passes on'],
])('it shows what %s runs', (file, text) => {
  const [, shown = 'no code'] = /```js\n(.*?)```/s.exec(page.slice(page.indexOf(text))) ?? [];
  expect(read(`test/routers/${file}`)).toContain(shown);
});
