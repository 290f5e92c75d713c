import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { abortable } from '../../src/abortable.ts';
import type { LookUpBatch } from '../../src/directory/requester.ts';
import { steadyClock } from '../../src/time.ts';
import { createDeadlines } from '../../src/upstream/deadlines.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;
const never = (): Promise<never> => new Promise(() => {});

test('when a signal aborts, all look-ups that wait with it end with the reason of the signal', async () => {
  const controller = new AbortController();
  const waiting = Array.from({ length: 1_000 }, () => abortable(never(), controller.signal));
  const deadline = createDeadlines(60_000, steadyClock).start(controller.signal);
  controller.abort('gone');
  const outcomes = await Promise.allSettled(waiting);
  expect(new Set(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason))).toEqual(
    new Set(['gone']),
  );
  expect(deadline.signal.reason).toBe('gone');
  deadline.end();
});

test('a signal has one listener while look-ups wait, and no listener afterwards', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  let answer: (text: string) => void = () => {};
  const first = abortable(new Promise<string>((resolve) => (answer = resolve)), signal);
  const deadline = createDeadlines(60_000, steadyClock).start(signal);
  expect(listeners(signal)).toBe(1);
  answer('answer');
  expect(await first).toBe('answer');
  expect(listeners(signal)).toBe(1);
  deadline.end();
  expect(listeners(signal)).toBe(0);
  const next = abortable(never(), signal);
  controller.abort('gone');
  await expect(next).rejects.toBe('gone');
  expect(deadline.signal.aborted).toBe(false);
});

test('a look-up with an aborted signal ends at once', async () => {
  const signal = AbortSignal.abort('gone');
  await expect(abortable(never(), signal)).rejects.toBe('gone');
  expect(createDeadlines(60_000, steadyClock).start(signal).signal.reason).toBe('gone');
  expect(listeners(signal)).toBe(0);
});

test('a sleep ends with the reason of its signal as soon as the signal aborts, and leaves no timer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const controller = new AbortController();
  const slept = steadyClock.sleep(60_000, controller.signal);
  controller.abort('gone');
  await expect(slept).rejects.toBe('gone');
  expect(vi.getTimerCount()).toBe(0);
});

test('all look-ups of a batch have the deadline of its first look-up, and end in the order of deadlines', () => {
  const time = createManualTime();
  const deadlines = createDeadlines(100, time);
  const ended: string[] = [];
  const start = (name: string, batch?: LookUpBatch): void =>
    deadlines.start(undefined, batch).onAbort(() => ended.push(`${name} at ${time.now()}`));
  const batch: LookUpBatch = { begunAt: undefined, toCome: 0 };
  start('first', batch);
  time.advance(60);
  start('single');
  start('later', batch);
  time.advance(39);
  expect(ended).toEqual([]);
  time.advance(1);
  expect(ended).toEqual(['first at 100', 'later at 100']);
  start('too late', batch);
  time.advance(1);
  time.advance(59);
  expect(ended.slice(2)).toEqual(['too late at 101', 'single at 160']);
});

test('a look-up that has ended does not delay other deadlines, however often it ends', () => {
  const time = createManualTime();
  const deadlines = createDeadlines(100, time);
  const first = deadlines.start(undefined);
  time.advance(50);
  const others = [deadlines.start(undefined), deadlines.start(undefined)];
  first.end();
  first.end();
  time.advance(100);
  expect(first.isAborted).toBe(false);
  expect(others.map(({ isAborted }) => isAborted)).toEqual([true, true]);
});

test('look-ups end in slices if many have one deadline, or if all that began before a moment must end', async () => {
  const time = createManualTime();
  const deadlines = createDeadlines(1_000, time);
  const ended: string[] = [];
  const start = (name: string, count = 1): void => {
    for (let index = 0; index < count; index += 1) {
      const deadline = deadlines.start(undefined);
      deadline.onAbort(() => {
        ended.push(`${name}: ${deadline.reason instanceof Error ? 'deadline' : deadline.reason}`);
      });
    }
  };
  start('early', 600);
  time.advance(10);
  start('at the moment');
  time.advance(10);
  start('late', 600);
  deadlines.endBegunBy(10, 'the circuit is open');
  expect(ended).toHaveLength(250);
  await settled();
  expect([ended.length, ended.at(-1)]).toEqual([601, 'at the moment: the circuit is open']);
  time.advance(1_000);
  expect(ended).toHaveLength(851);
  await settled();
  expect([ended.length, ended.at(-1)]).toEqual([1_201, 'late: deadline']);
});
