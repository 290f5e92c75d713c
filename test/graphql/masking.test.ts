// What goes to the client of a failure, and what goes to the log.

import { describe, expect, test } from 'vitest';
import { ERROR_KINDS, GatewayError } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';
import { createFakeDirectory, type RecordBehaviour, urlValue } from '../support/fake-directory.ts';
import { createTestGateway } from '../support/gateway.ts';

interface Entry {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function createLogBook(): { log: Log; entries: Entry[] } {
  const entries: Entry[] = [];
  const at = (level: string) => (fields: unknown) => {
    entries.push({ level, fields: fields as Entry['fields'] });
  };
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, entries };
}

/** Asks for two names, of which the first is answered as told. */
async function askBoth(behaviour: RecordBehaviour) {
  const { log, entries } = createLogBook();
  const records = { '10.5555/bad': behaviour, '10.5555/good': [urlValue('https://example.org/')] };
  const gateway = await createTestGateway({ directory: createFakeDirectory({ records }), log });
  const result = await gateway.query<{ bad: unknown; good: unknown }>(
    '{ bad: doi(input: "10.5555/bad") { name exists } good: doi(input: "10.5555/good") { exists } }',
  );
  await gateway.close();
  return { ...result, entries };
}

describe('an error that is not in the table', () => {
  const secret = new TypeError('connect ECONNREFUSED redis://user:secret@10.0.0.7:6379');

  test('is masked: the client reads nothing of it', async () => {
    const { errors } = await askBoth(secret);
    expect(errors).toEqual([
      {
        message: ERROR_KINDS.INTERNAL_SERVER_ERROR.message,
        locations: [expect.anything()],
        path: ['bad', 'exists'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', retryable: false },
      },
    ]);
  });

  test('is logged once, as it was thrown, with its path', async () => {
    const { entries } = await askBoth(secret);
    expect(entries).toEqual([{ level: 'error', fields: { err: secret, path: ['bad', 'exists'] } }]);
  });

  test('costs nothing else in the request', async () => {
    const { data } = await askBoth(secret);
    expect(data).toEqual({ bad: { name: '10.5555/bad', exists: null }, good: { exists: true } });
  });

  test('is masked too where it is no Error and where it speaks GraphQL of its own', async () => {
    const thrown = Object.assign(new Error('secret'), {
      extensions: { code: 'SECRET', http: { status: 200 } },
    });
    const { errors } = await askBoth(thrown);
    expect(errors?.[0]?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', retryable: false });
    // A rejection with a string, as careless code does it.
    const careless = await askBoth(() => Promise.reject('secret'));
    expect(JSON.stringify(careless.errors)).not.toContain('secret');
    expect(careless.errors?.[0]?.extensions).toEqual({ code: 'INTERNAL_SERVER_ERROR', retryable: false });
  });
});

describe('an error of the table', () => {
  test('reaches the client with its details and without its cause, and is not logged as unexpected', async () => {
    const cause = new Error('secret');
    const failure = new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 30 }, cause });
    const { errors, entries } = await askBoth(failure);
    expect(errors?.[0]).toMatchObject({
      message: ERROR_KINDS.UPSTREAM_RATE_LIMITED.message,
      extensions: { code: 'UPSTREAM_RATE_LIMITED', retryable: true, retryAfterSeconds: 30 },
    });
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(entries).toEqual([]);
  });
});

describe('an error of GraphQL itself', () => {
  test('names the variable and the place in it that cannot be used', async () => {
    const gateway = await createTestGateway({ directory: createFakeDirectory() });
    const query = 'query($inputs: [String!]!) { dois(inputs: $inputs) { id } }';
    const { errors } = await gateway.query(query, { inputs: ['10.5555/1', 5, null] });
    expect(errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"\$inputs" got invalid value 5 at "inputs\[1\]"/),
      expect.stringMatching(/"\$inputs" got invalid value null at "inputs\[2\]"/),
    ]);
    await gateway.close();
  });
});
