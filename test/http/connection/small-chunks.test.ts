import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { startBoundedServer } from './bounded-server.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';

function chunked(text: string, size: number): string {
  const parts = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  return `${HEAD}${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
}

/** Sends the body back, and collects the parts of the body as they arrive. */
function echo(): { listener: RequestListener; parts: Buffer[] } {
  const parts: Buffer[] = [];
  return {
    parts,
    listener(request, response) {
      const own: Buffer[] = [];
      request.on('data', (part: Buffer) => {
        own.push(part);
        parts.push(part);
      });
      request.on('end', () => response.end(Buffer.concat(own)));
    },
  };
}

const TEXT = Array.from({ length: 12_000 }, (_, n) => String.fromCharCode(97 + (n % 26))).join('');

test.each([1, 3, 511, 512, 5_000])(
  'a body in chunks of %i bytes arrives whole and in order',
  async (size) => {
    const { connect } = await startBoundedServer(echo().listener);
    const client = connect();
    void client.send(chunked(TEXT, size));
    expect((await client.readAll()).endsWith(`\r\n\r\n${TEXT}`)).toBe(true);
  },
);

test('a body in chunks of one byte arrives in few buffers', async () => {
  const { listener, parts } = echo();
  const { connect } = await startBoundedServer(listener);
  const client = connect();
  void client.send(chunked(TEXT, 1));
  await client.readAll();
  expect(parts.length).toBeLessThan(200);
});

test('the chunks of two clients are not mixed', async () => {
  const { server, connect } = await startBoundedServer(echo().listener);
  const clients = [connect(), connect()];
  const texts = ['a'.repeat(5_000), 'b'.repeat(5_000)];
  for (const [at, client] of clients.entries()) void client.send(chunked(texts[at] ?? '', 1).slice(0, -900));
  await once(server, 'request');
  await once(server, 'request');
  for (const [at, client] of clients.entries()) void client.send(chunked(texts[at] ?? '', 1).slice(-900));
  const responses = await Promise.all(clients.map((client) => client.readAll()));
  expect(responses.map((response, at) => response.endsWith(`\r\n\r\n${texts[at]}`))).toEqual([true, true]);
});
