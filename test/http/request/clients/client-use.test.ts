// /metrics counts the requests and look-ups of each client with an API key.

import { expect, onTestFinished, test } from 'vitest';
import { MAX_NAMED_CLIENTS } from '../../../../src/metrics/client-use.ts';
import { createMetrics } from '../../../../src/metrics.ts';
import { sendJson, startDirectoryServer } from '../../../support/directory-server.ts';
import { urlValue } from '../../../support/fake-directory.ts';
import { startGateway } from '../../../support/gateway.ts';
import { bearer, createKeysFile, KEY, sha256 } from './api-key-files.ts';

const RECORD = { responseCode: 1, handle: '10.1000/1', values: [urlValue('https://example.org/')] };

const linesOf = (text: string): string[] =>
  text.split('\n').filter((line) => /^doi_gateway_client_\w+\{/.test(line));

test('requests and look-ups are counted by the name of the key, without probes', async () => {
  const directory = await startDirectoryServer((_, response) => sendJson(response, 200, RECORD));
  const file = await createKeysFile([{ name: 'library', sha256: sha256(KEY) }]);
  const gateway = await startGateway({}, { DOI_DIRECTORY_URL: directory.url.href, API_KEYS_FILE: file.path });
  onTestFinished(async () => {
    await gateway.close();
    await directory.close();
    await file.remove();
  });
  const get = async (path: string, headers = {}) => (await fetch(gateway.url + path, { headers })).text();
  for (let count = 0; count < 3; count += 1) await get('/api/handles/10.1000/1', bearer());
  await get('/healthz', bearer());
  await get('/llms.txt');
  await expect
    .poll(async () => linesOf(await get('/metrics')).sort((a, b) => a.localeCompare(b)))
    .toEqual([
      'doi_gateway_client_lookups_total{client="key:library",answeredBy="directory"} 1',
      'doi_gateway_client_lookups_total{client="key:library",answeredBy="memory"} 2',
      'doi_gateway_client_requests_total{client="key:library"} 3',
      'doi_gateway_client_requests_total{client="none"} 1',
    ]);
});

test('keys after the first hundred are counted together', async () => {
  const { clientUse, registry } = createMetrics();
  const none = { memory: 0, shared: 0, stale: 0, directory: 0 };
  for (let key = 0; key < MAX_NAMED_CLIENTS + 5; key += 1) clientUse.count(`key:${key}`, none);
  clientUse.count('key:0', none);
  const lines = linesOf(await registry.metrics());
  expect(lines).toHaveLength(MAX_NAMED_CLIENTS + 1);
  expect(lines).toContain('doi_gateway_client_requests_total{client="other"} 5');
  expect(lines).toContain('doi_gateway_client_requests_total{client="key:0"} 2');
});
