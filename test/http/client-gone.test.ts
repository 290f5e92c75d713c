// A client that does not wait for its answer: the work for it ends, and nobody is alarmed.

import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Log } from '../../src/log.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { post } from './exchange.ts';

test('a client that goes away ends the look-ups made for it, and is no error of the gateway', async () => {
  const logged: unknown[] = [];
  const log: Log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => void logged.push(entry) };
  let tellAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  let tellAborted = (_reason: unknown): void => {};
  const aborted = new Promise<unknown>((resolve) => {
    tellAborted = resolve;
  });
  const directory = createFakeDirectory({
    records: {
      '10.5555/slow': (_name, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => {
            tellAborted(signal.reason);
            reject(signal.reason);
          });
          tellAsked();
        }),
    },
  });
  const gateway = await startGateway({ directory, log });

  const client = request(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  client.on('error', () => undefined);
  client.end('{"query":"{ doi(input: \\"10.5555/slow\\") { exists } }"}');
  await asked;
  client.destroy();

  expect(await aborted).toBeInstanceOf(Error);
  expect((await post(gateway, '{"query":"{ __typename }"}')).status).toBe(200);
  expect(logged).toEqual([]);
  await gateway.close();
});
