// Metadata behind the cache.

import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { createMetadataCodec } from '../../src/cache/codec.ts';
import { GatewayError } from '../../src/errors.ts';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { CSL, type MetadataFormat } from '../../src/works/metadata-format.ts';
import { type CacheUnderTest, createCacheUnderTest, DAY, DOWN, HOUR } from './cache-under-test.ts';

const NAME = '10.1000/Abc' as HandleName;
const LOWER = '10.1000/abc' as HandleName;
const APA: MetadataFormat = { kind: 'citation', style: 'apa', locale: 'en-US' };
const MLA: MetadataFormat = { kind: 'citation', style: 'modern-language-association', locale: 'en-US' };

function ask({ directory }: CacheUnderTest, format: MetadataFormat, name = NAME) {
  return directory.describe?.(name, format) ?? Promise.reject(new Error('metadata is off'));
}

describe('cached metadata', () => {
  test('is asked for once, in whatever case the name comes', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const first = await ask(cache, CSL);
    const second = await ask(cache, CSL, LOWER);
    expect(first).toMatchObject({ content: { title: 'T' }, source: 'Crossref', stale: false });
    expect(second).toEqual(first);
    expect(cache.calls.describe).toEqual(['csl 10.1000/Abc']);
  });

  test('is asked for once by many who ask at a time', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    await Promise.all([ask(cache, CSL), ask(cache, CSL, LOWER), ask(cache, CSL)]);
    expect(cache.calls.describe).toHaveLength(1);
  });

  test('comes from a cache alone where no request may be sent', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const askCache = () =>
      cache.directory.describe?.(NAME, CSL, { noRequest: new GatewayError('UPSTREAM_UNAVAILABLE') });
    await expect(askCache()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(cache.calls.describe).toEqual([]);
    await ask(cache, CSL);
    await cache.clock.advance(3 * DAY);
    expect(await askCache()).toMatchObject({ content: { title: 'T' }, stale: true });
    expect(cache.calls.describe).toEqual(['csl 10.1000/Abc']);
  });

  test('is another in each format, style and locale', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: async (_, { kind }) => kind } });
    for (const format of [APA, MLA, { ...APA, locale: 'de-DE' }, CSL, APA] as const) await ask(cache, format);
    expect(cache.calls.describe).toEqual([
      'citation apa en-US 10.1000/Abc',
      'citation modern-language-association en-US 10.1000/Abc',
      'citation apa de-DE 10.1000/Abc',
      'csl 10.1000/Abc',
    ]);
  });

  test('is peeked at as long as memory holds it', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    expect(cache.directory.memory?.metadata?.(NAME, CSL)).toBeUndefined();
    await ask(cache, CSL);
    const held = cache.directory.memory?.metadata?.(LOWER, CSL);
    expect(held?.answer.content).toEqual({ title: 'T' });
    expect(Object.isFrozen(held?.answer.content)).toBe(true);
    expect(cache.directory.memory?.metadata?.(LOWER, CSL)).toBe(held);
  });

  test('lives a day, and what is not there an hour', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const other = '10.1000/other' as HandleName;
    await ask(cache, CSL);
    await ask(cache, CSL, other);
    await cache.clock.advance(HOUR);
    expect(cache.directory.memory?.metadata?.(NAME, CSL)?.isCurrent()).toBe(true);
    expect(cache.directory.memory?.metadata?.(other, CSL)?.isCurrent()).toBe(false);
    await cache.clock.advance(DAY - HOUR);
    expect(cache.directory.memory?.metadata?.(NAME, CSL)?.answer.stale).toBe(true);
  });

  test('is served stale while the agency fails', async () => {
    let fails = false;
    const cache = createCacheUnderTest({
      metadata: {
        [LOWER]: async () => {
          if (fails) throw DOWN;
          return { title: 'T' };
        },
      },
    });
    await ask(cache, CSL);
    fails = true;
    await cache.clock.advance(2 * DAY);
    expect(await ask(cache, CSL)).toMatchObject({ content: { title: 'T' }, stale: true });
  });

  test('fails where there is nothing old, and is asked for again', async () => {
    let fails = true;
    const cache = createCacheUnderTest({
      metadata: {
        [LOWER]: async () => {
          if (fails) throw DOWN;
          return { title: 'T' };
        },
      },
    });
    await expect(ask(cache, CSL)).rejects.toBe(DOWN);
    fails = false;
    expect((await ask(cache, CSL)).content).toEqual({ title: 'T' });
  });

  test("is paid for out of the client's budget", async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const limited = new GatewayError('RATE_LIMITED');
    const budget = { take: () => Promise.reject(limited) };
    const requester = { requestId: 'r', client: { key: 'c', budget } };
    await expect(cache.directory.describe?.(NAME, CSL, { requester })).rejects.toBe(limited);
    expect(cache.calls.describe).toEqual([]);
    await ask(cache, CSL);
    expect((await cache.directory.describe?.(NAME, CSL, { requester }))?.content).toEqual({ title: 'T' });
  });

  test('is off where the directory has none', () => {
    expect(createCacheUnderTest().directory.describe).toBeUndefined();
  });
});

describe('the text of cached metadata', () => {
  const times = { fetchedAt: 1_000, freshUntil: 1_000 + DAY };

  test.each([
    ['CSL', true, { title: 'é', author: [{ family: 'A' }] }],
    ['a citation', false, 'A (2020).'],
    ['nothing', true, null],
  ])('gives %s again', (_, isCsl, content) => {
    const codec = createMetadataCodec(isCsl);
    const answer = { content, source: 'Crossref', ...times, stale: false };
    expect(codec.decode(codec.encode(answer), NAME)).toEqual(answer);
    expect(codec.decodeOwn(codec.encode(answer), NAME)).toEqual(answer);
  });

  test.each([
    'no JSON',
    '{}',
    '[]',
    '["1",2,"Crossref",{}]',
    '[1,2,3,{}]',
    '[1,2,"Crossref",[]]',
    '[1,2,"Crossref","text"]',
    '[1,2,"Crossref"]',
  ])('is refused where somebody else wrote %s', (text) => {
    expect(() => createMetadataCodec(true).decode(text, NAME)).toThrow(MalformedRecordError);
  });

  test('lives a day at the most, whatever somebody wrote', () => {
    const { freshUntil } = createMetadataCodec(true).decode('[1000,9000000000000,"",{}]', NAME);
    expect(freshUntil).toBe(1_000 + DAY);
  });
});
