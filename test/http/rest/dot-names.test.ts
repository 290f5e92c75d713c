// Handles `.` and `..`, which are no path: two gateways in a row ask for them and for nothing else.

import { describe, expect, onTestFinished, test } from 'vitest';
import { startDirectoryServer } from '../../support/directory-server.ts';
import { startGateway } from '../../support/gateway.ts';
import { exchange } from '../exchange.ts';

async function startTwo() {
  const server = await startDirectoryServer();
  const first = await startGateway({}, { DOI_DIRECTORY_URL: server.url.href });
  const second = await startGateway({}, { DOI_DIRECTORY_URL: first.url });
  onTestFinished(async () => {
    await second.close();
    await first.close();
    await server.close();
  });
  return {
    url: second.url,
    /** without what the second gateway has asked the first one for, to find out how it is */
    targets: () => server.targets.filter((target) => target !== '/api/handles/10.1000/1'),
  };
}

describe.each(['.', '..'])('the handle %j', (name) => {
  test('is asked for by REST, through two gateways', async () => {
    const { url, targets } = await startTwo();
    const answer = await exchange(`${url}/api/handles%2F${name}`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([404, { responseCode: 100, handle: name }]);
    expect(targets()).toEqual([`/api/handles%2F${name}`]);
  });

  test('is asked for an agency, through two gateways', async () => {
    const { url, targets } = await startTwo();
    const answer = await exchange(`${url}/doiRA%2F${name}`);
    expect(JSON.parse(answer.text)).toEqual([{ DOI: name, status: expect.any(String) }]);
    expect(targets()).toEqual([`/doiRA%2F${name}`]);
  });
});
