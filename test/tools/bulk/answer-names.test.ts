// Looks up many names in few operations, with retries of temporary failures. A failure never means absent.

import { describe, expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../../src/app.ts';
import { GatewayError } from '../../../src/errors.ts';
import { answerNames } from '../../../src/tools/bulk/answer-names.ts';
import { FIELDS, readFields } from '../../../src/tools/bulk/fields.ts';
import {
  NoGatewayError,
  type SendOperation,
  sendInProcess,
} from '../../../src/tools/gateway-client/send-operation.ts';
import {
  createFakeDirectory,
  type FakeDirectoryOptions,
  type RecordBehaviour,
  urlValue,
} from '../../support/fake-directory.ts';
import { createTestGateway } from '../../support/gateway.ts';
import { testTable } from '../../support/test-table.ts';

const EXISTS = readFields('exists');
const FOUND = [urlValue('https://example.org/')];

function namesUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `10.1000/${index}`);
}

function allFound(names: readonly string[]): Record<string, RecordBehaviour> {
  return Object.fromEntries(names.map((name) => [name, FOUND]));
}

/** Fails this many times, and is then found. */
function failing(error: Error, times: number): RecordBehaviour {
  let left = times;
  const found = createFakeDirectory({ records: { x: FOUND } });
  return async (name) => {
    left -= 1;
    if (left >= 0) throw error;
    const { values } = await found.resolve('x' as typeof name);
    return { ...(await found.resolve('x' as typeof name)), handle: name, values };
  };
}

async function setUp(
  options: FakeDirectoryOptions,
  env: Readonly<Record<string, string>> = {},
  limits: AppParts['limits'] = {},
) {
  const directory = createFakeDirectory(options);
  const { app, close } = await createTestGateway({ directory, limits }, env);
  onTestFinished(close);
  const sendHere = sendInProcess(app.fetch);
  const sizes: number[] = [];
  const waits: number[] = [];
  const send: SendOperation = (query, variables, signal) => {
    sizes.push((variables['inputs'] as string[]).length);
    return sendHere(query, variables, signal);
  };
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  return { gateway: { send, wait }, sizes, waits, calls: directory.calls };
}

describe('one operation', () => {
  test('looks up all names', async () => {
    const names = namesUpTo(1_000);
    const { gateway, sizes, calls } = await setUp({ records: allFound(names.slice(1)) });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers.map((answer) => answer?.values[0])).toEqual([false, ...names.slice(1).map(() => true)]);
    expect(sizes).toEqual([1_000]);
    expect(calls.resolve).toHaveLength(1_000);
  });

  test('reports an input that is not a DOI name, and looks up the other names', async () => {
    const { gateway } = await setUp({ records: allFound(['10.1000/1']) });
    const fields = readFields('name,exists,problem');
    expect(await answerNames(['nothing', '10.1000/1'], fields, gateway)).toEqual([
      { values: [null, null, 'NOT_A_DOI'], error: 'INVALID_DOI' },
      { values: ['10.1000/1', true, null], error: null },
    ]);
  });

  test('reads all names in the given form', async () => {
    const { gateway } = await setUp({});
    const fields = readFields('name');
    const [literal] = await answerNames(['10.1000/a%23b'], fields, { ...gateway, form: 'NAME' });
    expect(literal?.values).toEqual(['10.1000/a%23b']);
    const [decoded] = await answerNames(['10.1000/a%23b'], fields, gateway);
    expect(decoded?.values).toEqual(['10.1000/a#b']);
  });

  test('makes no look-up for computed fields', async () => {
    const { gateway, calls } = await setUp({});
    const computed = FIELDS.filter(({ isLookUp }) => !isLookUp);
    const [answer] = await answerNames(['10.1000/182/'], computed, gateway);
    expect(answer?.error).toBeNull();
    expect([calls.resolve, calls.whichRa]).toEqual([[], []]);
  });

  testTable(FIELDS.filter(({ isLookUp }) => isLookUp).map((field) => [field.name, field] as const))(
    'the field %s needs a look-up',
    async (_, field) => {
      const { gateway, calls } = await setUp({ metadata: {} });
      await answerNames(['10.1000/1'], [field], gateway);
      expect([...calls.resolve, ...calls.whichRa, ...(calls.describe ?? [])]).not.toEqual([]);
    },
  );
});

describe('a temporary failure is retried', () => {
  test('only for the failed names, after the stated wait', async () => {
    const names = namesUpTo(4);
    const busy = new GatewayError('UPSTREAM_RATE_LIMITED', { details: { retryAfterSeconds: 7 } });
    const records = { ...allFound(names), [names[1] as string]: failing(busy, 2) };
    const { gateway, sizes, waits } = await setUp({ records });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers).toEqual(names.map(() => ({ values: [true], error: null })));
    expect(sizes).toEqual([4, 1, 1]);
    expect(waits).toEqual([7_000, 7_000]);
  });

  test('after longer and longer waits if no wait is stated, and only a few times', async () => {
    const records = { '10.1000/0': failing(new GatewayError('UPSTREAM_TIMEOUT'), 100) };
    const { gateway, sizes, waits } = await setUp({ records });
    const answers = await answerNames(['10.1000/0'], EXISTS, gateway);
    expect(answers).toEqual([{ values: [null], error: 'UPSTREAM_TIMEOUT' }]);
    expect(sizes).toHaveLength(5);
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  test('after at most a minute', async () => {
    const busy = new GatewayError('GATEWAY_BUSY', { details: { retryAfterSeconds: 9_999 } });
    const { gateway, waits } = await setUp({ records: { '10.1000/0': failing(busy, 1) } });
    await answerNames(['10.1000/0'], EXISTS, gateway);
    expect(waits).toEqual([60_000]);
  });

  test('without a limit in a busy gateway, while some names get a result', async () => {
    const names = namesUpTo(200);
    let slots = 0;
    const found = createFakeDirectory({ records: allFound(names) });
    const busy = new GatewayError('GATEWAY_BUSY', { details: { retryAfterSeconds: 1 } });
    const behave: RecordBehaviour = (name) => {
      slots -= 1;
      return slots < 0 ? Promise.reject(busy) : found.resolve(name);
    };
    const { gateway, sizes } = await setUp({
      records: Object.fromEntries(names.map((name) => [name, behave])),
    });
    slots = 10;
    const wait = async () => {
      slots = 10;
    };
    const answers = await answerNames(names, EXISTS, { ...gateway, wait });
    expect(answers.every((answer) => answer?.values[0] === true)).toBe(true);
    // Each operation has twice as many names as got a result in the last operation.
    expect(Math.max(...sizes.slice(1))).toBe(20);
  });

  test('not for the other names after an outage of all names', async () => {
    const names = namesUpTo(100);
    const down = new GatewayError('UPSTREAM_UNAVAILABLE');
    const records = Object.fromEntries(names.map((name) => [name, down]));
    const { gateway, sizes } = await setUp({ records });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers).toEqual(names.map(() => ({ values: [null], error: 'UPSTREAM_UNAVAILABLE' })));
    expect(sizes).toEqual([100, 16, 16, 16, 16]);
  });

  describe('not if the circuit of the gateway held back', () => {
    const details = { heldBack: true, retryAfterSeconds: 2 };

    test('a name: the other names have a result', async () => {
      const names = namesUpTo(3);
      const heldBack = new GatewayError('UPSTREAM_UNAVAILABLE', { details });
      const records = { ...allFound(names), [names[1] as string]: heldBack };
      const { gateway, sizes, waits } = await setUp({ records });
      const answers = await answerNames(names, EXISTS, gateway);
      expect(answers.map((answer) => answer?.error)).toEqual([null, 'UPSTREAM_UNAVAILABLE', null]);
      expect([sizes, waits]).toEqual([[3], []]);
    });

    test('the whole operation', async () => {
      const extensions = { code: 'UPSTREAM_UNAVAILABLE', retryable: true, ...details };
      const waits: number[] = [];
      const answers = await answerNames(['10.1000/1'], EXISTS, {
        send: async () => ({ data: null, errors: [{ message: 'The directory is down.', extensions }] }),
        wait: async (ms) => void waits.push(ms),
      });
      expect(answers).toEqual([{ values: [null], error: 'UPSTREAM_UNAVAILABLE' }]);
      expect(waits).toEqual([]);
    });
  });

  test('not if it is permanent', async () => {
    const records = { '10.1000/0': new GatewayError('UPSTREAM_BAD_RESPONSE') };
    const { gateway, sizes } = await setUp({ records });
    const answers = await answerNames(['10.1000/0'], EXISTS, gateway);
    expect(answers).toEqual([{ values: [null], error: 'UPSTREAM_BAD_RESPONSE' }]);
    expect(sizes).toEqual([1]);
  });

  test('not after a stop: names without a result stay undefined', async () => {
    const names = namesUpTo(3);
    const records = { ...allFound(names), [names[1] as string]: new GatewayError('UPSTREAM_TIMEOUT') };
    const { gateway, sizes } = await setUp({ records });
    const stop = new AbortController();
    const wait = async () => {
      stop.abort(new Error('stopped'));
      throw new Error('stopped');
    };
    const answers = await answerNames(names, EXISTS, { ...gateway, wait, stop: stop.signal });
    expect(answers.map((answer) => answer?.values[0])).toEqual([true, undefined, true]);
    expect(sizes).toEqual([3]);
  });
});

describe('if the gateway allows fewer', () => {
  test('look-ups, the other names are sent in smaller operations', async () => {
    const names = namesUpTo(100);
    const { gateway, sizes, waits, calls } = await setUp({ records: allFound(names) }, { MAX_LOOKUPS: '30' });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers.every((answer) => answer?.values[0] === true)).toBe(true);
    expect(calls.resolve).toHaveLength(100);
    expect(waits).toEqual([]);
    expect(sizes[0]).toBe(100);
  });

  test('fields, operations are halved until they fit', async () => {
    const names = namesUpTo(64);
    const { gateway, sizes } = await setUp({ records: allFound(names) }, {}, { complexity: 1_000 });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers.every((answer) => answer?.values[0] === true)).toBe(true);
    expect(sizes.slice(0, 3)).toEqual([64, 32, 16]);
    expect(Math.max(...sizes.slice(2))).toBe(16);
  });

  test('look-ups than one name needs, the name fails', async () => {
    const { gateway } = await setUp({}, {}, { complexity: 100 });
    const answers = await answerNames([`10.1000/${'x'.repeat(9_000)}`, '10.1000/1'], EXISTS, gateway);
    expect(answers.map((answer) => answer?.error)).toEqual(['LIMIT_EXCEEDED', null]);
  });
});

describe('no gateway', () => {
  const wait = async () => undefined;

  test('is retried, and then ends the run', async () => {
    let operations = 0;
    const send: SendOperation = async () => {
      operations += 1;
      throw new NoGatewayError('https://example.org could not be reached.');
    };
    await expect(answerNames(['10.1000/1'], EXISTS, { send, wait })).rejects.toThrow('could not be reached');
    expect(operations).toBe(5);
  });

  test('that accepts such operations ends the run at once', async () => {
    let operations = 0;
    const send: SendOperation = async () => {
      operations += 1;
      return {
        data: null,
        errors: [{ message: 'Send a key.', extensions: { code: 'UNAUTHENTICATED', retryable: false } }],
      };
    };
    await expect(answerNames(['10.1000/1'], EXISTS, { send, wait })).rejects.toThrow(
      'Send a key. (UNAUTHENTICATED)',
    );
    expect(operations).toBe(1);
  });
});
