// How long the answers of the REST face may be kept.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRecord } from '../../../src/handle/record.ts';
import { decodeValues } from '../../../src/handle/value.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../../support/fake-directory.ts';
import { answerOf } from '../../support/http-request.ts';
import { faceOver, headersOf, NOW } from './face-under-test.ts';
import { locations } from './rest-gateway.ts';

const API = '/api/handles/10.1000/1';
const NOON = 'Fri, 20 Nov 2026 12:00:00 GMT';

/** Asked `laterMs` after the record was fetched. */
async function keeping(behaviour: RecordBehaviour, target: string, laterMs = 0) {
  const { headers } = await headersOf({ '10.1000/1': behaviour }, target, { laterMs });
  return [headers['Cache-Control'], headers['Expires']];
}

const ttl = (...ttls: readonly unknown[]): RecordBehaviour =>
  ttls.map((seconds, at) => urlValue('https://example.org/', { ttl: seconds, index: at + 1 }));

const FACES = [API, '/10.1000/1', '/10.1000/1?noredirect', '/10.1000/1?action=showurls'];

describe('what may be kept', () => {
  test.each<[string, RecordBehaviour, number, string, string]>([
    ['a new record', ttl(3_600), 0, 'public, max-age=3600', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['an older one', ttl(3_600), 600_000, 'public, max-age=3000', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['half a second more', ttl(3_600), 600_500, 'public, max-age=2999', 'Fri, 20 Nov 2026 13:00:00 GMT'],
    ['the smallest ttl', ttl(3_600, 60), 0, 'public, max-age=60', 'Fri, 20 Nov 2026 12:01:00 GMT'],
    ['a day at most', ttl(10_000_000), 0, 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['a fixed time', ttl('2026-11-20T12:30:00Z'), 0, 'public, max-age=1800', 'Fri, 20 Nov 2026 12:30:00 GMT'],
    ['ttl 0', ttl(0), 0, 'no-store', NOON],
    ['past its time', ttl(60), 60_000, 'no-store', 'Fri, 20 Nov 2026 12:01:00 GMT'],
    ['no values', 200, 0, 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
    ['not found', 100, 0, 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
  ])('lasts as long as the record: %s', async (_, behaviour, laterMs, cacheControl, expires) => {
    for (const target of FACES) {
      expect(await keeping(behaviour, target, laterMs)).toEqual([cacheControl, expires]);
    }
  });

  test('lasts as long as the first record of an alias chain that ends, also where the chain is dead', async () => {
    const alias = (target: string, seconds: number) => [urlValue(target, { type: 'HS_ALIAS', ttl: seconds })];
    for (const [target, seconds] of [
      ['10.1000/1', 60],
      ['10/none', 60],
      ['10/a', 60],
    ] as const) {
      const records = { '10/a': alias(target, seconds), '10.1000/1': ttl(600) };
      const { headers } = await headersOf(records, '/10/a');
      expect([target, headers['Cache-Control']]).toEqual([target, 'public, max-age=60']);
    }
  });

  test.each<[string, RecordBehaviour, string]>([
    ["the directory's own error", 2, API],
    ['a failure', new GatewayError('UPSTREAM_TIMEOUT'), API],
    ["the directory's own error", 2, '/10.1000/1'],
    ['a failure', new GatewayError('UPSTREAM_TIMEOUT'), '/10.1000/1'],
    ['a fault', new Error('a fault'), '/10.1000/1'],
    ['a bad index', ttl(60), `${API}?index=x`],
    ['a bad index', ttl(60), '/10.1000/1?index=x'],
    ['no name', ttl(60), '/api/handles/%ff'],
    ['no name', ttl(60), '/%ff/1'],
    ['no name', ttl(60), '/favicon.ico'],
    ['no API', ttl(60), '/api/other'],
  ])('is not %s: %s', async (_, behaviour, target) => {
    expect(await keeping(behaviour, target)).toEqual(['no-store', undefined]);
  });

  test.each(['auth', 'cert', 'auth=True&cert=YES'])(
    'is nothing that was asked past the caches: %s',
    async (flags) => {
      for (const target of FACES) {
        const asked = `${target}${target.includes('?') ? '&' : '?'}${flags}`;
        expect([asked, await keeping(ttl(3_600), asked)]).toEqual([asked, ['no-store', NOON]]);
      }
    },
  );

  test('is nothing that rests on a stale record', async () => {
    const stale: RecordBehaviour = async (handle) =>
      Object.freeze({
        ...createRecord({ responseCode: 1, handle, values: decodeValues(ttl(3_600)), fetchedAt: NOW }),
        stale: true,
      });
    for (const target of FACES) expect(await keeping(stale, target)).toEqual(['no-store', NOON]);
  });

  test('is nothing that is drawn', async () => {
    const drawn = [locations('<location href="https://a.example/"/><location href="https://b.example/"/>')];
    expect(await keeping(drawn, '/10.1000/1')).toEqual(['private, no-cache', '0']);
    expect(await keeping(drawn, '/10.1000/1?auth')).toEqual(['no-store', NOON]);
    expect((await keeping(drawn, '/10.1000/1?noredirect'))[0]).toBe('public, max-age=86400');
  });

  test('is a draw that can only end in one way', async () => {
    const sure = [
      locations('<location href="https://a.example/" weight="0"/><location href="https://b.example/"/>'),
    ];
    expect((await keeping(sure, '/10.1000/1'))[0]).toBe('public, max-age=86400');
  });
});

describe('agencies', () => {
  const agencies = {
    '10.1000/1': { status: 'FOUND', agency: 'Crossref' },
    '10.1000/short': { status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 60_000 },
    '10.1000/stale': { status: 'FOUND', agency: 'Crossref', stale: true },
    '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
  } as const;

  test.each([
    ['10.1000/1', 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['10.1000/1,10.1000/none', 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
    ['10.1000/1,10.1000/short', 'public, max-age=60', 'Fri, 20 Nov 2026 12:01:00 GMT'],
    ['10.1000/1,10.1000/stale', 'no-store', NOON],
    ['10.1000/1,10.1000/down', 'no-store', NOON],
    ['%ff', 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  ])('of %s are kept as long as they live: %s', async (names, control, expires) => {
    const face = faceOver(createFakeDirectory({ now: NOW, agencies }));
    const { status, headers } = await answerOf(face, `/doiRA/${names}`);
    expect([status, headers['Cache-Control'], headers['Expires']]).toEqual([200, control, expires]);
  });
});

describe('a failure that passes', () => {
  test.each<[string, RecordBehaviour, string, number, string | undefined]>([
    ['an error 3', 3, API, 503, '2'],
    ['an error 7', 7, API, 503, '2'],
    ['an error 2', 2, API, 500, '2'],
    ['an error that does not pass', 999, API, 500, undefined],
    ['a time-out of the API', new GatewayError('UPSTREAM_TIMEOUT'), API, 500, '2'],
    [
      'a directory that the API waits for',
      new GatewayError('UPSTREAM_UNAVAILABLE', { details: { retryAfterSeconds: 3 } }),
      API,
      500,
      '3',
    ],
    ['what the API cannot read', new GatewayError('UPSTREAM_BAD_RESPONSE'), API, 500, undefined],
    ['an error', 2, '/10.1000/1', 503, '2'],
    ['no directory', new GatewayError('UPSTREAM_UNAVAILABLE'), '/10.1000/1', 503, '2'],
    [
      'a directory that says when',
      new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 30 } }),
      '/10.1000/1',
      503,
      '30',
    ],
    ['a time-out', new GatewayError('UPSTREAM_TIMEOUT'), '/10.1000/1', 504, '2'],
  ])('says when to come again: %s', async (_, behaviour, target, status, seconds) => {
    const answer = await headersOf({ '10.1000/1': behaviour }, target);
    expect([answer.status, answer.headers['Retry-After']]).toEqual([status, seconds]);
  });
});
