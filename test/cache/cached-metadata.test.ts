import type { HandleName } from 'doi-names';
import { describe, expect, test } from 'vitest';
import { createMetadataCodec } from '../../src/cache/codec.ts';
import { GatewayError } from '../../src/errors.ts';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { CSL, type MetadataFormat } from '../../src/works/metadata-format.ts';
import { type CacheUnderTest, createCacheUnderTest, DAY, HOUR } from './cache-under-test.ts';

const NAME = '10.1000/Abc' as HandleName;
const LOWER = '10.1000/abc' as HandleName;
const APA: MetadataFormat = { kind: 'citation', style: 'apa', locale: 'en-US' };
const MLA: MetadataFormat = { kind: 'citation', style: 'modern-language-association', locale: 'en-US' };

function lookUp({ directory }: CacheUnderTest, format: MetadataFormat, name = NAME) {
  return directory.describe?.(name, format) ?? Promise.reject(new Error('metadata is off'));
}

describe('cached metadata', () => {
  test('is looked up once for all letter cases of the name', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const first = await lookUp(cache, CSL);
    const second = await lookUp(cache, CSL, LOWER);
    expect(first).toMatchObject({ content: { title: 'T' }, source: 'Crossref', stale: false });
    expect(second).toEqual(first);
    expect(cache.calls.describe).toEqual(['csl 10.1000/Abc']);
  });

  test('comes only from the cache if `noRequest` is set', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const lookUpInCache = () =>
      cache.directory.describe?.(NAME, CSL, { noRequest: new GatewayError('UPSTREAM_UNAVAILABLE') });
    await expect(lookUpInCache()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(cache.calls.describe).toEqual([]);
    await lookUp(cache, CSL);
    await cache.clock.advance(3 * DAY);
    expect(await lookUpInCache()).toMatchObject({ content: { title: 'T' }, stale: true });
    expect(cache.calls.describe).toEqual(['csl 10.1000/Abc']);
  });

  test('is stored separately for each format, style and locale', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: async (_, { kind }) => kind } });
    for (const format of [APA, MLA, { ...APA, locale: 'de-DE' }, CSL, APA] as const)
      await lookUp(cache, format);
    expect(cache.calls.describe).toEqual([
      'citation apa en-US 10.1000/Abc',
      'citation modern-language-association en-US 10.1000/Abc',
      'citation apa de-DE 10.1000/Abc',
      'csl 10.1000/Abc',
    ]);
  });

  test('is returned synchronously by a peek, as one frozen object', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    expect(cache.directory.memory?.metadata?.(NAME, CSL)).toBeUndefined();
    await lookUp(cache, CSL);
    const kept = cache.directory.memory?.metadata?.(LOWER, CSL);
    expect(kept?.answer.content).toEqual({ title: 'T' });
    expect(Object.isFrozen(kept?.answer.content)).toBe(true);
    expect(cache.directory.memory?.metadata?.(LOWER, CSL)).toBe(kept);
  });

  test('is fresh for a day, and an absent work for an hour', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const other = '10.1000/other' as HandleName;
    await lookUp(cache, CSL);
    await lookUp(cache, CSL, other);
    await cache.clock.advance(HOUR);
    expect(cache.directory.memory?.metadata?.(NAME, CSL)?.isCurrent()).toBe(true);
    expect(cache.directory.memory?.metadata?.(other, CSL)?.isCurrent()).toBe(false);
    await cache.clock.advance(DAY - HOUR);
    expect(cache.directory.memory?.metadata?.(NAME, CSL)?.answer.stale).toBe(true);
  });

  test('uses the budget of the client only if it is not cached', async () => {
    const cache = createCacheUnderTest({ metadata: { [LOWER]: { title: 'T' } } });
    const limited = new GatewayError('RATE_LIMITED');
    const budget = { take: () => Promise.reject(limited) };
    const requester = { requestId: 'r', client: { key: 'c', budget } };
    await expect(cache.directory.describe?.(NAME, CSL, { requester })).rejects.toBe(limited);
    expect(cache.calls.describe).toEqual([]);
    await lookUp(cache, CSL);
    expect((await cache.directory.describe?.(NAME, CSL, { requester }))?.content).toEqual({ title: 'T' });
  });

  test('is off if the directory has no metadata', () => {
    expect(createCacheUnderTest().directory.describe).toBeUndefined();
  });
});

describe('the codec of metadata', () => {
  const times = { fetchedAt: 1_000, freshUntil: 1_000 + DAY };

  test.each([
    ['CSL', true, { title: 'é', author: [{ family: 'A' }] }],
    ['a citation', false, 'A (2020).'],
    ['an absent work', true, null],
  ])('decodes what it encoded: %s', (_, isCsl, content) => {
    const codec = createMetadataCodec(isCsl);
    const answer = { content, source: 'Crossref', ...times, stale: false };
    expect(codec.decode(codec.encode(answer), NAME)).toEqual(answer);
    expect(codec.decodeOwn(codec.encode(answer), NAME)).toEqual(answer);
  });

  test.each([
    'not JSON',
    '{}',
    '[]',
    '["1",2,"Crossref",{}]',
    '[1,2,3,{}]',
    '[1,2,"Crossref",[]]',
    '[1,2,"Crossref","text"]',
    '[1,2,"Crossref"]',
  ])('refuses %s', (text) => {
    expect(() => createMetadataCodec(true).decode(text, NAME)).toThrow(MalformedRecordError);
  });

  test('limits the fresh time to a day', () => {
    const { freshUntil } = createMetadataCodec(true).decode('[1000,9000000000000,"",{}]', NAME);
    expect(freshUntil).toBe(1_000 + DAY);
  });
});
