// A client with a fresh copy gets a 304 without a body, by its ETag.

import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { graphiqlFilePath } from '../../src/http/pages/graphiql.ts';
import { createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from '../cache/cache-under-test.ts';
import { createFakeDirectory, NOW } from '../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../support/gateway.ts';
import { ttl } from './cache-control-of.ts';
import { get, headerValues, post, type ReceivedResponse, type SentRequest } from './exchange.ts';

const URL_OF_NAME = '/graphql?query={doi(input:"10.1000/1"){url}}';
const RECORD = '/graphql?query={doi(input:"10.1000/1"){record{fetchedAt,freshUntil,values{text}}}}';

async function start() {
  const directory = createFakeDirectory({ records: { '10.1000/1': ttl(600) } });
  const gateway = await startGateway({ directory, clock: () => NOW });
  onTestFinished(gateway.close);
  return {
    gateway,
    fetch: (path: string, headers: SentRequest['headers'] = {}, method = 'GET') =>
      get(gateway, encodeURI(path), { method, headers }),
  };
}

function tagOf(response: ReceivedResponse): string {
  const [tag = expect.unreachable('no ETag')] = headerValues(response, 'etag');
  return tag;
}

describe('a result of GET', () => {
  test('has a weak ETag, and is not sent again to a client with that ETag', async () => {
    const { fetch } = await start();
    const first = await fetch(RECORD);
    expect(tagOf(first)).toMatch(/^W\/"[^"]+"$/);
    const again = await fetch(RECORD, { 'if-none-match': tagOf(first) });
    expect([first.status, again.status, again.text]).toEqual([200, 304, '']);
    for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin']) {
      expect(headerValues(again, name)).toEqual(headerValues(first, name));
      expect(headerValues(again, name)).toHaveLength(1);
    }
    expect(headerValues(again, 'cache-control')).toEqual(['public, max-age=600']);
    for (const name of ['content-type', 'content-length', 'expires', 'last-modified']) {
      expect(headerValues(again, name)).toEqual([]);
    }
  });

  test.each([
    ['a list with its ETag', (tag: string) => `"a", ${tag} , W/"b"`],
    ['its ETag as a strong ETag', (tag: string) => tag.slice(2)],
    ['*', () => '*'],
  ])('matches If-None-Match with %s', async (_, condition) => {
    const { fetch } = await start();
    const tag = tagOf(await fetch(URL_OF_NAME));
    expect((await fetch(URL_OF_NAME, { 'if-none-match': condition(tag) })).status).toBe(304);
  });

  test.each<[string, Record<string, string>]>([
    ['another ETag', { 'if-none-match': 'W/"2-other"' }],
    ['an invalid ETag', { 'if-none-match': 'nonsense' }],
    ['only the time of its copy', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['Cache-Control: no-cache', { 'if-none-match': '*', 'cache-control': 'no-cache' }],
  ])('is sent whole to a client that sends %s', async (_, headers) => {
    const { fetch } = await start();
    const response = await fetch(URL_OF_NAME, headers);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toEqual({ data: { doi: { url: 'https://doi.org/10.1000/1' } } });
    expect(headerValues(response, 'content-length')).toEqual([String(response.bytes.length)]);
  });

  test('has another ETag if the result differs', async () => {
    const { fetch } = await start();
    const tags = ['10.1000/1', '10.1000/2', '10.1000/é'].map(async (name) =>
      tagOf(await fetch(URL_OF_NAME.replace('10.1000/1', name))),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });
});

test('HEAD has the ETag and the 304 of GET', async () => {
  const { fetch } = await start();
  const whole = await fetch(RECORD);
  const head = await fetch(RECORD, {}, 'HEAD');
  const again = await fetch(RECORD, { 'if-none-match': tagOf(whole) }, 'HEAD');
  expect([head.status, head.text, again.status, again.text]).toEqual([200, '', 304, '']);
  for (const name of ['etag', 'cache-control', 'vary']) {
    expect(headerValues(head, name)).toEqual(headerValues(whole, name));
    expect(headerValues(again, name)).toEqual(headerValues(whole, name));
  }
});

describe('a response has no ETag and is no 304', () => {
  test('if the method is POST', async () => {
    const { gateway } = await start();
    const response = await post(gateway, '{"query":"{ __typename }"}', { 'if-none-match': '*' });
    expect([response.status, headerValues(response, 'etag')]).toEqual([200, []]);
    expect(headerValues(response, 'cache-control')).toEqual(['public, max-age=86400']);
  });

  test.each([
    ['an error', '{doi(input:"x"){url}}'],
    ['a look-up past the caches', '{doi(input:"10.1000/1"){record(auth:true){status}}}'],
    ['an invalid query', '{unknown}'],
  ])('if it belongs to %s', async (_, query) => {
    const { fetch } = await start();
    const response = await fetch(`/graphql?query=${query}`, { 'if-none-match': '*' });
    expect([response.status, headerValues(response, 'etag')]).toEqual([200, []]);
    expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
    expect(response.text).not.toBe('');
  });

  test.each(['/graphql', '/healthz', '/nothing/at all', graphiqlFilePath('favicon.svg')])(
    'if it is no result of GraphQL: %s',
    async (path) => {
      const { fetch } = await start();
      const response = await fetch(path, { accept: 'text/html', 'if-none-match': '*' });
      expect([response.status === 304, headerValues(response, 'etag')]).toEqual([false, []]);
    },
  );
});

/** The ETags of one query, before and after each step. */
async function tagsAfter(parts: AppParts, query: string, steps: readonly (() => unknown)[]) {
  const { app, close } = await createTestGateway(parts);
  onTestFinished(close);
  const fetchTag = async () =>
    (await app.fetch(new Request(`http://gateway.test${encodeURI(query)}`))).headers.get('etag');
  const tags = [await fetchTag()];
  for (const step of steps) {
    await step();
    tags.push(await fetchTag());
  }
  return tags;
}

describe('the ETag of a record', () => {
  test('stays the same while the cache keeps the record', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const later = () => cache.clock.advance(10 * MINUTE);
    const parts = { directory: cache.directory, clock: cache.clock.now };
    const [first, ...others] = await tagsAfter(parts, RECORD, [
      later,
      later,
      () => cache.clock.advance(33 * MINUTE),
    ]);
    expect(first).toMatch(/^W\//);
    expect(others).toEqual([first, first, first]);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('differs after the record is fetched again, and is missing while the record is stale', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const expire = async () => {
      cache.says(DOWN);
      await cache.clock.advance(HOUR + MINUTE);
    };
    const fetchAgain = async () => {
      cache.says(livingFor(3_600));
      await cache.directory.resolve('10.1000/1' as never, { auth: true });
    };
    const parts = { directory: cache.directory, clock: cache.clock.now };
    const [first, stale, renewed] = await tagsAfter(parts, RECORD, [expire, fetchAgain]);
    expect([first, renewed]).toEqual([expect.stringMatching(/^W\//), expect.stringMatching(/^W\//)]);
    expect(stale).toBeNull();
    expect(renewed).not.toBe(first);
  });

  // The embedded directory sets a new `fetchedAt` each minute.
  test.each([
    ['values{text}', true],
    ['fetchedAt', false],
  ])(
    'in the embedded directory, with the field %s, stays the same after a minute: %s',
    async (field, stays) => {
      let now = NOW;
      const clock = () => now;
      const data = (file: string) => fileURLToPath(new URL(`../../data/${file}`, import.meta.url));
      const directory = await createEmbeddedDirectory({
        recordsFile: data('sample-directory.jsonl'),
        agenciesFile: data('prefix-agencies.json'),
        clock,
      });
      const query = `/graphql?query={doi(input:"10.5240/B1FA-0EEC-C316-3316-3A73-L"){record{${field}}}}`;
      const minuteLater = () => {
        now += MINUTE;
      };
      const [first, second] = await tagsAfter({ directory, clock }, query, [minuteLater]);
      expect(first).toMatch(/^W\//);
      expect(second === first).toBe(stays);
    },
  );
});
