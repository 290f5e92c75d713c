// Parts all the way from a DOI proxy over HTTP, through the cache: no step waits for the whole batch.

import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { requestedNames, sendJson, startDirectoryServer } from '../../support/directory-server.ts';
import { startGateway } from '../../support/gateway.ts';
import { askForParts } from './parts.ts';

test('each record goes out when the proxy has answered for it', async () => {
  const held = new Map<string, ServerResponse>();
  let tellAllAsked = (): void => {};
  const allAsked = new Promise<void>((resolve) => {
    tellAllAsked = resolve;
  });
  const inputs = Array.from({ length: 50 }, (_, index) => `10.5555/${index}`);
  const server = await startDirectoryServer((request, response) => {
    held.set(requestedNames(request).names[0] ?? '', response);
    if (held.size === inputs.length) tellAllAsked();
  });
  onTestFinished(() => server.close());
  const gateway = await startGateway({}, { DOI_DIRECTORY_URL: server.url.href });
  onTestFinished(() => gateway.close());

  const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
  const answer = await askForParts(gateway, query, { variables: { inputs } });
  await answer.next();
  await allAsked;
  for (const name of inputs.toReversed()) {
    const response = held.get(name);
    if (response) sendJson(response, 404, { responseCode: 100, handle: name });
    expect((await answer.next())?.incremental).toEqual([
      { path: ['dois', inputs.indexOf(name)], data: { exists: false } },
    ]);
  }
  expect(await answer.next()).toBeNull();
  expect(server.targets).toHaveLength(50);
});
