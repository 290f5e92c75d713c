// ETag and 304: a client whose copy is still good gets no body.

import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/app.ts';
import { createEmbeddedDirectory } from '../../src/directory/embedded.ts';
import { graphiqlFilePath } from '../../src/http/pages/graphiql.ts';
import type { Clock } from '../../src/time.ts';
import { createCacheUnderTest, DOWN, HOUR, livingFor, MINUTE } from '../cache/cache-under-test.ts';
import { createFakeDirectory, NOW } from '../support/fake-directory.ts';
import { createTestGateway, startGateway } from '../support/gateway.ts';
import { ttl } from './cache-control-of.ts';
import { get, headerValues, post, type ReceivedResponse } from './exchange.ts';

const OF_A_NAME = '/graphql?query={doi(input:"10.1000/1"){url}}';
const OF_A_RECORD = '/graphql?query={doi(input:"10.1000/1"){record{fetchedAt,freshUntil,values{text}}}}';

async function listening(parts: Partial<AppParts> = {}) {
  const directory = createFakeDirectory({ records: { '10.1000/1': ttl(600) } });
  const gateway = await startGateway({ directory, clock: () => NOW, ...parts });
  onTestFinished(gateway.close);
  return gateway;
}

function tagOf(answer: ReceivedResponse): string {
  const [tag = expect.unreachable('no ETag')] = headerValues(answer, 'etag');
  return tag;
}

describe('a result of GET', () => {
  test('has a weak ETag', async () => {
    const gateway = await listening();
    expect(tagOf(await get(gateway, encodeURI(OF_A_NAME)))).toMatch(/^W\/"[^"]+"$/);
  });

  test('is not sent again to a client that has it', async () => {
    const gateway = await listening();
    const first = await get(gateway, encodeURI(OF_A_RECORD));
    const again = await get(gateway, encodeURI(OF_A_RECORD), { headers: { 'if-none-match': tagOf(first) } });
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
    ['one of several', (tag: string) => `"a", ${tag} , W/"b"`],
    ['the same as a strong one', (tag: string) => tag.slice(2)],
    ['any at all', () => '*'],
  ])('is known by %s', async (_, condition) => {
    const gateway = await listening();
    const tag = tagOf(await get(gateway, encodeURI(OF_A_NAME)));
    const headers = { 'if-none-match': condition(tag) };
    expect((await get(gateway, encodeURI(OF_A_NAME), { headers })).status).toBe(304);
  });

  test.each<[string, Record<string, string>]>([
    ['another copy', { 'if-none-match': 'W/"2-other"' }],
    ['a copy that is no ETag', { 'if-none-match': 'nonsense' }],
    ['a copy of some time', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['no copy', {}],
  ])('is sent whole to a client with %s', async (_, headers) => {
    const answer = await get(await listening(), encodeURI(OF_A_NAME), { headers });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ data: { doi: { url: 'https://doi.org/10.1000/1' } } });
    expect(headerValues(answer, 'content-length')).toEqual([String(Buffer.byteLength(answer.text))]);
  });

  test('is sent whole to a client that reloads past all caches', async () => {
    const gateway = await listening();
    const tag = tagOf(await get(gateway, encodeURI(OF_A_NAME)));
    const headers = { 'if-none-match': tag, 'cache-control': 'no-cache' };
    expect((await get(gateway, encodeURI(OF_A_NAME), { headers })).status).toBe(200);
  });

  test('has another ETag when it is another', async () => {
    const gateway = await listening();
    const tags = ['10.1000/1', '10.1000/2', '10.1000/é'].map(async (name) =>
      tagOf(await get(gateway, encodeURI(OF_A_NAME.replace('10.1000/1', name)))),
    );
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });
});

test('HEAD says what GET says', async () => {
  const gateway = await listening();
  const whole = await get(gateway, encodeURI(OF_A_RECORD));
  const head = await get(gateway, encodeURI(OF_A_RECORD), { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
  const headers = { 'if-none-match': tagOf(head) };
  const again = await get(gateway, encodeURI(OF_A_RECORD), { method: 'HEAD', headers });
  expect([again.status, again.text]).toEqual([304, '']);
  for (const name of ['etag', 'cache-control', 'vary']) {
    expect(headerValues(head, name)).toEqual(headerValues(whole, name));
    expect(headerValues(again, name)).toEqual(headerValues(whole, name));
  }
});

describe('there is no ETag, and no 304 whatever the client has,', () => {
  test('for POST', async () => {
    const answer = await post(await listening(), '{"query":"{ __typename }"}', { 'if-none-match': '*' });
    expect([answer.status, headerValues(answer, 'etag')]).toEqual([200, []]);
    expect(headerValues(answer, 'cache-control')).toEqual(['public, max-age=86400']);
  });

  test.each([
    ['an error', '{doi(input:"x"){url}}'],
    ['what was asked past the caches', '{doi(input:"10.1000/1"){record(auth:true){status}}}'],
    ['a query that does not fit', '{unknown}'],
  ])('for %s', async (_, query) => {
    const gateway = await listening();
    const headers = { 'if-none-match': '*' };
    const answer = await get(gateway, `/graphql?query=${encodeURIComponent(query)}`, { headers });
    expect([headerValues(answer, 'etag'), headerValues(answer, 'cache-control')]).toEqual([[], ['no-store']]);
    expect([200, 400]).toContain(answer.status);
    expect(answer.text).not.toBe('');
  });

  test.each(['/graphql', '/healthz', '/nothing/at all', graphiqlFilePath('favicon.svg')])(
    'for %s, which is no result',
    async (path) => {
      const headers = { accept: 'text/html', 'if-none-match': '*' };
      const answer = await get(await listening(), encodeURI(path), { headers });
      expect([answer.status === 304, headerValues(answer, 'etag')]).toEqual([false, []]);
    },
  );
});

/** Answers in-process, one after the other, at the times that `between` makes pass. */
async function tagsOf(
  parts: AppParts,
  query: string,
  between: readonly (() => unknown)[],
): Promise<(string | null)[]> {
  const { app, close } = await createTestGateway(parts);
  onTestFinished(close);
  const ask = async () => {
    const url = `http://gateway.test${encodeURI(query)}`;
    return (await app.fetch(new Request(url))).headers.get('etag');
  };
  const tags = [await ask()];
  for (const pass of between) {
    await pass();
    tags.push(await ask());
  }
  return tags;
}

describe('the ETag of a record', () => {
  test('stays for as long as the cache holds it, with the times that it tells', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const later = () => cache.clock.advance(10 * MINUTE);
    const [first, ...others] = await tagsOf(
      { directory: cache.directory, clock: cache.clock.now },
      OF_A_RECORD,
      [later, later, later, () => cache.clock.advance(23 * MINUTE)],
    );
    expect(first).toMatch(/^W\//);
    expect(others).toEqual([first, first, first, first]);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('is another when the record was fetched anew, and gone while it is stale', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const [first, stale, renewed] = await tagsOf(
      { directory: cache.directory, clock: cache.clock.now },
      OF_A_RECORD,
      [
        async () => {
          cache.says(DOWN);
          await cache.clock.advance(HOUR + MINUTE);
        },
        async () => {
          cache.says(livingFor(3_600));
          await cache.directory.resolve('10.1000/1' as never, { auth: true });
        },
      ],
    );
    expect([first, renewed]).toEqual([expect.stringMatching(/^W\//), expect.stringMatching(/^W\//)]);
    expect(stale).toBeNull();
    expect(renewed).not.toBe(first);
  });
});

describe('the embedded directory answers anew once a minute', () => {
  async function embedded(clock: Clock['now']) {
    const data = (file: string) => fileURLToPath(new URL(`../../data/${file}`, import.meta.url));
    return createEmbeddedDirectory({
      recordsFile: data('sample-directory.jsonl'),
      agenciesFile: data('prefix-agencies.json'),
      clock,
    });
  }

  test.each([
    [
      'stays where the response does not say when',
      '10.5240/B1FA-0EEC-C316-3316-3A73-L',
      'values{text}',
      true,
    ],
    ['is another where the response does', '10.5240/B1FA-0EEC-C316-3316-3A73-L', 'fetchedAt', false],
  ])('so that an ETag %s', async (_, name, field, stays) => {
    let now = NOW;
    const clock = () => now;
    const query = `/graphql?query={doi(input:"${name}"){record{${field}}}}`;
    const [first, second] = await tagsOf({ directory: await embedded(clock), clock }, query, [
      () => {
        now += 60_000;
      },
    ]);
    expect(first).toMatch(/^W\//);
    expect(second === first).toBe(stays);
  });
});
