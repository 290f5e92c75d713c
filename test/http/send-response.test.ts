// How a response in parts ends when a part fails: a client must not take it for whole.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sendAnswer } from '../../src/http/response/send-response.ts';

async function* parts(failure: Error | null): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  if (failure !== null) throw failure;
  yield Buffer.from(' last');
}

/** The text of a response, if the client has it whole. */
async function received(failure: Error | null): Promise<string> {
  const server = createServer((_request, response) => {
    void sendAnswer(response, { status: 200, headers: [], body: parts(failure), bytes: null });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`)
    .then((response) => response.text())
    .catch(() => 'aborted');
}

test('all parts of a response arrive', async () => {
  expect(await received(null)).toBe('first last');
});

test('a client sees an abort when a part fails', async () => {
  expect(await received(new Error('the disk'))).toBe('aborted');
});
