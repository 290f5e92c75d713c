import { expect, test } from 'vitest';
import { Flight } from '../../src/cache/in-flight.ts';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { settled } from '../support/virtual-clock.ts';

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
  'a flight continues for a caller %s that joins in the tick in which the last caller leaves',
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
