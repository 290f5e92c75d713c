import { describe, expect, test } from 'vitest';
import { Flight } from '../../src/cache/in-flight.ts';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { doiName } from '../support/doi-names.ts';
import { settled } from '../support/virtual-clock.ts';
import { createCacheUnderTest, DOWN, livingFor } from './cache-under-test.ts';

const reason = new Error('the client has gone');

/** A flight whose work ends when the test calls `land`. `aborts`: what was aborted, in order. */
function createFlightUnderTest() {
  const aborts: string[] = [];
  let land: (value: string) => void = () => undefined;
  const flight = new Flight(
    GATEWAY_ITSELF,
    ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        land = resolve;
        signal.addEventListener('abort', () => {
          aborts.push('the work');
          reject(signal.reason);
        });
      }),
    () => aborts.push('the flight'),
  );
  flight.ended.catch(() => undefined);
  return { flight, aborts, land: (value: string) => land(value) };
}

test('a flight is aborted when its last caller leaves, and then its work is aborted', async () => {
  const { flight, aborts } = createFlightUnderTest();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [flight.join(one), flight.join(other)];
  one.abort(reason);
  await expect(waiting[0]).rejects.toBe(reason);
  await settled();
  expect(aborts).toEqual([]);
  other.abort(reason);
  await expect(waiting[1]).rejects.toBe(reason);
  expect(aborts).toEqual(['the flight', 'the work']);
  await expect(flight.ended).rejects.toThrow('no client waits');
  expect(flight.isAborted).toBe(true);
});

test.each([
  ['without a signal', undefined],
  ['with a signal', new AbortController().signal],
])(
  'a flight continues if the last caller leaves, and a caller %s joins in the same tick',
  async (_, signal) => {
    const { flight, aborts, land } = createFlightUnderTest();
    const leaving = new AbortController();
    const left = flight.join(leaving);
    leaving.abort(reason);
    const staying = flight.join({ signal });
    await expect(left).rejects.toBe(reason);
    await settled();
    expect(aborts).toEqual([]);
    land('landed');
    expect(await staying).toBe('landed');
  },
);

test('a flight is not aborted after its end', async () => {
  const { flight, aborts, land } = createFlightUnderTest();
  const controller = new AbortController();
  const answer = flight.join(controller);
  land('landed');
  expect(await answer).toBe('landed');
  controller.abort(reason);
  await settled();
  expect(aborts).toEqual([]);
});

describe('look-ups of one name at the same time', () => {
  test('cost one request, and each gets its own spelling', async () => {
    const cache = createCacheUnderTest();
    cache.says(livingFor(3_600));
    const spellings = ['10.1000/abc', '10.1000/ABC', '10.1000/aBc'].map(doiName);
    const names = Array.from({ length: 99 }, (_, i) => spellings[i % 3] ?? expect.unreachable());
    const records = await Promise.all(names.map((name) => cache.directory.resolve(name)));
    expect(records.map(({ handle }) => handle)).toEqual(names);
    expect(cache.calls.resolve).toHaveLength(1);
  });

  test('all fail if the request fails, and a later look-up sends a new request', async () => {
    const cache = createCacheUnderTest();
    const name = doiName('10.1000/a');
    cache.says(DOWN);
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => cache.directory.resolve(name)));
    expect(outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: DOWN }));
    cache.says(livingFor(3_600));
    expect(await cache.directory.resolve(name)).toMatchObject({ status: 'SUCCESS' });
    expect(cache.calls.resolve).toHaveLength(2);
  });
});
