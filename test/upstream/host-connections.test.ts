// One request at a time on each connection, and no more connections than allowed.

import type { LookupFunction, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createHostConnections } from '../../src/upstream/host-connections.ts';
import { type ResponseReader, UpstreamResponse } from '../../src/upstream/response-body.ts';
import { type Behaviour, startDirectoryServer } from '../support/directory-server.ts';
import { answering } from './proxy-under-test.ts';

const STATUS: ResponseReader<number> = {
  accept: '*/*',
  wantsBody: () => false,
  parse: (head) => () => head.status,
};

const USELESS = new Error('useless');
const NOTHING: ResponseReader<number> = {
  ...STATUS,
  wantsBody: () => {
    throw USELESS;
  },
};

async function setUp(
  maxConnections: number,
  behaviour: Behaviour,
  { lookup, reader = STATUS }: { lookup?: LookupFunction; reader?: ResponseReader<number> } = {},
) {
  const sockets: Socket[] = [];
  const server = await startDirectoryServer((request, response) => {
    sockets.push(request.socket);
    behaviour(request, response);
  });
  const connections = createHostConnections({
    // Of an address nobody looks for another.
    origin: lookup ? `http://directory.example:${server.url.port}` : server.url.origin,
    maxConnections,
    timeoutMs: 15_000,
    lookup,
  });
  onTestFinished(async () => {
    await connections.close();
    await server.close();
  });
  function send(path: string, wholes: string[] = []) {
    const answer = new UpstreamResponse({
      reader,
      maxBytes: 1_000,
      largeBodies: { last: Promise.resolve() },
      onComplete: () => void wholes.push(path),
    });
    const outcome = answer.outcome.then(
      ({ answer: status }) => status,
      (error: Error) => error,
    );
    connections.send({ path, method: 'GET' }, answer);
    return { answer, outcome };
  }
  return { server, sockets, connections, send };
}

/** A server that answers when it is told to. */
function holding() {
  const held: (() => void)[] = [];
  return {
    held,
    behaviour: ((request, response) => {
      held.push(() => answering(200, 'body')(request, response));
    }) satisfies Behaviour,
  };
}

test('what finds no connection waits for one, in the order of sending', async () => {
  const { held, behaviour } = holding();
  const { send, server, sockets } = await setUp(2, behaviour);
  const sent = ['/1', '/2', '/3', '/4', '/5'].map((path) => send(path));
  await expect.poll(() => held.length).toBe(2);
  for (let at = 0; at < 5; at += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(at);
    held[at]?.();
    expect(await sent[at]?.outcome).toBe(200);
  }
  expect(server.targets.toSorted()).toEqual(['/1', '/2', '/3', '/4', '/5']);
  expect(server.targets.slice(2)).toEqual(['/3', '/4', '/5']);
  expect(new Set(sockets).size).toBe(2);
});

test('one that is ended while it waits is never sent', async () => {
  const { held, behaviour } = holding();
  const { send, server } = await setUp(1, behaviour);
  const [first, gone, last] = [send('/first'), send('/gone'), send('/last')];
  await expect.poll(() => held.length).toBe(1);
  gone.answer.end(new Error('gone'));
  expect(await gone.outcome).toMatchObject({ message: 'gone' });
  held[0]?.();
  await first.outcome;
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  expect(await last.outcome).toBe(200);
  expect(server.targets).toEqual(['/first', '/last']);
});

test('one that is ended while its connection is made is never sent', async () => {
  let connect = (): void => undefined;
  const mayConnect = new Promise<void>((resolve) => {
    connect = resolve;
  });
  let lookUps = 0;
  const lookup: LookupFunction = (_host, _options, done) => {
    lookUps += 1;
    void mayConnect.then(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
  };
  const { send, server } = await setUp(1, answering(200), { lookup });
  const gone = send('/gone');
  await expect.poll(() => lookUps).toBe(1);
  gone.answer.end(new Error('gone'));
  expect(await gone.outcome).toMatchObject({ message: 'gone' });
  const next = send('/next');
  connect();
  expect(await next.outcome).toBe(200);
  expect(server.targets).toEqual(['/next']);
});

test('one that is ended while it is sent makes room for the next', async () => {
  const { held, behaviour } = holding();
  const { send, sockets } = await setUp(1, behaviour);
  const ended = send('/ended');
  const next = send('/next');
  await expect.poll(() => held.length).toBe(1);
  ended.answer.end(new Error('ended'));
  expect(await ended.outcome).toMatchObject({ message: 'ended' });
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  expect(await next.outcome).toBe(200);
  expect(new Set(sockets).size).toBe(2);
});

test('a body that nobody wants keeps its connection where it is short, and ends it where it is long', async () => {
  const { send, sockets } = await setUp(1, (request, response) => {
    answering(302, 'x'.repeat(request.url === '/long' ? 100_000 : 1_000))(request, response);
  });
  const wholes: string[] = [];
  for (const path of ['/a', '/b', '/long', '/c']) expect(await send(path, wholes).outcome).toBe(302);
  expect(wholes).toEqual(['/a', '/b', '/long', '/c']);
  const [a, b, long, c] = sockets;
  expect([b === a, long === b, c === long]).toEqual([true, true, false]);
});

test('the raw headers, which keep all bytes of a read in memory, are dropped', async () => {
  const { send } = await setUp(1, answering(200));
  const { answer, outcome } = send('/a');
  const { onResponseStart } = answer;
  const rawHeaders: unknown[] = [];
  answer.onResponseStart = (...start) => {
    rawHeaders.push(start[0].rawHeaders);
    onResponseStart.apply(answer, start);
    rawHeaders.push(start[0].rawHeaders);
  };
  expect(await outcome).toBe(200);
  expect(rawHeaders).toEqual([expect.any(Array), null]);
});

test('a useless response fails after its body, and keeps its connection if the body is short', async () => {
  const behaviour: Behaviour = (request, response) =>
    answering(503, 'x'.repeat(request.url === '/long' ? 100_000 : 40_000))(request, response);
  const { send, sockets } = await setUp(1, behaviour, { reader: NOTHING });
  const wholes: string[] = [];
  for (const path of ['/a', '/b', '/long', '/c']) expect(await send(path, wholes).outcome).toBe(USELESS);
  expect(wholes).toEqual([]);
  const [a, b, long, c] = sockets;
  expect([b === a, long === b, c === long]).toEqual([true, true, false]);
});

test('a useless response whose body does not end is reported as useless when it is ended', async () => {
  const { send, sockets } = await setUp(
    1,
    (_, response) => {
      response.writeHead(503);
      response.write('half a body');
    },
    { reader: NOTHING },
  );
  const { answer, outcome } = send('/a');
  const hasHead = new Promise((resolve) => {
    const { onResponseData } = answer;
    answer.onResponseData = (...data) => {
      onResponseData.apply(answer, data);
      resolve(null);
    };
  });
  await hasHead;
  answer.end(new Error('timeout'));
  expect(await outcome).toBe(USELESS);
  expect(sockets).toHaveLength(1);
});

test('one that could not connect tries again with the next request, and each that it had fails', async () => {
  let isThere = false;
  const lookup: LookupFunction = (_host, _options, done) => {
    if (isThere) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(new Error('no such host'), '');
  };
  const { send, sockets } = await setUp(2, answering(200), { lookup });
  const failed = await Promise.all(['/1', '/2', '/3', '/4'].map((path) => send(path).outcome));
  expect(failed).toMatchObject(Array(4).fill({ message: 'no such host' }));
  isThere = true;
  const outcomes = ['/5', '/6', '/7'].map((path) => send(path).outcome);
  expect(await Promise.all(outcomes)).toEqual([200, 200, 200]);
  expect(new Set(sockets).size).toBe(2);
});

test('what is sent or waits when it is closed fails', async () => {
  const { held, behaviour } = holding();
  const { send, connections } = await setUp(1, behaviour);
  const sent = [send('/1'), send('/2')];
  await expect.poll(() => held.length).toBe(1);
  await connections.close();
  sent.push(send('/3'));
  for (const { outcome } of sent) expect(await outcome).toBeInstanceOf(Error);
  await nextTurn();
  expect(held).toHaveLength(1);
});
