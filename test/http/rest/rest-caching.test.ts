// How long caches can keep responses of the REST face.

import { expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { createRecord } from '../../../src/handle/record.ts';
import { decodeValues } from '../../../src/handle/value.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../../support/fake-directory.ts';
import { responseOf } from '../../support/http-request.ts';
import { testTable } from '../../support/test-table.ts';
import { createFace, NOW, responseTo } from './face-under-test.ts';
import { locations } from './rest-gateway.ts';

const API = '/api/handles/10.1000/1';
const PAGE = '/10.1000/1';
const FACES = [API, PAGE, `${PAGE}?noredirect`, `${PAGE}?action=showurls`];
const NOON = 'Fri, 20 Nov 2026 12:00:00 GMT';

const isNotStored = ['no-store', NOON];

/** `[Cache-Control, Expires]` of a target over one record, `laterMs` after its look-up. */
async function cacheHeaders(target: string, record: RecordBehaviour, laterMs = 0) {
  const { headers } = await responseTo(target, { '10.1000/1': record }, { laterMs });
  return [headers['Cache-Control'], headers['Expires']];
}

const ttl = (...ttls: readonly unknown[]): RecordBehaviour =>
  ttls.map((seconds, at) => urlValue('https://example.org/', { ttl: seconds, index: at + 1 }));

const stale: RecordBehaviour = async (handle) =>
  Object.freeze({
    ...createRecord({ responseCode: 1, handle, values: decodeValues(ttl(3_600)), fetchedAt: NOW }),
    stale: true,
  });

testTable<[string, RecordBehaviour, number, string[]]>([
  ['new', ttl(3_600), 0, ['public, max-age=3600', 'Fri, 20 Nov 2026 13:00:00 GMT']],
  ['older', ttl(3_600), 600_500, ['public, max-age=2999', 'Fri, 20 Nov 2026 13:00:00 GMT']],
  ['expired', ttl(60), 60_000, ['no-store', 'Fri, 20 Nov 2026 12:01:00 GMT']],
  ['stale', stale, 0, isNotStored],
  ['without values', 200, 0, ['public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT']],
  ['not found', 100, 0, ['public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT']],
])('a response is fresh for as long as its record: %s', async (_, record, laterMs, headers) => {
  for (const target of FACES) expect(await cacheHeaders(target, record, laterMs)).toEqual(headers);
});

test.each(['10.1000/1', '10/none', '10/a'])(
  'a redirect is fresh until the first alias of the chain expires, even if the chain has no end: %s',
  async (target) => {
    const alias = [urlValue(target, { type: 'HS_ALIAS', ttl: 60 })];
    const { headers } = await responseTo('/10/a', { '10/a': alias, '10.1000/1': ttl(600) });
    expect(headers['Cache-Control']).toBe('public, max-age=60');
  },
);

testTable<[RecordBehaviour, string]>([
  [2, API],
  [2, PAGE],
  [new GatewayError('UPSTREAM_TIMEOUT'), API],
  [new GatewayError('UPSTREAM_TIMEOUT'), PAGE],
  [new Error('a fault'), PAGE],
  [ttl(60), `${API}?index=x`],
  [ttl(60), `${PAGE}?index=x`],
  [ttl(60), '/api/handles/%ff'],
  [ttl(60), '/%ff/1'],
  [ttl(60), '/favicon.ico'],
  [ttl(60), '/api/other'],
])('a failure is not stored: %s, %s', async (record, target) => {
  expect(await cacheHeaders(target, record)).toEqual(['no-store', undefined]);
});

testTable(['auth', 'cert', 'auth=True&cert=YES'])('a response with %s is not stored', async (flags) => {
  for (const target of FACES) {
    const flagged = `${target}${target.includes('?') ? '&' : '?'}${flags}`;
    expect([flagged, await cacheHeaders(flagged, ttl(3_600))]).toEqual([flagged, isNotStored]);
  }
});

test('a random choice is not shared, unless only one location can be chosen', async () => {
  const choice = [locations('<location href="https://a.example/"/><location href="https://b.example/"/>')];
  expect(await cacheHeaders(PAGE, choice)).toEqual(['private, no-cache', '0']);
  expect(await cacheHeaders(`${PAGE}?auth`, choice)).toEqual(isNotStored);
  expect((await cacheHeaders(`${PAGE}?noredirect`, choice))[0]).toBe('public, max-age=86400');
  const certain = [
    locations('<location href="https://a.example/" weight="0"/><location href="https://b.example/"/>'),
  ];
  expect((await cacheHeaders(PAGE, certain))[0]).toBe('public, max-age=86400');
});

testTable([
  ['10.1000/1', 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
  ['10.1000/1,10.1000/none', 'public, max-age=300', 'Fri, 20 Nov 2026 12:05:00 GMT'],
  ['10.1000/1,10.1000/short', 'public, max-age=60', 'Fri, 20 Nov 2026 12:01:00 GMT'],
  ['10.1000/1,10.1000/stale', ...isNotStored],
  ['10.1000/1,10.1000/down', ...isNotStored],
  ['%ff', 'public, max-age=86400', 'Sat, 21 Nov 2026 12:00:00 GMT'],
])(
  'a response with agencies is fresh until the first agency expires: %s',
  async (names, control, expires) => {
    const agencies = {
      '10.1000/1': { status: 'FOUND', agency: 'Crossref' },
      '10.1000/short': { status: 'FOUND', agency: 'Crossref', freshUntil: NOW + 60_000 },
      '10.1000/stale': { status: 'FOUND', agency: 'Crossref', stale: true },
      '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
    } as const;
    const face = createFace(createFakeDirectory({ now: NOW, agencies }));
    const { status, headers } = await responseOf(face, `/doiRA/${names}`);
    expect([status, headers['Cache-Control'], headers['Expires']]).toEqual([200, control, expires]);
  },
);

const failure = (code: 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_RATE_LIMITED', retryAfterSeconds: number) =>
  new GatewayError(code, { details: { retryAfterSeconds } });

testTable<[RecordBehaviour, string, number, string | undefined]>([
  [3, API, 503, '2'],
  [7, API, 503, '2'],
  [2, API, 500, '2'],
  [999, API, 500, undefined],
  [new GatewayError('UPSTREAM_TIMEOUT'), API, 500, '2'],
  [failure('UPSTREAM_UNAVAILABLE', 3), API, 500, '3'],
  [new GatewayError('UPSTREAM_BAD_RESPONSE'), API, 500, undefined],
  [2, PAGE, 503, '2'],
  [new GatewayError('UPSTREAM_UNAVAILABLE'), PAGE, 503, '2'],
  [failure('UPSTREAM_RATE_LIMITED', 30), PAGE, 503, '30'],
  [new GatewayError('UPSTREAM_TIMEOUT'), PAGE, 504, '2'],
])('a failure that can pass has Retry-After: %s at %s: %i, %s', async (record, target, status, seconds) => {
  const response = await responseTo(target, { '10.1000/1': record });
  expect([response.status, response.headers['Retry-After']]).toEqual([status, seconds]);
});
