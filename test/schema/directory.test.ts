import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startDirectoryServer } from '../support/directory-server.ts';
import { createTestGateway } from '../support/gateway.ts';
import { createFakeGateway, NO_CALLS } from './fake-gateway.ts';

const QUERY = '{ doiDirectory { kind baseUrls records description } }';

test('the embedded directory has a number of records and no address', async () => {
  const file = readFileSync(new URL('../../data/sample-directory.jsonl', import.meta.url), 'utf8');
  const records = file.split('\n').filter((line) => line.trim() !== '').length;
  const gateway = await createTestGateway();
  onTestFinished(gateway.close);
  expect(await gateway.query(QUERY)).toEqual({
    data: {
      doiDirectory: {
        kind: 'EMBEDDED',
        baseUrls: [],
        records,
        description: expect.stringContaining(`${records}`),
      },
    },
  });
});

test('a DOI proxy has its address, and no number of records, without a request to the proxy', async () => {
  const server = await startDirectoryServer();
  onTestFinished(server.close);
  const gateway = await createTestGateway({}, { DOI_DIRECTORY_URL: `${server.url.origin}/` });
  onTestFinished(gateway.close);
  const { origin } = server.url;
  expect(await gateway.query(QUERY)).toEqual({
    data: {
      doiDirectory: {
        kind: 'PROXY',
        baseUrls: [origin],
        records: null,
        description: expect.stringContaining(origin),
      },
    },
  });
  expect(server.targets).toEqual([]);
});

test('doiDirectory is the description of the directory, without a look-up', async () => {
  const { query, calls } = await createFakeGateway();
  expect(await query(QUERY)).toEqual({
    data: {
      doiDirectory: { kind: 'EMBEDDED', baseUrls: [], records: 0, description: 'A fake directory.' },
    },
  });
  expect(calls).toEqual(NO_CALLS);
});
