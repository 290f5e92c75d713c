// How a response in parts ends: with its last part, with a part that fails, and with its client.

import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sendResponse } from '../../src/http/response/send-response.ts';
import { get, startBoundedServer } from './connection/bounded-server.ts';

async function* parts(failure: Error | null): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first');
  if (failure !== null) throw failure;
  yield Buffer.from(' last');
}

/** The text of a response, if the client has it whole. */
async function received(failure: Error | null): Promise<string> {
  const { server } = await startBoundedServer((_request, response) => {
    void sendResponse(response, { status: 200, headers: [], body: parts(failure), bytes: null });
  });
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

test.each([
  ['small parts', 10],
  ['parts that it does not read', 1_000_000],
])('a client that leaves during %s ends them', async (_, bytes) => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        yield Buffer.alloc(bytes);
        await nextTurn();
      }
    } finally {
      end();
    }
  }
  const { connect } = await startBoundedServer((_request, response) => {
    void sendResponse(response, { status: 200, headers: [], body: body(), bytes: null });
  });
  const client = connect();
  void client.send(get());
  await client.readMore();
  client.socket.destroy();
  await ended;
});
