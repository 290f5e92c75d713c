// What a stop waits for.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import { prepareStop } from '../../src/http/graceful-stop.ts';
import { get, startBounded } from './bounded-server.ts';

test('requests of a client that is gone are not in flight, those behind its first either', async () => {
  const { server, connect } = await startBounded(() => undefined);
  const inFlight: number[] = [];
  const stop = prepareStop(server, { timeoutMs: 1, onStopping: (_, count) => inFlight.push(count) });
  const client = connect();
  void client.send(get().repeat(3));
  const [{ socket }] = await once(server, 'request');
  client.socket.destroy();
  await once(socket, 'close');
  await stop(0);
  expect(inFlight).toEqual([0]);
});
