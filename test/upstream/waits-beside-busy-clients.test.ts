// How long a client with a look-up every 100 ms waits beside clients with too many look-ups, in simulated time.

import { expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { createQueueUnderTest, createRate, type LookUp } from './queue-under-test.ts';

const ANSWER_MS = 50;
const STEP_MS = 10;
const LOOK_UPS_MS = 2_000;

interface Load {
  readonly clients: number;
  /** number of look-ups in each list; a client starts its next list when its list has ended */
  readonly names: number;
  /** whether the directory never answers the names */
  readonly hang?: boolean;
  readonly perSecond?: number;
}

/** Grants all requests of a second at its beginning. */
function createBurstyRate(perSecond: number) {
  let left = 0;
  const waiting: (() => void)[] = [];
  const grant = (): void => {
    if (left === 0 || waiting.length === 0) return;
    left -= 1;
    waiting.shift()?.();
  };
  const take = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      grant();
    });
  return {
    ...createRate(perSecond, take),
    beginSecond() {
      left = perSecond;
      grant();
    },
  };
}

/** Returns the milliseconds of each look-up of the client `honest`. */
async function waitsBeside({ clients, names, hang = false, perSecond }: Load): Promise<number[]> {
  const rate = perSecond === undefined ? null : createBurstyRate(perSecond);
  const queue = createQueueUnderTest({ slots: 64, rate });
  const honest: { readonly at: number; readonly lookUp: LookUp; waitedMs?: number }[] = [];
  queue.lookUp('honest', 'before');
  const others = Array.from({ length: clients }, (_, index) => `other${index}`);
  const lists = new Map(others.map((client) => [client, queue.lookUpMany(client, names)]));
  let checked = 0;
  for (let ms = 0; ms < LOOK_UPS_MS || honest.some(({ waitedMs }) => waitedMs === undefined); ms += STEP_MS) {
    if (ms % 1_000 === 0) rate?.beginSecond();
    if (ms < LOOK_UPS_MS && ms % 100 === 0)
      honest.push({ at: ms, lookUp: queue.lookUp('honest', `name-${ms}`) });
    await queue.advance(STEP_MS);
    for (let sent = queue.sent[checked]; sent && sent.at + ANSWER_MS <= queue.time.now(); ) {
      if (!(hang && sent.name.startsWith('other'))) void sent.answer();
      checked += 1;
      sent = queue.sent[checked];
    }
    await settled();
    for (const one of honest) {
      if (one.lookUp.outcome !== 'waiting') one.waitedMs ??= queue.time.now() - one.at;
    }
    for (const [client, list] of lists) {
      if (list.every(({ outcome }) => outcome !== 'waiting'))
        lists.set(client, queue.lookUpMany(client, names));
    }
  }
  expect(honest.map(({ lookUp }) => lookUp.outcome)).toEqual(honest.map(({ lookUp }) => lookUp.name));
  return honest.map(({ waitedMs = Number.NaN }) => waitedMs);
}

test.each<[string, Load, number]>([
  ['a client with 1,000 names', { clients: 1, names: 1_000 }, 110],
  ['8 clients with 1,000 names each', { clients: 8, names: 1_000 }, 110],
  ['20 clients with 600 names each, more than can wait', { clients: 20, names: 600 }, 110],
  ['a client with 1,000 names, at 50 requests a second', { clients: 1, names: 1_000, perSecond: 50 }, 1_060],
  ['4 clients with 200 names each that hang', { clients: 4, names: 200, hang: true }, 400],
])('beside %s, no look-up of another client fails or waits too long', async (_, load, maxMs) => {
  const waits = await waitsBeside(load);
  expect(waits).toHaveLength(20);
  expect(Math.max(...waits)).toBeLessThanOrEqual(maxMs);
});
