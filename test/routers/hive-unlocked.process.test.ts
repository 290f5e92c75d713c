// Hive Gateway with the newest packages, as npm installs them for a user, and with the configuration of docs/federation.md.

import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { supergraphOf } from '../federation/compose.ts';
import { requestParts } from '../graphql/incremental/parts.ts';
import { createFakeDirectory, urlValue } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { folderOf, HIVE_COMMAND, startRouter, withoutRouter } from './router.ts';

const FOLDERS = ['hive', 'hive-unlocked'] as const;

async function deferredBehind(folder: (typeof FOLDERS)[number]) {
  const directory = createFakeDirectory({ records: { '10.1000/182': [urlValue('https://example.org/')] } });
  const gateway = await startGateway({ directory });
  onTestFinished(gateway.close);
  const files = await mkdtemp(join(tmpdir(), 'doi-gateway-unlocked-'));
  onTestFinished(() => rm(files, { recursive: true }));
  const supergraph = join(files, 'supergraph.graphql');
  await writeFile(
    supergraph,
    supergraphOf([], () => `${gateway.url}/graphql`),
  );
  const router = await startRouter(folder, (port) => [
    ...[HIVE_COMMAND, 'supergraph', supergraph, '--config-path', '../hive/gateway.config.mjs'],
    ...['--host', '127.0.0.1', '--port', port],
  ]);
  onTestFinished(router.stop);
  const parts = await requestParts(router, '{ doi(input: "10.1000/182") { name ... @defer { exists } } }');
  expect(await parts.next()).toMatchObject({ data: { doi: { name: '10.1000/182' } } });
  return parts.increments();
}

const versionOf = (folder: string): string =>
  (
    JSON.parse(
      readFileSync(`${folderOf(folder)}/node_modules/@graphql-tools/delegate/package.json`, 'utf8'),
    ) as {
      version: string;
    }
  ).version;

const page = readFileSync(new URL('../../docs/federation.md', import.meta.url), 'utf8');

test.skipIf(withoutRouter('hive'))(
  'with the delegate that docs/federation.md pins, a deferred field has its value',
  async () => {
    expect(page).toContain(`"@graphql-tools/delegate": "${versionOf('hive')}"`);
    expect(await deferredBehind('hive')).toEqual([{ path: ['doi'], data: { exists: true } }]);
  },
  60_000,
);

test.skipIf(withoutRouter('hive-unlocked'))(
  'without the pin, it is null without an error, as docs/federation.md warns',
  async () => {
    expect(page.replaceAll('\n', ' ')).toContain(
      `version ${versionOf('hive-unlocked')} returns null for deferred fields`,
    );
    expect(
      await deferredBehind('hive-unlocked'),
      'If the fault is gone, delete this pin and its warning from docs/federation.md.',
    ).toEqual([{ path: ['doi'], data: { exists: null } }]);
  },
  60_000,
);
