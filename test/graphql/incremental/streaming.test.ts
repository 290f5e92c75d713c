// @defer and @stream: each name's part when its own answer is there, whatever becomes of the others.

import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { askForParts, MULTIPART, SSE } from './parts.ts';

async function startHeld(parts: Parameters<typeof startGateway>[0] = {}, env = {}) {
  const directory = createHeldDirectory();
  const gateway = await startGateway({ directory, ...parts }, env);
  onTestFinished(() => gateway.close());
  return { directory, gateway };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `10.5555/${index}`);

const DEFERRED = `query ($inputs: [String!]!) {
  dois(inputs: $inputs) { id ... @defer { record { status } registrationAgency { name } } }
}`;

const STREAMED =
  'query ($inputs: [String!]!) { dois(inputs: $inputs) @stream(initialCount: 0) { id exists } }';

describe.each([MULTIPART, SSE])('as %s, fifty names', (accept) => {
  test('come deferred in the order in which they settle, and cost one batch', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(50);
    const answer = await askForParts(gateway, DEFERRED, { variables: { inputs }, accept });
    expect(await answer.next()).toEqual({
      data: { dois: inputs.map((name) => ({ id: `doi:${name}` })) },
      hasNext: true,
    });

    const order = inputs.map((_, index) => (index * 7 + 31) % 50);
    for (const index of order) {
      directory.answer(`10.5555/${index}`);
      directory.answerAgency(`10.5555/${index}`, `Agency ${index}`);
      expect((await answer.next())?.incremental).toEqual([
        {
          path: ['dois', index],
          data: { record: { status: 'HANDLE_NOT_FOUND' }, registrationAgency: { name: `Agency ${index}` } },
        },
      ]);
    }
    expect(await answer.next()).toBeNull();
    expect(directory.calls).toEqual({ resolve: inputs, whichRa: [inputs] });
  });

  test('come streamed in the order of the list, as soon as they can', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(50);
    const answer = await askForParts(gateway, STREAMED, { variables: { inputs }, accept });
    expect(await answer.next()).toEqual({ data: { dois: [] }, hasNext: true });

    // The second half is known before anything of the first.
    for (const name of inputs.slice(25)) directory.answer(name);
    for (const [index, name] of inputs.slice(0, 24).entries()) {
      directory.answer(name);
      expect((await answer.next())?.incremental).toEqual([
        { path: ['dois', index], items: [{ id: `doi:${name}`, exists: false }] },
      ]);
    }
    directory.answer('10.5555/24');
    const rest = await answer.increments();
    expect(rest.map(({ path }) => path[1])).toEqual(inputs.slice(24).map((_, index) => index + 24));
    expect(directory.calls).toEqual({ resolve: inputs, whichRa: [] });
  });
});

describe('the parts of an answer', () => {
  test('that are ready at once go out together', async () => {
    const { directory, gateway } = await startHeld();
    const inputs = names(1_000);
    for (const name of inputs) directory.answer(name);
    const answer = await askForParts(gateway, STREAMED, { variables: { inputs } });
    let count = 0;
    for (let part = await answer.next(); part !== null; part = await answer.next()) count += 1;
    // Look-ups begin 64 a turn.
    expect(count).toBeLessThan(50);
  });

  test('have their fields in the order of the query, whichever settled first', async () => {
    const { directory, gateway } = await startHeld();
    directory.answerAgency('10.5555/1', 'Crossref');
    const answer = await askForParts(
      gateway,
      `{ doi(input: "10.5555/1") { ...Slow @defer registrationAgency { name } } }
       fragment Slow on DOI { exists registrationAgency { name } __proto__: name record { status } name }`,
    );
    expect(await answer.next()).toMatchObject({
      data: { doi: { registrationAgency: { name: 'Crossref' } } },
    });
    directory.answer('10.5555/1');
    await answer.next();
    expect(answer.text()).toContain(
      '"data":{"exists":false,"registrationAgency":{"name":"Crossref"},"__proto__":"10.5555/1","record":{"status":"HANDLE_NOT_FOUND"},"name":"10.5555/1"}',
    );
  });

  test.each(['', '@defer(if: false)', '@skip(if: true) @defer'])(
    'are one where nothing is deferred: %s',
    async (directive) => {
      const { gateway } = await startHeld();
      const query = `{ doi(input: "10.5555/1") { name ... ${directive} { suffix } } }`;
      const answer = await askForParts(gateway, query, { accept: 'application/json' });
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
    },
  );

  test('follow what a variable says', async () => {
    const { gateway } = await startHeld();
    const query = 'query ($if: Boolean!) { doi(input: "10.5555/1") { name ... @defer(if: $if) { suffix } } }';
    const one = await askForParts(gateway, query, { variables: { if: false } });
    expect(await one.next()).toEqual({ data: { doi: { name: '10.5555/1', suffix: '1' } } });
    const two = await askForParts(gateway, query, { variables: { if: true } });
    expect(await two.next()).toEqual({ data: { doi: { name: '10.5555/1' } }, hasNext: true });
    expect(await two.increments()).toEqual([{ path: ['doi'], data: { suffix: '1' } }]);
  });

  test('say by their label which fragment they are', async () => {
    const { gateway } = await startHeld();
    const answer = await askForParts(
      gateway,
      '{ doi(input: "10.5555/1") { ... @defer(label: "late") { name } } }',
    );
    expect(await answer.increments()).toEqual([
      { path: ['doi'], label: 'late', data: { name: '10.5555/1' } },
    ]);
  });
});

describe('errors in parts', () => {
  const failures = [
    ['10.5555/1', new GatewayError('UPSTREAM_TIMEOUT'), 'UPSTREAM_TIMEOUT', true],
    ['10.5555/2', new Error('secret at db.internal'), 'INTERNAL_SERVER_ERROR', false],
    ['10.5555/3', new GatewayError('UPSTREAM_BAD_RESPONSE'), 'UPSTREAM_BAD_RESPONSE', false],
  ] as const;
  const inputs = [...names(5), 'bad'];

  async function failing(query: string) {
    const { directory, gateway } = await startHeld();
    for (const [name, error] of failures) directory.fail(name, error);
    directory.answer('10.5555/0');
    directory.answer('10.5555/4');
    const answer = await askForParts(gateway, query, { variables: { inputs } });
    const first = await answer.next();
    return { first, increments: await answer.increments(), text: answer.text() };
  }

  test('carry code, path and retryable, say nothing of the inside, and cost the others nothing: deferred', async () => {
    const { first, increments, text } = await failing(
      'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }',
    );
    expect(first?.errors).toMatchObject([
      { path: ['dois', 5], extensions: { code: 'INVALID_DOI', reason: 'NOT_A_DOI', retryable: false } },
    ]);
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
    expect(text).not.toMatch(/secret|internal\b|stack|"http"/);
  });

  test('are the same where nothing is left to come later', async () => {
    const { gateway } = await startHeld();
    const query = '{ doi(input: "bad") { name ... @defer { exists } } }';
    const answer = await askForParts(gateway, query);
    expect(await answer.next()).toMatchObject({
      data: { doi: null },
      errors: [{ path: ['doi'], extensions: { code: 'INVALID_DOI', reason: 'NOT_A_DOI' } }],
    });
  });

  test('are the same in streamed items', async () => {
    const { increments, text } = await failing(STREAMED);
    expect(increments.map(({ errors = [] }) => errors.map(({ extensions }) => extensions['code']))).toEqual([
      [],
      ...failures.map(([, , code]) => [code]),
      [],
      ['INVALID_DOI'],
    ]);
    expect(increments[5]).toMatchObject({ path: ['dois', 5], items: [null] });
    expect(text).not.toMatch(/secret|internal\b|stack|"http"/);
  });

  test('tell of too many look-ups: MAX_LOOKUPS holds for what is deferred', async () => {
    const { directory, gateway } = await startHeld({}, { MAX_LOOKUPS: '3' });
    for (const name of names(5)) directory.answer(name);
    const query = 'query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { exists } } }';
    const answer = await askForParts(gateway, query, { variables: { inputs: names(5) } });
    const codes = (await answer.increments()).map(({ errors }) => errors?.[0]?.extensions['code'] ?? null);
    expect(codes.toSorted()).toEqual(['TOO_MANY_LOOKUPS', 'TOO_MANY_LOOKUPS', null, null, null]);
    expect(directory.calls.resolve).toHaveLength(3);
  });

  test('tell of too high a cost: the limit holds for what is deferred', async () => {
    const { directory, gateway } = await startHeld({ limits: { complexity: 100 } });
    const query = 'query ($inputs: [String!]!) { ... @defer { dois(inputs: $inputs) { exists } } }';
    const answer = await askForParts(gateway, query, { variables: { inputs: names(5) } });
    expect((await answer.next())?.errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
    expect(directory.calls.resolve).toEqual([]);
  });
});
