// Requests that come in one turn of the event loop share it.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInSlices } from '../../src/http/connection/gateway-server.ts';

/** Every request takes so long; `begun` names those that have been begun. */
function startTaking(eachMs: number) {
  let clockMs = 0;
  const begun: (string | undefined)[] = [];
  const listener = runInSlices(
    ({ url }) => {
      begun.push(url);
      clockMs += eachMs;
    },
    () => clockMs,
  );
  return { begun, come: (name: string, headers = {}) => arrive(name, headers) };

  function arrive(url: string, headers: IncomingMessage['headers']): IncomingMessage {
    const request = Object.assign(new IncomingMessage(new Socket()), { url, headers });
    listener(request as never, new ServerResponse(request) as never);
    return request;
  }
}

test('those that come when the slice is used up wait for later turns, a slice in each', async () => {
  const { begun, come } = startTaking(10);
  for (const name of ['a', 'b', 'c', 'd', 'e']) come(name);
  expect(begun).toEqual(['a', 'b']);
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('one that comes in a later turn does not wait behind them', async () => {
  const { begun, come } = startTaking(16);
  for (const name of ['a', 'b', 'c']) come(name);
  await nextTurn();
  come('new');
  expect(begun).toEqual(['a', 'b', 'new']);
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'new', 'c']);
});

test.each([10, 0.9])('work of %d ms in each of many turns fills no slice', async (eachMs) => {
  const { begun, come } = startTaking(eachMs);
  for (let count = 1; count <= 40; count += 1) {
    come('a');
    expect(begun).toHaveLength(count);
    await nextTurn();
  }
});

test('short ones are all begun at once', () => {
  const { begun, come } = startTaking(0.01);
  for (let count = 0; count < 1_000; count += 1) come('a');
  expect(begun).toHaveLength(1_000);
});

test('one with a body is begun at once, since it waits for that', () => {
  const { begun, come } = startTaking(16);
  come('a');
  come('b', { 'content-length': '5' });
  come('c', { 'transfer-encoding': 'chunked' });
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('one whose client is gone meanwhile is not begun', async () => {
  const { begun, come } = startTaking(16);
  come('a');
  come('b').socket.destroy();
  come('c');
  await nextTurn();
  expect(begun).toEqual(['a', 'c']);
});
