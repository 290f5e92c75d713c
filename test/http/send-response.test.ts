// A response in parts ends after its last part, when a part fails, or when its client aborts.

import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendResponse } from '../../src/http/response/send-response.ts';
import { get, startBoundedServer } from './connection/bounded-server.ts';

const startSending = (parts: () => AsyncGenerator<Uint8Array>) =>
  startBoundedServer((_request, response) => {
    void sendResponse(response, { status: 200, headers: [], body: parts(), bytes: null });
  });

async function textOf(failure: Error | null): Promise<string> {
  const { server } = await startSending(async function* () {
    yield Buffer.from('first');
    if (failure !== null) throw failure;
    yield Buffer.from(' last');
  });
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/`)
    .then((response) => response.text())
    .catch(() => 'aborted');
}

test('all parts of a response arrive', async () => {
  expect(await textOf(null)).toBe('first last');
});

test('the response is aborted when a part fails', async () => {
  expect(await textOf(new Error('the disk'))).toBe('aborted');
});

test.each([
  ['small parts', 10],
  ['parts that the client does not read', 1_000_000],
])('when the client aborts, the source of %s ends', async (_, bytes) => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const { connect } = await startSending(async function* () {
    try {
      for (;;) {
        yield Buffer.alloc(bytes);
        await nextTurn();
      }
    } finally {
      end();
    }
  });
  const client = connect();
  void client.send(get());
  await client.readMore();
  client.socket.destroy();
  await ended;
});
