// GraphQL responses that nobody may store, and what says for itself how long it may be kept.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import { createFakeDirectory, type RecordBehaviour } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';
import { aDoi, aliasOf, keeping, locations, over, ttl } from './cache-control-of.ts';

describe('a response is not to be stored', () => {
  const records: Record<string, RecordBehaviour> = {
    '10.1000/1': ttl(600),
    '10.1000/error': 2,
    '10.1000/down': new GatewayError('UPSTREAM_UNAVAILABLE'),
    '10.1000/loop': aliasOf('10.1000/loop', 600),
  };

  test.each([
    ['with one bad name of ten', `{ dois(inputs: ["${'10.1000/1", "'.repeat(9)}x"]) { id } }`],
    [
      'with a look-up that failed, beside one that did not',
      `{ a: ${aDoi('exists').slice(2, -2)} b: doi(input: "10.1000/down") { exists } }`,
    ],
    ['with an alias that leads nowhere', aDoi('redirect { url }', '10.1000/loop')],
    ["with the directory's own error, which is data", aDoi('record { status }', '10.1000/error')],
    ['asked past the caches', aDoi('record(auth: true) { status }')],
    ['asked to be authenticated', aDoi('record(cert: true) { status }')],
    ['asked past the caches beside what is not', aDoi('a: record(auth: true) { status } exists')],
    ['that is no GraphQL', '{ doi('],
    ['that does not fit the schema', '{ unknown }'],
    ['without an operation to choose', 'query A { __typename } query B { __typename }'],
  ])('%s', async (_, query) => {
    const gateway = await over({ records });
    expect(await keeping(gateway, query)).toBe('no-store');
    const strict = await gateway.post(query, 'application/graphql-response+json');
    expect(strict.headers.get('cache-control')).toBe('no-store');
  });

  test("with the directory's own error, although its time seems to be to come", async () => {
    const gateway = await over({ records }, -60_000);
    expect(await keeping(gateway, aDoi('exists'))).toBe('public, max-age=660');
    expect(await keeping(gateway, aDoi('record { status }', '10.1000/error'))).toBe('no-store');
  });

  test('in a type that only the page has', async () => {
    const gateway = await over({ records });
    for (const ask of [gateway.get, gateway.post]) {
      const { status, headers } = await ask(aDoi('exists'), 'text/html');
      expect([status, headers.get('cache-control')]).toEqual([406, 'no-store']);
    }
  });

  test('with records and agencies that are there, it would be', async () => {
    const gateway = await over({ records });
    expect(await keeping(gateway, `{ dois(inputs: ["${'10.1000/1", "'.repeat(9)}10.1000/1"]) { id } }`)).toBe(
      'public, max-age=86400',
    );
  });
});

describe('a redirect that is drawn', () => {
  const drawn = '<location href="https://a.example/"/><location id="b" href="https://b.example/"/>';

  test.each([
    ['among several is not to be stored', drawn, '', 'no-store'],
    [
      'is not drawn where an attribute chooses',
      drawn,
      '(parameters: { locatt: ["id:b"] })',
      'public, max-age=600',
    ],
    ['is not drawn from one', '<location href="https://a.example/"/>', '', 'public, max-age=600'],
    [
      'is certain where the others weigh nothing',
      `${drawn.replaceAll('<location', '<location weight="0"')}<location href="https://c.example/"/>`,
      '',
      'public, max-age=600',
    ],
  ])('%s', async (_, xml, parameters, header) => {
    const gateway = await over({ records: { '10.1000/1': locations(xml) } });
    expect(await keeping(gateway, aDoi(`redirect${parameters} { candidates { href } }`))).toBe(header);
  });

  test('leaves the locations themselves as they are', async () => {
    const gateway = await over({ records: { '10.1000/1': locations(drawn) } });
    expect(await keeping(gateway, aDoi('locations { href }'))).toBe('public, max-age=600');
  });
});

describe('beside GraphQL', () => {
  const gateway = async () => {
    const { app, close } = await createTestGateway({ directory: createFakeDirectory() });
    onTestFinished(close);
    return async (path: string, init: RequestInit = {}) => {
      const { status, headers } = await app.fetch(new Request(`http://gateway.test${path}`, init));
      return [status, headers.get('cache-control'), headers.get('vary')];
    };
  };

  test.each<[string, string, RequestInit, number]>([
    ['a method that is not allowed', '/graphql', { method: 'PUT' }, 405],
    ['a type that is not read', '/graphql', { method: 'POST', body: 'x' }, 415],
    [
      'a type that is not written',
      '/graphql?query=%7B__typename%7D',
      { headers: { accept: 'image/png' } },
      406,
    ],
    ['a request without a query', '/graphql', { headers: { accept: 'application/json' } }, 400],
    ['a path that is nothing', '/nothing/at/all', {}, 404],
    ['another method at a page', '/healthz', { method: 'POST' }, 405],
  ])('a refusal is not to be stored: %s', async (_, path, init, status) => {
    expect((await (await gateway())(path, init)).slice(0, 2)).toEqual([status, 'no-store']);
  });

  test('pages and their parts keep what they say themselves', async () => {
    const ask = await gateway();
    expect(await ask('/graphql', { headers: { accept: 'text/html' } })).toEqual([
      200,
      'no-cache',
      'Accept, Accept-Encoding',
    ]);
    expect(await ask('/healthz')).toEqual([200, 'no-store', null]);
    expect(await ask('/')).toEqual([200, 'no-cache', 'Accept']);
    expect(await ask('/graphql', { method: 'OPTIONS' })).toEqual([204, null, null]);
  });
});
