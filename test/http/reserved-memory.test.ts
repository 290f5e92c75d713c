// Every face reserves before it starts, and returns all bytes however a request ends.

import { type ClientRequest, request as httpRequest } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';

/** Nothing fits. */
const FULL = { heapBytes: 4, bodyBytes: 4, responseBytes: 4 };
/** Small requests fit, and nothing else. */
const NO_LARGE = { heapBytes: 1_000_000, bodyBytes: 100, responseBytes: 100_000_000 };
const NO_RESPONSE = { heapBytes: 400_000_000, bodyBytes: 10_000_000, responseBytes: 10_000 };

async function start(parts: AppParts, env: Environment = {}) {
  const gateway = await startGateway({ directory: createFakeDirectory(), ...parts }, env);
  onTestFinished(() => gateway.close());
  return gateway;
}

function graphql(query: string, variables: object = {}, headers: Readonly<Record<string, string>> = {}) {
  return {
    path: '/graphql',
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  };
}

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function send(url: string, { path, ...init }: Sent) {
  const response = await fetch(url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const NAMES = 'query($n:[String!]!){dois(inputs:$n){name url record{responseCode}}}';
const many = (count: number) => Array.from({ length: count }, (_, at) => `10.5555/name-${at}`);

describe('where the account is full', () => {
  test.each<Sent>([
    { path: '/graphql?query=%7B__typename%7D' },
    graphql('{__typename}'),
    { path: '/graphql', headers: { accept: 'text/html' } },
    { path: '/10.1000/182' },
    { path: '/abcde' },
    { path: '/api/handles/10.1000/182' },
    { path: '/doiRA/10.1000/182' },
    { path: '/doiRA/10.1000/182,10.1000/183' },
    { path: '/' },
    { path: '/inspector' },
    { path: '/schema.graphql' },
    { path: '/openapi.json' },
    { path: '/llms.txt' },
    { path: '/mcp', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  ])('$method $path waits, and is then refused with the time to come again', async (sent) => {
    const { url } = await start({ memorySizes: FULL }, { OPERATION_DEADLINE_MS: '20' });
    const { status, headers, text } = await send(url, sent);
    // The head of a request with a body is refused before its body is read.
    expect([status, headers.get('retry-after')]).toEqual([503, sent.body ? '1' : '10']);
    expect(text).toContain(sent.body ? 'too little memory' : 'no free memory');
  });

  test.each(['/healthz', '/readyz', '/metrics'])('%s answers', async (path) => {
    const { url } = await start({ memorySizes: FULL });
    expect((await send(url, { path })).status).toBe(200);
  });

  test('a preflight answers', async () => {
    const { url } = await start({ memorySizes: FULL });
    expect((await send(url, { path: '/graphql', method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('where large work finds no bytes', () => {
  test('small requests go on beside one that waits, and that one starts when there are bytes', async () => {
    const { url, app } = await start({ memorySizes: NO_LARGE });
    const held = app.memoryAccount.open();
    held.grow(750_000);
    let hasEnded = false;
    const large = send(url, graphql(NAMES, { n: many(100) })).finally(() => {
      hasEnded = true;
    });
    await expect.poll(() => app.memoryAccount.isMemoryScarce).toBe(true);
    const small = await send(url, graphql(NAMES, { n: ['10.5555/1'] }));
    expect([small.status, hasEnded]).toEqual([200, false]);
    held.close();
    const { data } = JSON.parse((await large).text) as { data: { dois: unknown[] } };
    expect(data.dois).toHaveLength(100);
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });

  test('a large body is not read while it waits, and the time is not the fault of its client', async () => {
    const { url, app } = await start({ memorySizes: { ...NO_LARGE, heapBytes: 100_000_000 } });
    const held = app.memoryAccount.open();
    void held.admitBody(100, {
      requester: { client: { key: 'test' } },
      signal: new AbortController().signal,
    });
    const sent = send(url, graphql(NAMES, { n: many(1_000) }));
    await expect.poll(() => app.memoryAccount.isMemoryScarce).toBe(true);
    held.close();
    expect((await sent).status).toBe(200);
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });

  test('an operation that fails as a whole asks the directory for no more names', async () => {
    const directory = createFakeDirectory();
    const { url, app } = await start({ directory, memorySizes: NO_LARGE });
    const held = app.memoryAccount.open();
    held.grow(700_000);
    const text = many(400).join(' ');
    const { status } = await send(
      url,
      graphql('query($t:String!){findDois(text:$t){doi{exists}}}', { t: text }),
    );
    held.close();
    // A look-up that had begun would be seen before this one.
    await send(url, graphql(NAMES, { n: ['10.5555/later'] }));
    expect([status, directory.calls.resolve.length]).toEqual([503, 1]);
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });

  test.each([
    [500, 'data'],
    [1_500, 'GATEWAY_BUSY'],
  ])('%i items found in a text need bytes for their promises in one event', async (items, outcome) => {
    const { url } = await start({ memorySizes: { ...NO_RESPONSE, heapBytes: 2_000_000 } });
    const t = many(items).join(' ');
    const headers = { accept: 'text/event-stream' };
    const { text } = await send(url, graphql('query($t:String!){findDois(text:$t){start}}', { t }, headers));
    expect(text.includes('GATEWAY_BUSY') ? 'GATEWAY_BUSY' : 'data').toBe(outcome);
  });

  test.each([
    ['as one event', 'findDois(text:$t){doi{exists}}', 'text/event-stream'],
    ['with @defer', '... @defer{findDois(text:$t){doi{exists}}} __typename', 'multipart/mixed'],
    ['with @stream', 'findDois(text:$t) @stream {doi{exists}}', 'multipart/mixed'],
  ])('names that are found in a text reserve bytes in a response %s', async (_, selection, accept) => {
    const { url, app } = await start({ memorySizes: NO_LARGE });
    const request = graphql(`query($t:String!){${selection}}`, { t: many(400).join(' ') }, { accept });
    expect((await send(url, request)).text).toContain('GATEWAY_BUSY');
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });

  test('an operation that outgrows what it has reserved ends with GATEWAY_BUSY at its path', async () => {
    const { url, app } = await start({ memorySizes: NO_RESPONSE });
    const { status, headers, text } = await send(
      url,
      graphql('{a:__typename dois:__schema{types{name fields{name description}}}}'),
    );
    const { data, errors } = JSON.parse(text) as {
      data: null;
      errors: { path: string[]; extensions: object }[];
    };
    expect([status, headers.get('cache-control'), data]).toEqual([503, 'no-store', null]);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.path.slice(0, 2)).toEqual(['dois', 'types']);
    expect(errors[0]?.extensions).toMatchObject({ code: 'GATEWAY_BUSY', retryable: true });
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });
});

/** Sends, and leaves when the gateway has begun to work on it. */
async function leave(url: string, sent: Sent, hasBegun: () => boolean): Promise<void> {
  const { body, ...options } = sent;
  const left: ClientRequest = httpRequest(url + sent.path, options);
  left.on('error', () => undefined);
  left.end(body);
  await expect.poll(hasBegun).toBe(true);
  const closed = new Promise((resolve) => left.once('close', resolve));
  left.destroy();
  await closed;
}

describe('all bytes come back', () => {
  const hangs = createFakeDirectory({
    records: {
      '10.5555/hangs': (_name, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
  });
  const HANGS = '{doi(input:"10.5555/hangs"){record{responseCode}}}';

  test.each<[string, Sent]>([
    ['after a response', graphql(NAMES, { n: many(3) })],
    ['after a large response', graphql(NAMES, { n: many(900) })],
    ['after a compressed response', graphql(NAMES, { n: many(300) }, { 'accept-encoding': 'br' })],
    ['after bad inputs', graphql(NAMES, { n: Array.from({ length: 500 }, () => 'x') })],
    ['after a refusal', graphql('{')],
    ['after a body that is too large', graphql(NAMES, { n: ['x'.repeat(2_000_000)] })],
    ['after a deadline', graphql(HANGS)],
    [
      'after events',
      graphql('{... @defer {doi(input:"10.5555/1"){name}}}', {}, { accept: 'text/event-stream' }),
    ],
    [
      'after parts',
      graphql('{... @defer {doi(input:"10.5555/1"){name}}}', {}, { accept: 'multipart/mixed' }),
    ],
    ['after a redirect', { path: '/10.1000/182' }],
    ['after a record', { path: '/api/handles/10.1000/182' }],
    ['after agencies', { path: `/doiRA/${many(100).join()}` }],
    ['after a page', { path: '/inspector' }],
    [
      'after a tool',
      {
        path: '/mcp',
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'find_dois', arguments: { text: '10.5555/1 10.5555/2' } },
        }),
      },
    ],
  ])('%s', async (_, sent) => {
    const { url, app } = await start({ directory: hangs }, { OPERATION_DEADLINE_MS: '300' });
    const before = app.memoryAccount.reservedBytes;
    await send(url, sent).catch(() => undefined);
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
    expect(before).toBe(0);
  });

  test.each<[string, Sent]>([
    ['an operation', graphql(HANGS)],
    ['one in parts', graphql(`{__typename ... @defer ${HANGS}}`, {}, { accept: 'multipart/mixed' })],
    ['a record', { path: '/api/handles/10.5555/hangs' }],
    ['a redirect', { path: '/10.5555/hangs' }],
  ])('when the client leaves during %s', async (_, sent) => {
    const { url, app } = await start({ directory: hangs });
    const calls = hangs.calls.resolve.length;
    await leave(url, sent, () => hangs.calls.resolve.length > calls);
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });

  test('when the client leaves while its request waits', async () => {
    const { url, app } = await start({ memorySizes: NO_LARGE });
    const held = app.memoryAccount.open();
    held.grow(750_000);
    await leave(url, graphql(NAMES, { n: many(1_000) }), () => app.memoryAccount.isMemoryScarce);
    await expect
      .poll(() => [app.memoryAccount.isMemoryScarce, app.memoryAccount.reservedBytes])
      .toEqual([false, 750_000]);
  });

  test('of a response that is read in-process', async () => {
    const { app } = await start({});
    for (const accept of ['application/json', 'multipart/mixed']) {
      const { path, ...init } = graphql(
        '{... @defer {doi(input:"10.5555/1"){name}} __typename}',
        {},
        { accept },
      );
      await (await app.fetch(new Request(`http://gateway${path}`, init))).text();
    }
    await expect.poll(() => app.memoryAccount.reservedBytes).toBe(0);
  });
});
