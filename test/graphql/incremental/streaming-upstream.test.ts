import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { requestedNames, sendJson, startDirectoryServer } from '../../support/directory-server.ts';
import { startGateway } from '../../support/gateway.ts';
import { requestParts } from './parts.ts';

test('the part of each name is sent as soon as the DOI proxy has its record', async () => {
  const held = new Map<string, ServerResponse>();
  const inputs = Array.from({ length: 50 }, (_, index) => `10.5555/${index}`);
  const server = await startDirectoryServer((request, response) => {
    held.set(requestedNames(request).names[0] ?? '', response);
  });
  onTestFinished(() => server.close());
  const gateway = await startGateway({}, { DOI_DIRECTORY_URL: server.url.href });
  onTestFinished(() => gateway.close());

  const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
  const response = await requestParts(gateway, query, { variables: { inputs } });
  await response.next();
  await expect.poll(() => held.size).toBe(inputs.length);
  for (const name of inputs.toReversed()) {
    const upstream = held.get(name);
    if (upstream) sendJson(upstream, 404, { responseCode: 100, handle: name });
    expect((await response.next())?.incremental).toEqual([
      { path: ['dois', inputs.indexOf(name)], data: { exists: false } },
    ]);
  }
  expect(await response.next()).toBeNull();
  expect(server.targets).toHaveLength(50);
});
