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
const USELESS_READER: ResponseReader<number> = {
  ...STATUS,
  wantsBody: () => {
    throw USELESS;
  },
};

async function start(
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
    // For an IP address, no lookup is called.
    origin: lookup ? `http://directory.example:${server.url.port}` : server.url.origin,
    maxConnections,
    timeoutMs: 15_000,
    lookup,
  });
  onTestFinished(async () => {
    await connections.close();
    await server.close();
  });
  function send(path: string, completes: string[] = []) {
    const answer = new UpstreamResponse({
      reader,
      maxBytes: 1_000,
      largeBodies: { last: Promise.resolve() },
      onComplete: () => void completes.push(path),
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

/** `held` has a function for each request, which responds to the request. */
function createHolding() {
  const held: (() => void)[] = [];
  return {
    held,
    behaviour: ((request, response) => {
      held.push(() => answering(200, 'body')(request, response));
    }) satisfies Behaviour,
  };
}

test('requests above the number of connections wait, and are sent in their order', async () => {
  const { held, behaviour } = createHolding();
  const { send, server, sockets } = await start(2, behaviour);
  const sent = ['/1', '/2', '/3', '/4', '/5'].map((path) => send(path));
  await expect.poll(() => held.length).toBe(2);
  for (let at = 0; at < 5; at += 1) {
    await expect.poll(() => held.length).toBeGreaterThan(at);
    held[at]?.();
    expect(await sent[at]?.outcome).toBe(200);
  }
  expect(new Set(server.targets.slice(0, 2))).toEqual(new Set(['/1', '/2']));
  expect(server.targets.slice(2)).toEqual(['/3', '/4', '/5']);
  expect(new Set(sockets).size).toBe(2);
});

test('a request that ends while it waits is not sent', async () => {
  const { held, behaviour } = createHolding();
  const { send, server } = await start(1, behaviour);
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

test('a request that ends during the connection attempt is not sent', async () => {
  let connect = (): void => undefined;
  const mayConnect = new Promise<void>((resolve) => {
    connect = resolve;
  });
  let lookUps = 0;
  const lookup: LookupFunction = (_host, _options, done) => {
    lookUps += 1;
    void mayConnect.then(() => done(null, [{ address: '127.0.0.1', family: 4 }]));
  };
  const { send, server } = await start(1, answering(200), { lookup });
  const gone = send('/gone');
  await expect.poll(() => lookUps).toBe(1);
  gone.answer.end(new Error('gone'));
  expect(await gone.outcome).toMatchObject({ message: 'gone' });
  const next = send('/next');
  connect();
  expect(await next.outcome).toBe(200);
  expect(server.targets).toEqual(['/next']);
});

test('a running request that ends frees its connection for the next request', async () => {
  const { held, behaviour } = createHolding();
  const { send, sockets } = await start(1, behaviour);
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

test.each([
  ['an unwanted body', 302, STATUS, 302, ['/a', '/b', '/long', '/c']],
  ['the body of a useless response', 503, USELESS_READER, USELESS, []],
])(
  '%s leaves its connection open if the body is short, and closes the connection if the body is long',
  async (_, status, reader, outcome, completed) => {
    const behaviour: Behaviour = (request, response) =>
      answering(status, 'x'.repeat(request.url === '/long' ? 100_000 : 40_000))(request, response);
    const { send, sockets } = await start(1, behaviour, { reader });
    const completes: string[] = [];
    for (const path of ['/a', '/b', '/long', '/c']) expect(await send(path, completes).outcome).toBe(outcome);
    expect(completes).toEqual(completed);
    const [a, b, long, c] = sockets;
    expect([b === a, long === b, c === long]).toEqual([true, true, false]);
  },
);

test('a useless response with an endless body fails as useless at its timeout', async () => {
  const { send, sockets } = await start(
    1,
    (_, response) => {
      response.writeHead(503);
      response.write('half a body');
    },
    { reader: USELESS_READER },
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

test('after a failed connection, its requests fail, and the next requests connect again', async () => {
  let isKnown = false;
  const lookup: LookupFunction = (_host, _options, done) => {
    if (isKnown) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(new Error('no such host'), '');
  };
  const { send, sockets } = await start(2, answering(200), { lookup });
  const failed = await Promise.all(['/1', '/2', '/3', '/4'].map((path) => send(path).outcome));
  expect(failed).toMatchObject(Array(4).fill({ message: 'no such host' }));
  isKnown = true;
  const outcomes = ['/5', '/6', '/7'].map((path) => send(path).outcome);
  expect(await Promise.all(outcomes)).toEqual([200, 200, 200]);
  expect(new Set(sockets).size).toBe(2);
});

test('a close ends running, waiting and later requests', async () => {
  const { held, behaviour } = createHolding();
  const { send, connections } = await start(1, behaviour);
  const sent = [send('/1'), send('/2')];
  await expect.poll(() => held.length).toBe(1);
  await connections.close();
  sent.push(send('/3'));
  for (const { outcome } of sent) expect(await outcome).toBeInstanceOf(Error);
  await nextTurn();
  expect(held).toHaveLength(1);
});
