// Every face reserves memory before it starts a request, and frees all of this memory when the request ends.

import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import type { Environment } from '../../src/config.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { startGateway } from '../support/gateway.ts';
import { testTable } from '../support/test-table.ts';

/** With these sizes, no request fits. */
const FULL = { heapBytes: 4, bodyBytes: 4, responseBytes: 4 };
/** With these sizes, only small requests fit. */
const NO_LARGE = { heapBytes: 1_000_000, bodyBytes: 100, responseBytes: 100_000_000 };
const NO_RESPONSE = { heapBytes: 400_000_000, bodyBytes: 10_000_000, responseBytes: 10_000 };

async function start(parts: AppParts, env: Environment = {}) {
  const gateway = await startGateway({ directory: createFakeDirectory(), ...parts }, env);
  onTestFinished(() => gateway.close());
  const account = gateway.app.memoryAccount;
  const isFree = () => expect.poll(() => account.reservedBytes).toBe(0);
  return { ...gateway, account, isFree };
}

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function graphql(query: string, variables: object = {}, headers: Sent['headers'] = {}): Sent {
  return {
    path: '/graphql',
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  };
}

async function send(url: string, { path, ...init }: Sent) {
  const response = await fetch(url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const RECORDS = 'query($n:[String!]!){dois(inputs:$n){name url record{responseCode}}}';
const names = (count: number) => Array.from({ length: count }, (_, at) => `10.5555/name-${at}`);
const recordsOf = (count: number, headers: Sent['headers'] = {}) =>
  graphql(RECORDS, { n: names(count) }, headers);

describe('without free memory', () => {
  testTable<Sent>([
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
  ])('a request waits, and is then refused with Retry-After', async (sent) => {
    const { url } = await start({ memorySizes: FULL }, { OPERATION_DEADLINE_MS: '20' });
    const { status, headers, text } = await send(url, sent);
    // A request with a body is refused before its body is read.
    expect([status, headers.get('retry-after')]).toEqual([503, sent.body ? '1' : '10']);
    expect(text).toContain(sent.body ? 'too little memory' : 'no free memory');
  });

  test('the gateway still responds to probes and preflights', async () => {
    const { url } = await start({ memorySizes: FULL });
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await send(url, { path })).status).toBe(200);
    expect((await send(url, { path: '/graphql', method: 'OPTIONS' })).status).toBe(204);
  });
});

describe('with little free memory', () => {
  test('small requests run while a large request waits, and the large request starts when memory is free', async () => {
    const { url, account, isFree } = await start({ memorySizes: NO_LARGE });
    const held = account.open();
    held.grow(750_000);
    let hasEnded = false;
    const large = send(url, recordsOf(100)).finally(() => {
      hasEnded = true;
    });
    await expect.poll(() => account.isMemoryScarce).toBe(true);
    const small = await send(url, recordsOf(1));
    expect([small.status, hasEnded]).toEqual([200, false]);
    held.close();
    const { data } = JSON.parse((await large).text) as { data: { dois: unknown[] } };
    expect(data.dois).toHaveLength(100);
    await isFree();
  });

  test('a large body is not read while it waits, and the wait does not count as slow sending', async () => {
    const { url, account, isFree } = await start({
      memorySizes: { ...NO_LARGE, heapBytes: 100_000_000 },
    });
    const held = account.open();
    void held.admitBody(100, {
      requester: { client: { key: 'test' } },
      signal: new AbortController().signal,
    });
    const sent = send(url, recordsOf(1_000));
    await expect.poll(() => account.isMemoryScarce).toBe(true);
    held.close();
    expect((await sent).status).toBe(200);
    await isFree();
  });

  test('an operation that fails as a whole starts no further look-ups', async () => {
    const directory = createFakeDirectory();
    const { url, account, isFree } = await start({ directory, memorySizes: NO_LARGE });
    const held = account.open();
    held.grow(700_000);
    const query = 'query($t:String!){findDois(text:$t){doi{exists}}}';
    const { status } = await send(url, graphql(query, { t: names(400).join(' ') }));
    held.close();
    // A look-up of the failed operation would be in the log before this look-up.
    await send(url, recordsOf(1));
    expect([status, directory.calls.resolve.length]).toEqual([503, 1]);
    await isFree();
  });

  test.each([
    [500, 'data'],
    [1_500, 'GATEWAY_BUSY'],
  ])(
    'the promises for %i items of an event stream need memory, so the result is %s',
    async (items, outcome) => {
      const { url } = await start({ memorySizes: { ...NO_RESPONSE, heapBytes: 2_000_000 } });
      const query = 'query($t:String!){findDois(text:$t){start}}';
      const accept = 'text/event-stream';
      const { text } = await send(url, graphql(query, { t: names(items).join(' ') }, { accept }));
      expect(text.includes('GATEWAY_BUSY') ? 'GATEWAY_BUSY' : 'data').toBe(outcome);
    },
  );

  test.each([
    ['as one event', 'findDois(text:$t){doi{exists}}', 'text/event-stream'],
    ['with @defer', '... @defer{findDois(text:$t){doi{exists}}} __typename', 'multipart/mixed'],
    ['with @stream', 'findDois(text:$t) @stream {doi{exists}}', 'multipart/mixed'],
  ])('a response %s reserves memory for the names that it finds in a text', async (_, selection, accept) => {
    const { url, isFree } = await start({ memorySizes: NO_LARGE });
    const query = `query($t:String!){${selection}}`;
    const { text } = await send(url, graphql(query, { t: names(400).join(' ') }, { accept }));
    expect(text).toContain('GATEWAY_BUSY');
    await isFree();
  });

  test('an operation that needs more memory than it reserved fails with GATEWAY_BUSY and a path', async () => {
    const { url, isFree } = await start({ memorySizes: NO_RESPONSE });
    const query = '{a:__typename dois:__schema{types{name fields{name description}}}}';
    const { status, headers, text } = await send(url, graphql(query));
    const { data, errors } = JSON.parse(text) as {
      data: null;
      errors: { path: string[]; extensions: object }[];
    };
    expect([status, headers.get('cache-control'), data]).toEqual([503, 'no-store', null]);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.path.slice(0, 2)).toEqual(['dois', 'types']);
    expect(errors[0]?.extensions).toMatchObject({ code: 'GATEWAY_BUSY', retryable: true });
    await isFree();
  });
});

/** Sends a request, and aborts it after the gateway has begun to work on it. */
async function sendAndAbort(url: string, sent: Sent, hasBegun: () => boolean): Promise<void> {
  const { body, ...options } = sent;
  const client = request(url + sent.path, options);
  client.on('error', () => undefined);
  client.end(body);
  await expect.poll(hasBegun).toBe(true);
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.destroy();
  await closed;
}

describe('all memory is free', () => {
  const directory = createFakeDirectory({
    records: {
      '10.5555/hangs': (_name, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
  });
  const HANGS = '{doi(input:"10.5555/hangs"){record{responseCode}}}';
  const PARTS = { accept: 'multipart/mixed' };
  const DEFERRED = '{... @defer {doi(input:"10.5555/1"){name}} __typename}';

  testTable<[string, Sent]>([
    ['a response', recordsOf(3)],
    ['a large response', recordsOf(900)],
    ['a compressed response', recordsOf(300, { 'accept-encoding': 'br' })],
    ['invalid inputs', graphql(RECORDS, { n: Array(500).fill('x') })],
    ['a refusal', graphql('{')],
    ['a body that is too large', graphql(RECORDS, { n: ['x'.repeat(2_000_000)] })],
    ['a deadline', graphql(HANGS)],
    ['events', graphql(DEFERRED, {}, { accept: 'text/event-stream' })],
    ['parts', graphql(DEFERRED, {}, PARTS)],
    ['a redirect', { path: '/10.1000/182' }],
    ['a record', { path: '/api/handles/10.1000/182' }],
    ['agencies', { path: `/doiRA/${names(100).join()}` }],
    ['a page', { path: '/inspector' }],
    [
      'a tool call',
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
  ])('after %s', async (_, sent) => {
    const { url, isFree } = await start({ directory }, { OPERATION_DEADLINE_MS: '300' });
    await send(url, sent).catch(() => undefined);
    await isFree();
  });

  testTable<[string, Sent]>([
    ['an operation', graphql(HANGS)],
    ['an operation in parts', graphql(`{__typename ... @defer ${HANGS}}`, {}, PARTS)],
    ['a record', { path: '/api/handles/10.5555/hangs' }],
    ['a redirect', { path: '/10.5555/hangs' }],
  ])('after the client aborts %s', async (_, sent) => {
    const { url, isFree } = await start({ directory });
    const callsBefore = directory.calls.resolve.length;
    await sendAndAbort(url, sent, () => directory.calls.resolve.length > callsBefore);
    await isFree();
  });

  test('after the client aborts a request that waits for memory', async () => {
    const { url, account } = await start({ memorySizes: NO_LARGE });
    account.open().grow(750_000);
    await sendAndAbort(url, recordsOf(1_000), () => account.isMemoryScarce);
    await expect.poll(() => [account.isMemoryScarce, account.reservedBytes]).toEqual([false, 750_000]);
  });

  test('after a response is read in-process', async () => {
    const { app, isFree } = await start({});
    for (const accept of ['application/json', 'multipart/mixed']) {
      const { path, ...init } = graphql(DEFERRED, {}, { accept });
      await (await app.fetch(new Request(`http://gateway${path}`, init))).text();
    }
    await isFree();
  });
});
