// What finds no room, or has no turn in time, is told so; what is held back leaves the queue.

import { describe, expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { askMany, createQueueUnderTest, createRate, outcomesOf } from './queue-under-test.ts';

test('a thousand deadlines leave the event loop a turn in between', async () => {
  const queue = createQueueUnderTest({ deadlineMs: 1_000 });
  const asked = askMany(queue, 'a', 1_000);
  queue.time.advance(1_000);
  expect(queue.counts.refused).toBeGreaterThan(0);
  expect(queue.counts.refused).toBeLessThanOrEqual(250);
  await settled();
  await settled();
  expect(outcomesOf(asked)).not.toContain('waiting');
});

describe('GATEWAY_BUSY', () => {
  test('is for what was not sent before its deadline, or was taken back and not sent again', async () => {
    const queue = createQueueUnderTest({ slots: 1, deadlineMs: 1_000 });
    const [taken] = askMany(queue, 'a', 1);
    const [sent, late] = [queue.ask('b', 'sent'), queue.ask('b', 'late')];
    await queue.advance(500);
    expect(queue.runningNames()).toEqual(['sent']);
    await queue.advance(500);
    expect([taken?.outcome, sent.outcome, late.outcome]).toEqual([
      'GATEWAY_BUSY',
      'UPSTREAM_TIMEOUT',
      'GATEWAY_BUSY',
    ]);
    expect(queue.counts.refused).toBe(2);
    expect(late.error?.details).toEqual({ retryAfterSeconds: 1 });
  });

  test('is for the newest of whoever has most waiting, when the queue is full', async () => {
    const queue = createQueueUnderTest({ slots: 1, maxWaiting: 5 });
    const [much, little] = [askMany(queue, 'a', 6), askMany(queue, 'b', 2)];
    await settled();
    expect(outcomesOf(much).slice(-3)).toEqual(['waiting', 'GATEWAY_BUSY', 'GATEWAY_BUSY']);
    expect(outcomesOf(little)).toEqual(['waiting', 'waiting']);
    const [more] = [queue.ask('a', 'more')];
    await settled();
    expect(more.outcome).toBe('GATEWAY_BUSY');
    expect(queue.counts).toMatchObject({ waiting: 5, refused: 3 });
  });

  test('comes at once where the rate cannot be kept before the deadline', async () => {
    const rate = createRate(10, () => new Promise(() => {}));
    const queue = createQueueUnderTest({ rate, deadlineMs: 2_000 });
    const asked = askMany(queue, 'a', 50);
    await settled();
    expect(outcomesOf(asked).indexOf('GATEWAY_BUSY')).toBe(30);
    expect(asked[49]?.error?.details).toEqual({ retryAfterSeconds: 4 });
    expect(queue.ask('b', 'other').outcome).toBe('waiting');
  });
});

describe('what is held back', () => {
  const heldBack = new Error('held back');

  test('is told so at once, and stands in no line', async () => {
    const queue = createQueueUnderTest();
    const asked = queue.ask('a', 'held', () => {
      throw heldBack;
    });
    await settled();
    expect(asked.error).toBe(heldBack);
    expect(queue.counts).toMatchObject({ waiting: 0, running: 0, refused: 0 });
  });

  test('while it waits ends when it would have its turn, and takes none of the rate', async () => {
    let taken = 0;
    const take = async () => {
      taken += 1;
    };
    const queue = createQueueUnderTest({ slots: 1, rate: createRate(100, take) });
    const circuit = { isOpen: false };
    const check = () => {
      if (circuit.isOpen) throw heldBack;
    };
    const [first, held, other] = [
      queue.ask('a', 'first'),
      queue.ask('a', 'held', check),
      queue.ask('a', 'other'),
    ];
    await settled();
    circuit.isOpen = true;
    await queue.running()[0]?.answer();
    expect(first.outcome).toBe('first');
    expect(held.error).toBe(heldBack);
    expect(queue.runningNames()).toEqual(['other']);
    expect([other.outcome, taken]).toEqual(['waiting', 2]);
  });
});
