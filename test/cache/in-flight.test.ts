// Work that several wait for: it ends for nobody's sake but the last one's.

import { expect, test } from 'vitest';
import { Flight } from '../../src/cache/in-flight.ts';
import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { settled } from '../support/virtual-clock.ts';

const reason = new Error('the client has gone');

/** A flight whose work the test ends, and what is told of its being given up. */
function createFlightUnderTest() {
  const told: string[] = [];
  let land: (value: string) => void = () => undefined;
  const flight = new Flight(
    GATEWAY_ITSELF,
    ({ signal }) =>
      new Promise<string>((resolve, reject) => {
        land = resolve;
        signal.addEventListener('abort', () => {
          told.push('the work');
          reject(signal.reason);
        });
      }),
    () => told.push('the owner'),
  );
  flight.ended.catch(() => undefined);
  return { flight, told, land: (value: string) => land(value) };
}

test('is given up when the last who waits has gone, and its owner hears of it first', async () => {
  const { flight, told } = createFlightUnderTest();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [flight.join(one), flight.join(other)];
  one.abort(reason);
  await expect(waiting[0]).rejects.toBe(reason);
  await settled();
  expect(told).toEqual([]);
  other.abort(reason);
  await expect(waiting[1]).rejects.toBe(reason);
  expect(told).toEqual(['the owner', 'the work']);
  await expect(flight.ended).rejects.toThrow('no client waits');
  expect(flight.isAborted).toBe(true);
});

test('goes on for who has no signal, and for who comes in the tick in which the last one leaves', async () => {
  for (const signal of [undefined, new AbortController().signal]) {
    const { flight, told, land } = createFlightUnderTest();
    const leaving = new AbortController();
    const left = flight.join(leaving);
    leaving.abort(reason);
    const staying = flight.join({ signal });
    await expect(left).rejects.toBe(reason);
    await settled();
    expect(told).toEqual([]);
    land('landed');
    expect(await staying).toBe('landed');
  }
});

test('is not given up once it has landed, whoever leaves then', async () => {
  const { flight, told, land } = createFlightUnderTest();
  const controller = new AbortController();
  const answer = flight.join(controller);
  land('landed');
  expect(await answer).toBe('landed');
  controller.abort(reason);
  await settled();
  expect(told).toEqual([]);
});
