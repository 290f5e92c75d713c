// @defer and @stream: the part of each name is sent when its own answer is there.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { MULTIPART, requestParts, SSE } from './parts.ts';

async function startHeld(parts: Parameters<typeof startGateway>[0] = {}, env = {}) {
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory, ...parts }, env);
  onTestFinished(() => gateway.close());
  return { directory, gateway };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `10.5555/${index}`);

const DEFERRED = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
const STREAMED =
  'query ($inputs: [String!]!) { dois(inputs: $inputs) @stream(initialCount: 0) { id exists } }';

describe.each([MULTIPART, SSE])('fifty names as %s', (accept) => {
  test('have deferred parts in the order of their answers, and cost one batch', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(50);
    const query = `query ($inputs: [String!]!) {
      dois(inputs: $inputs) { id ... @defer { record { status } registrationAgency { name } } }
    }`;
    const response = await requestParts(gateway, query, { variables: { inputs }, accept });
    expect(await response.next()).toEqual({
      data: { dois: inputs.map((name) => ({ id: `doi:${name}` })) },
      hasNext: true,
    });

    const order = inputs.map((_, index) => (index * 7 + 31) % 50);
    for (const index of order) {
      directory.answer(`10.5555/${index}`);
      directory.answerAgency(`10.5555/${index}`, `Agency ${index}`);
      expect((await response.next())?.incremental).toEqual([
        {
          path: ['dois', index],
          data: { record: { status: 'HANDLE_NOT_FOUND' }, registrationAgency: { name: `Agency ${index}` } },
        },
      ]);
    }
    expect(await response.next()).toBeNull();
    expect(directory.calls).toEqual({ resolve: inputs, whichRa: [inputs] });
  });

  test('have streamed items in the order of the list, each as soon as possible', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(50);
    const response = await requestParts(gateway, STREAMED, { variables: { inputs }, accept });
    expect(await response.next()).toEqual({ data: { dois: [] }, hasNext: true });

    for (const name of inputs.slice(25)) directory.answer(name);
    for (const [index, name] of inputs.slice(0, 24).entries()) {
      directory.answer(name);
      expect((await response.next())?.incremental).toEqual([
        { path: ['dois', index], items: [{ id: `doi:${name}`, exists: false }] },
      ]);
    }
    directory.answer('10.5555/24');
    const remaining = await response.increments();
    expect(remaining.map(({ path }) => path[1])).toEqual(inputs.slice(24).map((_, index) => index + 24));
    expect(directory.calls).toEqual({ resolve: inputs, whichRa: [] });
  });
});

describe('a response in parts', () => {
  test('has few parts if all answers are there', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(1_000);
    for (const name of inputs) directory.answer(name);
    const response = await requestParts(gateway, STREAMED, { variables: { inputs } });
    let count = 0;
    for (let part = await response.next(); part !== null; part = await response.next()) count += 1;
    // 64 look-ups begin in each turn of the event loop.
    expect(count).toBeLessThan(50);
  });

  test('has the fields of a part in the order of the query', async () => {
    const { directory, gateway } = await startHeld();
    directory.answerAgency('10.5555/1', 'Crossref');
    const response = await requestParts(
      gateway,
      `{ doi(input: "10.5555/1") { ...Slow @defer registrationAgency { name } } }
       fragment Slow on DOI { exists registrationAgency { name } __proto__: name record { status } name }`,
    );
    expect(await response.next()).toMatchObject({
      data: { doi: { registrationAgency: { name: 'Crossref' } } },
    });
    directory.answer('10.5555/1');
    await response.next();
    expect(response.text()).toContain(
      '"data":{"exists":false,"registrationAgency":{"name":"Crossref"},"__proto__":"10.5555/1","record":{"status":"HANDLE_NOT_FOUND"},"name":"10.5555/1"}',
    );
  });

  test.each(['', '@defer(if: false)', '@skip(if: true) @defer'])(
    'is plain JSON if it defers nothing: "%s"',
    async (directive) => {
      const { gateway } = await startHeld();
      const query = `{ doi(input: "10.5555/1") { name ... ${directive} { suffix } } }`;
      const { status, headers } = await requestParts(gateway, query, { accept: 'application/json' });
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    },
  );

  test('depends on the variable of @defer(if:), and has the label of each fragment', async () => {
    const { gateway } = await startHeld();
    const query =
      'query ($if: Boolean!) { doi(input: "10.5555/1") { name ... @defer(if: $if, label: "late") { suffix } } }';
    const whole = await requestParts(gateway, query, { variables: { if: false } });
    expect(await whole.next()).toEqual({ data: { doi: { name: '10.5555/1', suffix: '1' } } });
    const deferred = await requestParts(gateway, query, { variables: { if: true } });
    expect(await deferred.next()).toEqual({ data: { doi: { name: '10.5555/1' } }, hasNext: true });
    expect(await deferred.increments()).toEqual([{ path: ['doi'], label: 'late', data: { suffix: '1' } }]);
  });
});

describe('errors in parts', () => {
  const failures = [
    ['10.5555/1', new GatewayError('UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT', true],
    ['10.5555/2', new Error('secret at db.internal'), 'INTERNAL_SERVER_ERROR', false],
    ['10.5555/3', new GatewayError('UPSTREAM_BAD_RESPONSE'), 'UPSTREAM_BAD_RESPONSE', false],
  ] as const;
  const INVALID = { code: 'INVALID_DOI', reason: 'NOT_A_DOI', retryable: false };
  const INTERNALS = /secret|internal\b|stack|"http"/;

  async function responseWithFailures(query: string) {
    const { directory, gateway } = await startHeld();
    for (const [name, error] of failures) directory.fail(name, error);
    directory.answer('10.5555/0');
    directory.answer('10.5555/4');
    const response = await requestParts(gateway, query, { variables: { inputs: [...names(5), 'bad'] } });
    const first = await response.next();
    return { first, increments: await response.increments(), text: response.text() };
  }

  test('have code, path and retryable, no internals, and change no other deferred part', async () => {
    const { first, increments, text } = await responseWithFailures(DEFERRED);
    expect(first?.errors).toMatchObject([{ path: ['dois', 5], extensions: INVALID }]);
    const byIndex = new Map(increments.map((part) => [part.path[1], part]));
    expect(byIndex.size).toBe(5);
    for (const [index, [, , code, retryable]] of failures.entries()) {
      expect(byIndex.get(index + 1)).toMatchObject({
        data: { exists: null },
        errors: [{ path: ['dois', index + 1, 'exists'], extensions: { code, retryable } }],
      });
    }
    for (const index of [0, 4]) {
      expect(byIndex.get(index)).toEqual({ path: ['dois', index], data: { exists: false } });
    }
    expect(text).not.toMatch(INTERNALS);
  });

  test('are the same in streamed items', async () => {
    const { increments, text } = await responseWithFailures(STREAMED);
    expect(increments.map(({ errors = [] }) => errors.map(({ extensions }) => extensions['code']))).toEqual([
      [],
      ...failures.map(([, , code]) => [code]),
      [],
      ['INVALID_DOI'],
    ]);
    expect(increments[5]).toMatchObject({ path: ['dois', 5], items: [null] });
    expect(text).not.toMatch(INTERNALS);
  });

  test('are the same if the error makes the parent of all deferred fragments null', async () => {
    const { gateway } = await startHeld();
    const response = await requestParts(gateway, '{ doi(input: "bad") { name ... @defer { exists } } }');
    expect(await response.next()).toMatchObject({
      data: { doi: null },
      errors: [{ path: ['doi'], extensions: INVALID }],
    });
  });

  test('are TOO_MANY_LOOKUPS above MAX_LOOKUPS', async () => {
    const { directory, gateway } = await startHeld({}, { MAX_LOOKUPS: '3' });
    for (const name of names(5)) directory.answer(name);
    const response = await requestParts(gateway, DEFERRED, { variables: { inputs: names(5) } });
    const codes = (await response.increments()).map(({ errors }) => errors?.[0]?.extensions['code'] ?? null);
    expect(codes.toSorted()).toEqual(['TOO_MANY_LOOKUPS', 'TOO_MANY_LOOKUPS', null, null, null]);
    expect(directory.calls.resolve).toHaveLength(3);
  });

  test('are LIMIT_EXCEEDED above the limit of the price, before any look-up', async () => {
    const { directory, gateway } = await startHeld({ limits: { complexity: 100 } });
    const query = 'query ($inputs: [String!]!) { ... @defer { dois(inputs: $inputs) { exists } } }';
    const response = await requestParts(gateway, query, { variables: { inputs: names(5) } });
    expect((await response.next())?.errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
    expect(directory.calls.resolve).toEqual([]);
  });
});
