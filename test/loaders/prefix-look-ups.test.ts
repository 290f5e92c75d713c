// The look-ups for the locations of a prefix.

import type { HandleName } from 'doi-names';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { AnswerExpiry } from '../../src/loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../src/loaders/loaders.ts';
import { resolveName } from '../../src/loaders/resolve-name.ts';
import { createFakeGateway } from '../schema/fake-gateway.ts';
import { createFakeDirectory, NOW, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';

const NEVER: RecordBehaviour = () => new Promise(() => {});
const SERV = urlValue(
  '<locations><location weight="0" http_role="conneg" href_template="https://data.example/{hdl}"/></locations>',
  { type: '10320/loc' },
);
const NAMESPACE = urlValue('<namespace><locs>10.SERV/X</locs></namespace>', { type: 'HS_NAMESPACE' });
const RECORDS: Readonly<Record<string, RecordBehaviour>> = {
  '10.1000/1': [urlValue('https://example.org/1')],
  '10.1000/2': [urlValue('https://example.org/2')],
  '10.1000/alias': [urlValue('10.2000/1', { type: 'HS_ALIAS' })],
  '10.2000/1': [urlValue('https://example.org/3')],
  '0.na/10.1000': [NAMESPACE],
  '10.serv/x': [SERV],
};

function setUp(records: Readonly<Record<string, RecordBehaviour>> = RECORDS) {
  const directory = createFakeDirectory({ records });
  const expiry = new AnswerExpiry();
  const loaders = new TrackingLoaders({
    directory,
    signal: () => new AbortController().signal,
    maxLookups: 2,
    expiry,
  });
  return {
    resolved: (name: string) => resolveName(name as HandleName, { loaders, expiry }),
    seconds: () => expiry.secondsFrom(NOW),
    names: () => directory.calls.resolve.map(({ name }) => name),
    prefixes: directory.prefixCalls,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the locations of a prefix', () => {
  test('are looked up in the batch of the record, once for all names of the prefix', async () => {
    const { resolved, names, seconds } = setUp();
    const [first, second] = await Promise.all([resolved('10.1000/1'), resolved('10.1000/2')]);
    expect(first.prefix.lists).toHaveLength(1);
    expect(second.prefix).toEqual(first.prefix);
    expect(names()).toHaveLength(4);
    expect(new Set(names())).toEqual(new Set(['0.NA/10.1000', '10.1000/1', '10.1000/2', '10.SERV/X']));
    expect(seconds()).toBe(86_400);
  });

  test('belong to the name that an alias leads to', async () => {
    const { resolved, names, prefixes } = setUp();
    expect((await resolved('10.1000/alias')).prefix.lists).toEqual([]);
    expect(names()).toContain('10.2000/1');
    expect(prefixes).toEqual(['0.NA/10.2000']);
  });

  test.each<[string, string, RecordBehaviour]>([
    ['fails', '0.na/10.1000', new GatewayError('UPSTREAM_TIMEOUT')],
    ['has the status ERROR', '0.na/10.1000', 2],
    ['names a handle that fails', '10.serv/x', new GatewayError('UPSTREAM_TIMEOUT')],
  ])('are left out of an uncacheable response if the record %s', async (_, name, behaviour) => {
    const { resolved, seconds } = setUp({ ...RECORDS, [name]: behaviour });
    expect(await resolved('10.1000/1')).toMatchObject({ prefix: { isKnown: false, lists: [] } });
    expect(seconds()).toBe(0);
  });

  test('are left out if they take more than a second longer than the record', async () => {
    const { resolved, seconds } = setUp({ ...RECORDS, '0.na/10.1000': NEVER });
    let ended = false;
    const resolution = Promise.resolve(resolved('10.1000/1')).finally(() => {
      ended = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await resolution).toMatchObject({ record: { status: 'SUCCESS' }, prefix: { isKnown: false } });
    expect(seconds()).toBe(0);
  });

  test('do not delay the response for an absent name', async () => {
    const { resolved } = setUp({ '0.na/10.1000': NEVER });
    expect(await resolved('10.1000/9')).toMatchObject({ record: { status: 'HANDLE_NOT_FOUND' } });
  });
});

test('1,000 redirects of 20 prefixes need 1,000 look-ups and two more look-ups for each prefix', async () => {
  const prefixes = Array.from({ length: 20 }, (_, n) => `10.${1_000 + n}`);
  const names = Array.from({ length: 1_000 }, (_, n) => `${prefixes[n % 20]}/${n}`);
  const records = Object.fromEntries([
    ...names.map((name) => [name, [urlValue(`https://example.org/${name}`)]]),
    ...prefixes.map((prefix, n) => [
      `0.na/${prefix}`,
      [urlValue(`<n><locs>10.SERV/${n}</locs></n>`, { type: 'HS_NAMESPACE' })],
    ]),
    ...prefixes.map((_, n) => [`10.serv/${n}`, [SERV]]),
  ]);
  vi.useRealTimers();
  const { query, calls } = await createFakeGateway({ records });
  const document = 'query ($names: [String!]!) { dois(inputs: $names) { redirect { url } } }';
  const { errors } = (await query(document, { names })) as { errors?: unknown };
  expect(errors).toBeUndefined();
  expect(calls.resolve).toHaveLength(1_040);
});
