// What a client that asks for a name every 100 ms waits for beside others that ask too much, in simulated time.

import { expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { type Asked, askMany, createQueueUnderTest, createRate } from './queue-under-test.ts';

const ANSWER_MS = 50;
const STEP_MS = 10;
const ASKS_FOR_MS = 2_000;

interface Load {
  readonly clients: number;
  /** of each list; the next one is asked for when all of it has ended */
  readonly names: number;
  /** names that are never answered */
  readonly hang?: boolean;
  readonly perSecond?: number;
}

/** So many requests a second, all of them at its beginning if there are as many: the least even way of it. */
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

/** Milliseconds of each of its names. */
async function waitsBeside({ clients, names, hang = false, perSecond }: Load): Promise<number[]> {
  const rate = perSecond === undefined ? null : createBurstyRate(perSecond);
  const queue = createQueueUnderTest({ slots: 64, rate });
  const honest: { readonly at: number; readonly asked: Asked; waitedMs?: number }[] = [];
  queue.ask('honest', 'before');
  const others = Array.from({ length: clients }, (_, index) => `other${index}`);
  const lists = new Map(others.map((client) => [client, askMany(queue, client, names)]));
  let looked = 0;
  for (let ms = 0; ms < ASKS_FOR_MS || honest.some(({ waitedMs }) => waitedMs === undefined); ms += STEP_MS) {
    if (ms % 1_000 === 0) rate?.beginSecond();
    if (ms < ASKS_FOR_MS && ms % 100 === 0) honest.push({ at: ms, asked: queue.ask('honest', `name-${ms}`) });
    await queue.advance(STEP_MS);
    for (let sent = queue.sent[looked]; sent && sent.at + ANSWER_MS <= queue.time.now(); ) {
      if (!(hang && sent.name.startsWith('other'))) void sent.answer();
      looked += 1;
      sent = queue.sent[looked];
    }
    await settled();
    for (const one of honest) {
      if (one.asked.outcome !== 'waiting') one.waitedMs ??= queue.time.now() - one.at;
    }
    for (const [client, list] of lists) {
      if (list.every(({ outcome }) => outcome !== 'waiting'))
        lists.set(client, askMany(queue, client, names));
    }
  }
  expect(honest.map(({ asked }) => asked.outcome)).toEqual(honest.map(({ asked }) => asked.name));
  return honest.map(({ waitedMs = Number.NaN }) => waitedMs);
}

test.each<[string, Load, number]>([
  ['a client with 1,000 names', { clients: 1, names: 1_000 }, 110],
  ['8 clients with 1,000 names each', { clients: 8, names: 1_000 }, 110],
  ['20 clients with 600 names each, which is more than may wait', { clients: 20, names: 600 }, 110],
  ['a client with 1,000 names, at 50 requests a second', { clients: 1, names: 1_000, perSecond: 50 }, 1_060],
  ['4 clients with 200 names each that hang', { clients: 4, names: 200, hang: true }, 400],
])('beside %s none of its names fails, or waits for long', async (_, load, mostMs) => {
  const waits = await waitsBeside(load);
  expect(waits).toHaveLength(20);
  expect(Math.max(...waits)).toBeLessThanOrEqual(mostMs);
});
