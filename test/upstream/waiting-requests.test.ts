import { describe, expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { createQueueUnderTest, createRate, outcomesOf } from './queue-under-test.ts';

describe('a look-up fails with GATEWAY_BUSY', () => {
  test('if it was not sent before its deadline, or lost its slot and was not sent again', async () => {
    const queue = createQueueUnderTest({ slots: 1, deadlineMs: 1_000 });
    const takenBack = queue.lookUp('a', 'taken back');
    const [sent, late] = [queue.lookUp('b', 'sent'), queue.lookUp('b', 'late')];
    await queue.advance(500);
    expect(queue.runningNames()).toEqual(['sent']);
    await queue.advance(500);
    expect(outcomesOf([takenBack, sent, late])).toEqual(['GATEWAY_BUSY', 'UPSTREAM_TIMEOUT', 'GATEWAY_BUSY']);
    expect(queue.counts.refused).toBe(2);
    expect(late.error?.details).toEqual({ retryAfterSeconds: 1 });
  });

  test('if the queue is full and the look-up is the newest of the client with the longest queue', async () => {
    const queue = createQueueUnderTest({ slots: 1, maxWaiting: 5 });
    const [many, few] = [queue.lookUpMany('a', 6), queue.lookUpMany('b', 2)];
    await settled();
    expect(outcomesOf(many).slice(-3)).toEqual(['waiting', 'GATEWAY_BUSY', 'GATEWAY_BUSY']);
    expect(outcomesOf(few)).toEqual(['waiting', 'waiting']);
    const more = queue.lookUp('a', 'more');
    await settled();
    expect(more.outcome).toBe('GATEWAY_BUSY');
    expect(queue.counts).toMatchObject({ waiting: 5, refused: 3 });
  });

  test('at once if the rate is too low to send it before its deadline', async () => {
    const rate = createRate(10, () => new Promise(() => {}));
    const queue = createQueueUnderTest({ rate, deadlineMs: 2_000 });
    const lookUps = queue.lookUpMany('a', 50);
    await settled();
    expect(outcomesOf(lookUps).indexOf('GATEWAY_BUSY')).toBe(30);
    expect(lookUps[49]?.error?.details).toEqual({ retryAfterSeconds: 4 });
    expect(queue.lookUp('b', 'other').outcome).toBe('waiting');
  });
});

describe('a look-up whose circuit is open', () => {
  const heldBack = new Error('held back');

  test('fails at once and does not enter the queue', async () => {
    const queue = createQueueUnderTest();
    const lookUp = queue.lookUp('a', 'held', () => {
      throw heldBack;
    });
    await settled();
    expect(lookUp.error).toBe(heldBack);
    expect(queue.counts).toMatchObject({ waiting: 0, running: 0, refused: 0 });
  });

  test('fails if the circuit has opened when the request is next, and does not count for the rate', async () => {
    let taken = 0;
    const take = async () => {
      taken += 1;
    };
    const queue = createQueueUnderTest({ slots: 1, rate: createRate(100, take) });
    const circuit = { isOpen: false };
    const first = queue.lookUp('a', 'first');
    const held = queue.lookUp('a', 'held', () => {
      if (circuit.isOpen) throw heldBack;
    });
    const other = queue.lookUp('a', 'other');
    await settled();
    circuit.isOpen = true;
    await queue.answerOldest();
    expect(first.outcome).toBe('first');
    expect(held.error).toBe(heldBack);
    expect(queue.runningNames()).toEqual(['other']);
    expect([other.outcome, taken]).toEqual(['waiting', 2]);
  });
});
