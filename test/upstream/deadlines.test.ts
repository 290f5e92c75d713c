// Many wait on one signal; to the signal, which goes through its listeners one by one, they are one.

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { abortable } from '../../src/abortable.ts';
import type { LookUpBatch } from '../../src/directory/requester.ts';
import { steadyClock } from '../../src/time.ts';
import { createDeadlines } from '../../src/upstream/deadlines.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const never = (): Promise<never> => new Promise(() => {});

test('a thousand who wait are one listener, and all hear of the abort', async () => {
  const { signal, abort } = newSignal();
  const waiting = Array.from({ length: 1_000 }, () => abortable(never(), signal));
  const life = createDeadlines(60_000, steadyClock).start(signal);
  expect(listeners(signal)).toBe(1);
  abort('gone');
  const outcomes = await Promise.allSettled(waiting);
  expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason))).toEqual(
    new Set(['gone']),
  );
  expect(life.signal.reason).toBe('gone');
  life.end();
});

test('a signal is let go when the last who waited has its answer, and listened to again by the next', async () => {
  const { signal, abort } = newSignal();
  const answer = withResolvers();
  const first = abortable(answer.promise, signal);
  const life = createDeadlines(60_000, steadyClock).start(signal);
  answer.resolve('answer');
  expect(await first).toBe('answer');
  expect(listeners(signal)).toBe(1);
  life.end();
  expect(listeners(signal)).toBe(0);
  const next = abortable(never(), signal);
  expect(listeners(signal)).toBe(1);
  abort('gone');
  await expect(next).rejects.toBe('gone');
  expect(life.signal.aborted).toBe(false);
});

test('of a signal that is aborted already nothing is awaited', async () => {
  const signal = AbortSignal.abort('gone');
  await expect(abortable(never(), signal)).rejects.toBe('gone');
  expect(createDeadlines(60_000, steadyClock).start(signal).signal.reason).toBe('gone');
  expect(listeners(signal)).toBe(0);
});

test('look-ups that were asked for together have the deadline of the first, and end in the order of deadlines', () => {
  const time = createManualTime();
  const lifetimes = createDeadlines(100, time);
  const ended: string[] = [];
  const start = (name: string, batch?: LookUpBatch): void =>
    lifetimes.start(undefined, batch).onAbort(() => ended.push(`${name} at ${time.now()}`));
  const batch: LookUpBatch = { begunAt: undefined, toCome: 0 };
  start('first', batch);
  time.advance(60);
  start('alone');
  start('later', batch);
  time.advance(39);
  expect(ended).toEqual([]);
  time.advance(1);
  expect(ended).toEqual(['first at 100', 'later at 100']);
  start('too late', batch);
  time.advance(1);
  time.advance(59);
  expect(ended.slice(2)).toEqual(['too late at 101', 'alone at 160']);
});

test('one that has ended is not in the way of others, however often it ends', () => {
  const time = createManualTime();
  const lifetimes = createDeadlines(100, time);
  const first = lifetimes.start(undefined);
  time.advance(50);
  const others = [lifetimes.start(undefined), lifetimes.start(undefined)];
  first.end();
  first.end();
  time.advance(100);
  expect(first.isAborted).toBe(false);
  expect(others.map(({ isAborted }) => isAborted)).toEqual([true, true]);
});

function newSignal() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}

function withResolvers() {
  let resolve: (answer: string) => void = () => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('those that began by a moment are ended, a part of them in each turn, and the others keep their deadline', async () => {
  const time = createManualTime();
  const lifetimes = createDeadlines(1_000, time);
  const ended: string[] = [];
  const start = (name: string): void => {
    const life = lifetimes.start(undefined);
    life.onAbort(() => ended.push(`${name}: ${life.reason instanceof Error ? 'deadline' : life.reason}`));
  };
  for (let index = 0; index < 600; index += 1) start('early');
  time.advance(10);
  start('at the moment');
  time.advance(10);
  start('late');
  lifetimes.endBegunBy(10, 'given up');
  expect(ended).toHaveLength(250);
  await settled();
  expect([ended.length, ended.at(-1)]).toEqual([601, 'at the moment: given up']);
  time.advance(1_000);
  expect(ended.slice(601)).toEqual(['late: deadline']);
});
