// Timeouts, broken connections, too large bodies and aborted look-ups.

import { EventEmitter, getEventListeners, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { wireValue } from '../handle/wire.ts';
import { type Behaviour, startDirectoryServer } from '../support/directory-server.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';
import {
  answering,
  closesConnection,
  createProxyAt,
  failureOf,
  handleName,
  notFound,
  startProxy,
} from './proxy-under-test.ts';

const name = handleName('10.5555/é');
const json = { 'content-type': 'application/json;charset=utf-8' };
const found = Buffer.from(JSON.stringify({ responseCode: 1, handle: name, values: [wireValue()] }));

/** `called` resolves with the request and the response of the first call. */
function watched(behaviour: Behaviour) {
  const calls = new EventEmitter();
  return {
    called: once(calls, 'call').then(
      ([call]) => call as { request: IncomingMessage; response: ServerResponse },
    ),
    behaviour: (request: IncomingMessage, response: ServerResponse) => {
      calls.emit('call', { request, response });
      behaviour(request, response);
    },
  };
}

/** Resolves when the gateway has closed the connection. */
async function connectionClosed({ request }: { request: IncomingMessage }): Promise<void> {
  const { socket } = request;
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

const STOPS: readonly [string, Behaviour][] = [
  ['before the headers', () => {}],
  [
    'within the body',
    (_, response) => {
      response.writeHead(200, json);
      response.write(found.subarray(0, 20));
    },
  ],
];

describe.each(STOPS)('if a response stops %s', (_, stops) => {
  test('the timeout fails the look-up and closes the connection', async () => {
    const { called, behaviour } = watched(stops);
    const time = createManualTime();
    const { directory } = await startProxy(behaviour, { timeoutMs: 1_000, time });
    const failure = failureOf(directory.resolve(name));
    const call = await called;
    await settled();
    time.advance(1_000);
    expect(await failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', retryable: true });
    await connectionClosed(call);
  });

  test('an abort rejects with its reason and closes the connection', async () => {
    const { called, behaviour } = watched(stops);
    const { directory } = await startProxy(behaviour);
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const record = directory.resolve(name, { signal: controller.signal });
    const call = await called;
    controller.abort(reason);
    await expect(record).rejects.toBe(reason);
    await connectionClosed(call);
  });
});

test('an abort of a Which RA request rejects every name and closes the connection', async () => {
  const { called, behaviour } = watched(() => {});
  const { directory, server } = await startProxy(behaviour);
  const controller = new AbortController();
  const reason = new Error('the client has gone');
  const answers = Promise.allSettled(
    directory.whichRa(['10.5555/1', '10.5555/2'].map(handleName), { signal: controller.signal }),
  );
  const call = await called;
  controller.abort(reason);
  expect(await answers).toEqual(Array(2).fill({ status: 'rejected', reason }));
  await connectionClosed(call);
  expect(server.targets).toHaveLength(1);
});

test('a thousand look-ups with one signal leave no listener and cause no warning', async () => {
  const { directory, server } = await startProxy(notFound);
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const { signal } = new AbortController();
  const names = Array.from({ length: 1_000 }, (_, index) => handleName(`10.5555/${index}`));
  await Promise.all(names.map((each) => directory.resolve(each, { signal })));
  expect(server.targets).toHaveLength(1_000);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(warnings).toEqual([]);
});

describe('a look-up fails with UPSTREAM_UNAVAILABLE if the connection', () => {
  test.each<[string, Behaviour]>([
    ['is reset', ({ socket }) => void socket.resetAndDestroy()],
    ['is closed without a response', closesConnection],
    [
      'is reset within the body',
      ({ socket }, response) => {
        response.writeHead(200, { ...json, 'content-length': found.length });
        response.write(found.subarray(0, 20), () => socket.resetAndDestroy());
      },
    ],
    [
      'is closed within the body',
      ({ socket }, response) => {
        response.writeHead(200, { ...json, 'content-length': found.length });
        response.write(found.subarray(0, 20), () => socket.destroySoon());
      },
    ],
    [
      'is closed within a chunked body',
      ({ socket }, response) => {
        response.writeHead(200, json);
        response.write(found, () => socket.destroySoon());
      },
    ],
    ['carries another protocol than HTTP', ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  ])('%s', async (_, behaviour) => {
    const { directory } = await startProxy(behaviour);
    expect(await failureOf(directory.resolve(name))).toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      retryable: true,
    });
  });

  test('is refused', async () => {
    const server = await startDirectoryServer();
    await server.close();
    const { directory } = createProxyAt(server.url);
    onTestFinished(() => directory.close());
    expect((await failureOf(directory.resolve(name))).code).toBe('UPSTREAM_UNAVAILABLE');
  });
});

describe('a too large body', () => {
  const BODY_BYTES = 30_000_000;
  const piece = Buffer.alloc(65_536, ' ');

  /** Writes 30 MB as fast as the gateway reads them. */
  const flood =
    (contentType: string): Behaviour =>
    (_, response) => {
      response.writeHead(200, { 'content-type': contentType });
      let bytes = 0;
      const pour = () => {
        while (!response.destroyed) {
          if (bytes >= BODY_BYTES) return void response.end();
          bytes += piece.length;
          if (!response.write(piece)) return void response.once('drain', pour);
        }
      };
      pour();
    };

  test.each([
    ['application/json', 'TOO_LARGE'],
    ['text/html', 'STATUS'],
  ])('of %s is not read to its end', async (contentType, kind) => {
    const { called, behaviour } = watched(flood(contentType));
    const { directory } = await startProxy(behaviour, { maxResponseBytes: 100_000 });
    const failure = await failureOf(directory.resolve(name));
    expect(failure).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', kind });
    const { request, response } = await called;
    await connectionClosed({ request });
    expect(response.writableFinished).toBe(false);
    expect(request.socket.bytesWritten).toBeLessThan(BODY_BYTES);
  });

  test('has at least one byte more than the limit', async () => {
    const { directory } = await startProxy(answering(200, found), { maxResponseBytes: found.length });
    expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    const { directory: stricter } = await startProxy(answering(200, found), {
      maxResponseBytes: found.length - 1,
    });
    expect((await failureOf(stricter.resolve(name))).code).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

test('a body in pieces is read completely, even if a piece ends within a character', async () => {
  const { directory } = await startProxy((_, response) => {
    response.writeHead(200, json);
    const write = (from: number): void => {
      if (from === found.length) response.end();
      else response.write(found.subarray(from, from + 1), () => write(from + 1));
    };
    write(0);
  });
  expect(await directory.resolve(name)).toMatchObject({ status: 'SUCCESS', handle: name });
});
