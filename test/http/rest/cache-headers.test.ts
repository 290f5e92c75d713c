// How long the answers of the REST face may be kept.

import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRestFace } from '../../../src/http/rest/face.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../../support/fake-directory.ts';

const API = '/api/handles/10.1000/1';

describe('what may be kept', () => {
  const NOW = Date.parse('2026-11-20T12:00:00Z');

  /** Asked `laterMs` after the record was fetched. */
  async function keeping(behaviour: RecordBehaviour, target: string, laterMs: number) {
    const directory = createFakeDirectory({ now: NOW, records: { '10.1000/1': behaviour } });
    const options = { publicUrl: '', countryHeader: null, localServices: [], random: () => 0 };
    const face = createRestFace({
      ...options,
      directory,
      log: pino({ level: 'silent' }),
      maxLookups: 2_000,
      clock: () => NOW + laterMs,
    });
    const { headers } = await face({
      method: 'GET',
      target,
      header: () => null,
      signal: new AbortController().signal,
    });
    return [headers['Cache-Control'], headers['Expires']];
  }

  const ttl = (...ttls: readonly unknown[]): RecordBehaviour =>
    ttls.map((seconds, at) => urlValue('https://example.org/', { ttl: seconds, index: at + 1 }));
  const NOON = 'Fri, 20 Nov 2026 12:00:00 GMT';

  test.each<[string, RecordBehaviour, number, string, string]>([
    ['a new record', ttl(3_600), 0, 'public, max-age=3600', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['an older one', ttl(3_600), 600_000, 'public, max-age=3000', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['half a second more', ttl(3_600), 600_500, 'public, max-age=2999', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['the smallest ttl', ttl(3_600, 60), 0, 'public, max-age=60', 'Fri, 20 Nov 2026 12:01:00 GMT'],
    ['a day at most', ttl(10_000_000), 0, 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['a fixed time', ttl('2026-11-20T12:30:00Z'), 0, 'public, max-age=1800', 'Fri, 20 Nov 2026 12:30:00 GMT'],
    ['ttl 0', ttl(0), 0, 'no-cache', NOON],
    ['past its time', ttl(60), 60_000, 'no-cache', 'Fri, 20 Nov 2026 12:01:00 GMT'],
    ['no values', 200, 0, 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
    ['not found', 100, 0, 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
  ])('lasts as long as the record: %s', async (_, behaviour, laterMs, cacheControl, expires) => {
    for (const target of [API, '/10.1000/1', '/10.1000/1?noredirect', '/10.1000/1?action=showurls']) {
      expect(await keeping(behaviour, target, laterMs)).toEqual([cacheControl, expires]);
    }
  });

  test.each<[string, RecordBehaviour, string]>([
    ["the directory's own error", 2, API],
    ['a failure', new GatewayError('UPSTREAM_TIMEOUT'), API],
    ["the directory's own error", 2, '/10.1000/1'],
    ['a failure', new GatewayError('UPSTREAM_TIMEOUT'), '/10.1000/1'],
    ['a bad index', ttl(60), `${API}?index=x`],
  ])('is not %s: %s', async (_, behaviour, target) => {
    expect(await keeping(behaviour, target, 0)).toEqual([undefined, undefined]);
  });
});
