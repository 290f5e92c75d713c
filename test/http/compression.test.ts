// Answers of some size are compressed for clients that take it, on all faces; parts of an answer never are.

import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askForParts } from '../graphql/incremental/parts.ts';
import { createFakeDirectory, NOW, urlValue } from '../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../support/gateway.ts';
import { createHeldDirectory } from '../support/held-directory.ts';

interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** As `exchange`, but the body as bytes. */
function receive(
  { url }: ListeningGateway,
  {
    method = 'GET',
    path = '/',
    headers = {},
    body = '',
  }: { method?: string; path?: string; headers?: Record<string, string>; body?: string },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) });
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const VALUES = Array.from({ length: 60 }, (_, index) =>
  urlValue(`https://example.org/${index}`, { index: index + 1 }),
);

async function start(env: Readonly<Record<string, string>> = {}) {
  const directory = createFakeDirectory({ records: { '10.5555/large': VALUES } });
  const gateway = await startGateway({ directory, clock: () => NOW }, env);
  onTestFinished(gateway.close);
  return gateway;
}

const LARGE_QUERY = `{ dois(inputs: ${JSON.stringify(Array.from({ length: 60 }, (_, i) => `10.5555/${i}`))}) { uri url html } }`;
const get = (query: string) => `/graphql?${new URLSearchParams({ query })}`;
const POST = { method: 'POST', path: '/graphql', body: JSON.stringify({ query: LARGE_QUERY }) };
const JSON_BODY = { 'content-type': 'application/json' };

const FACES = [
  ['an answer to GET', { path: get(LARGE_QUERY) }],
  ['an answer to POST', { ...POST, headers: JSON_BODY }],
  ['a record as JSON', { path: '/api/handles/10.5555/large' }],
  ['a page', { path: '/', headers: { accept: 'text/html' } }],
  ['a page of values', { path: '/10.5555/large?noredirect', headers: { accept: 'text/html' } }],
] as const;

const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe.each(FACES)('%s', (_, question) => {
  const asking = (accepted?: string) => ({
    ...question,
    headers: {
      ...('headers' in question ? question.headers : {}),
      ...(accepted && { 'accept-encoding': accepted }),
    },
  });

  test.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
  ] as const)('is compressed for "%s"', async (accepted, coding) => {
    const gateway = await start();
    const plain = await receive(gateway, asking());
    const answer = await receive(gateway, asking(accepted));
    expect(plain.status).toBe(200);
    expect(plain.bytes.byteLength).toBeGreaterThan(4_096);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-encoding']).toBe(coding);
    expect(answer.headers['content-length']).toBe(String(answer.bytes.byteLength));
    expect(answer.bytes.byteLength).toBeLessThan(plain.bytes.byteLength / 2);
    expect(DECODERS[coding](answer.bytes).equals(plain.bytes)).toBe(true);
    for (const { headers } of [plain, answer]) expect(headers['vary']).toMatch(/(?:^|, )Accept-Encoding$/);
  });

  test.each(['identity', 'deflate', 'br;q=0', '*;q=0, identity'])(
    'is sent as it is for "%s"',
    async (accepted) => {
      const { headers, bytes } = await receive(await start(), asking(accepted));
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-length']).toBe(String(bytes.byteLength));
    },
  );
});

test('what fits a packet or two is not compressed, and does not vary by it', async () => {
  const { headers } = await receive(await start(), {
    path: get('{ __typename }'),
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['vary']).toBe('Accept');
});

describe.each(FACES.filter(([what]) => what !== 'an answer to POST'))(
  'a copy of %s',
  (_, { path, ...rest }) => {
    test.each(['gzip', 'br', 'identity'])(
      'in %s is good as long as the answer is the same',
      async (coding) => {
        const gateway = await start();
        const asked = { ...('headers' in rest ? rest.headers : {}), 'accept-encoding': coding };
        const { headers } = await receive(gateway, { path, headers: asked });
        if (headers['etag'] === undefined) return;
        const again = await receive(gateway, {
          path,
          headers: { ...asked, 'if-none-match': String(headers['etag']) },
        });
        expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
        expect(again.headers['etag']).toBe(headers['etag']);
        expect(again.headers['content-encoding']).toBeUndefined();
        // A strong tag would say that two codings are the same bytes.
        expect(headers['etag']).toMatch(/^W\//);
      },
    );

    test('varies in a 304 by what its answer varies by', async () => {
      const gateway = await start();
      const asked = { ...('headers' in rest ? rest.headers : {}), 'accept-encoding': 'gzip' };
      const { headers } = await receive(gateway, { path, headers: asked });
      if (headers['etag'] === undefined) return;
      const again = await receive(gateway, {
        path,
        headers: { ...asked, 'if-none-match': String(headers['etag']) },
      });
      expect(again.headers['vary']).toBe(headers['vary']);
    });

    test('is told of by HEAD, without a body', async () => {
      const gateway = await start();
      const asked = 'headers' in rest ? rest.headers : {};
      const { headers, status } = await receive(gateway, { path, headers: asked });
      for (const coding of ['gzip', 'identity']) {
        const head = await receive(gateway, {
          method: 'HEAD',
          path,
          headers: { ...asked, 'accept-encoding': coding },
        });
        expect([head.status, head.bytes.byteLength]).toEqual([status, 0]);
        for (const name of ['vary', 'etag', 'cache-control', 'content-type'])
          expect(head.headers[name]).toBe(headers[name]);
      }
    });
  },
);

test('parts are not compressed, and each comes when it is there', async () => {
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory });
  onTestFinished(gateway.close);
  const inputs = Array.from({ length: 40 }, (_, index) => `10.5555/${index}`);
  const query =
    'query ($inputs: [String!]!) { dois(inputs: $inputs) { uri url html markdown ... @defer { exists } } }';
  const accept = 'multipart/mixed';
  const asked = await askForParts(gateway, query, {
    variables: { inputs },
    accept,
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(asked.headers['content-encoding']).toBeUndefined();
  const first = await asked.next();
  expect(first?.hasNext).toBe(true);
  expect(JSON.stringify(first).length).toBeGreaterThan(4_096);
  for (const name of ['10.5555/3', '10.5555/1']) {
    directory.answer(name);
    const part = await asked.next();
    expect(part?.incremental).toMatchObject([
      { path: ['dois', Number(name.at(-1))], data: { exists: false } },
    ]);
  }
  asked.leave();
});
