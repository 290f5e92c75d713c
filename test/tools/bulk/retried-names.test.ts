// Failed names are looked up again a few times. A failure never means absent.

import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { answerNames } from '../../../src/tools/bulk/answer-names.ts';
import { createFakeDirectory, type RecordBehaviour } from '../../support/fake-directory.ts';
import { allFound, EXISTS, FOUND, namesUpTo, setUp } from './names-gateway.ts';

/** A name that fails this many times, and is then found. */
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

  test('after a wait of at most a minute', async () => {
    const busy = new GatewayError('GATEWAY_BUSY', { details: { retryAfterSeconds: 9_999 } });
    const { gateway, waits } = await setUp({ records: { '10.1000/0': failing(busy, 1) } });
    await answerNames(['10.1000/0'], EXISTS, gateway);
    expect(waits).toEqual([60_000]);
  });

  test('without a limit if the gateway is busy, while some names get a result', async () => {
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
    // Each operation has twice as many names as the previous operation had results.
    expect(Math.max(...sizes.slice(1))).toBe(20);
  });

  test('only for a few names if all names fail', async () => {
    const names = namesUpTo(100);
    const down = new GatewayError('UPSTREAM_UNAVAILABLE');
    const records = Object.fromEntries(names.map((name) => [name, down]));
    const { gateway, sizes } = await setUp({ records });
    const answers = await answerNames(names, EXISTS, gateway);
    expect(answers).toEqual(names.map(() => ({ values: [null], error: 'UPSTREAM_UNAVAILABLE' })));
    expect(sizes).toEqual([100, 16, 16, 16, 16]);
  });

  describe('unless the circuit of the gateway held back', () => {
    const details = { heldBack: true, retryAfterSeconds: 2 };

    test('a name, and the other names get a result', async () => {
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

  test('unless the failure is permanent', async () => {
    const records = { '10.1000/0': new GatewayError('UPSTREAM_BAD_RESPONSE') };
    const { gateway, sizes } = await setUp({ records });
    const answers = await answerNames(['10.1000/0'], EXISTS, gateway);
    expect(answers).toEqual([{ values: [null], error: 'UPSTREAM_BAD_RESPONSE' }]);
    expect(sizes).toEqual([1]);
  });

  test('unless the run stops, and then names without a result stay undefined', async () => {
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
