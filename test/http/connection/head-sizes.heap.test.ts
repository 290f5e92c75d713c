// The table of memory sizes of heads is right for the running version of Node.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { headBytes, MAX_HEADERS } from '../../../src/memory/memory-sizes.ts';
import { arrivals, type Client, get, startBoundedServer } from './bounded-server.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const CONNECTIONS = 60;
const PIPELINED = 20;

test.each([
  ['no headers', 0, 0],
  ['30 headers', 30, 20],
  ['as many tiny headers as are allowed', MAX_HEADERS - 1, 0],
  ['as many characters as are allowed', 90, 150],
])(
  'a head with %s needs at most the memory of the table',
  async (_, count, length) => {
    const { server, connect } = await startBoundedServer((request) => void request.headers);
    const fields = Array.from({ length: count }, (_, n) => `h${n}: ${'x'.repeat(length)}\r\n`).join('');
    const head = get('/', fields);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const clients: Client[] = [];
    // The first request of a connection stays unfinished, so the others wait.
    const all = arrivals(server, CONNECTIONS * PIPELINED);
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const client = connect();
      clients.push(client);
      void client.send(head.repeat(PIPELINED));
    }
    await all;
    collectGarbage();
    const usedBytes = (process.memoryUsage().heapUsed - before) / (CONNECTIONS * PIPELINED);
    expect(usedBytes).toBeLessThan(headBytes(head.length, count + 1) * 1.5);
    expect(usedBytes).toBeGreaterThan(headBytes(head.length, count + 1) / 6);
  },
  30_000,
);
