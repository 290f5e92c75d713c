// Looks up many names in few operations.

import { describe, expect, test } from 'vitest';
import { answerNames } from '../../../src/tools/bulk/answer-names.ts';
import { FIELDS, readFields } from '../../../src/tools/bulk/fields.ts';
import { NoGatewayError, type SendOperation } from '../../../src/tools/gateway-client/send-operation.ts';
import { testTable } from '../../support/test-table.ts';
import { allFound, EXISTS, namesUpTo, setUp } from './names-gateway.ts';

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
    'makes a look-up for the field %s',
    async (_, field) => {
      const { gateway, calls } = await setUp({ metadata: {} });
      await answerNames(['10.1000/1'], [field], gateway);
      expect([...calls.resolve, ...calls.whichRa, ...(calls.describe ?? [])]).not.toEqual([]);
    },
  );
});

describe('if a limit of the gateway is too low', () => {
  test('for the look-ups of an operation, the remaining names are sent in smaller operations', async () => {
    const names = namesUpTo(100);
    const { gateway, sizes, waits, calls } = await setUp({ records: allFound(names) }, { MAX_LOOKUPS: '30' });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers.every((answer) => answer?.values[0] === true)).toBe(true);
    expect(calls.resolve).toHaveLength(100);
    expect(waits).toEqual([]);
    expect(sizes[0]).toBe(100);
  });

  test('for the size of an operation, the operation is halved until it fits', async () => {
    const names = namesUpTo(64);
    const { gateway, sizes } = await setUp({ records: allFound(names) }, {}, { complexity: 1_000 });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers.every((answer) => answer?.values[0] === true)).toBe(true);
    expect(sizes.slice(0, 3)).toEqual([64, 32, 16]);
    expect(Math.max(...sizes.slice(2))).toBe(16);
  });

  test('for a single name, the name fails', async () => {
    const { gateway } = await setUp({}, {}, { complexity: 100 });
    const answers = await answerNames([`10.1000/${'x'.repeat(9_000)}`, '10.1000/1'], EXISTS, gateway);
    expect(answers.map((answer) => answer?.error)).toEqual(['LIMIT_EXCEEDED', null]);
  });
});

describe('a gateway', () => {
  const wait = async () => undefined;

  test('that cannot be reached is retried, and then ends the run', async () => {
    let operations = 0;
    const send: SendOperation = async () => {
      operations += 1;
      throw new NoGatewayError('https://example.org could not be reached.');
    };
    await expect(answerNames(['10.1000/1'], EXISTS, { send, wait })).rejects.toThrow('could not be reached');
    expect(operations).toBe(5);
  });

  test('that refuses all operations ends the run at once', async () => {
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
