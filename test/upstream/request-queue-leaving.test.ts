import { describe, expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { createQueueUnderTest, createRate, outcomesOf } from './queue-under-test.ts';

describe('when a client leaves', () => {
  test('its waiting look-ups leave the queue at once and are not sent', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('b', 4);
    const leaving = queue.lookUpMany('a', 50);
    for (const lookUp of leaving) lookUp.leave('a');
    await settled();
    expect(queue.counts.waiting).toBe(0);
    expect(new Set(outcomesOf(leaving))).toEqual(new Set(['left']));
    await queue.answerOldest(4);
    expect(queue.sent).toHaveLength(4);
  });

  test('a look-up that waits for the rate is not sent', async () => {
    const grants: (() => void)[] = [];
    const take = () => new Promise<void>((resolve) => grants.push(resolve));
    const queue = createQueueUnderTest({ rate: createRate(100, take) });
    const lookUp = queue.lookUp('a', 'waiting');
    lookUp.leave('a');
    await settled();
    expect(lookUp.outcome).toBe('left');
    grants.shift()?.();
    await settled();
    expect(queue.sent).toEqual([]);
  });

  test('its running requests continue while no other client needs their slots', async () => {
    const queue = createQueueUnderTest();
    const lookUps = queue.lookUpMany('a', 4);
    for (const lookUp of lookUps) lookUp.leave('a');
    await settled();
    expect(queue.running()).toHaveLength(4);
    await queue.answerOldest(4);
    expect(outcomesOf(lookUps)).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
  });

  test('another client gets one of its slots at once, and the other slots after 500 ms', async () => {
    const queue = createQueueUnderTest();
    const lookUps = queue.lookUpMany('a', 4);
    for (const lookUp of lookUps) lookUp.leave('a');
    queue.lookUpMany('b', 3);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    await queue.advance(499);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    await queue.advance(1);
    expect(queue.runningNames()).toEqual(['a-3', 'b-0', 'b-1', 'b-2']);
    expect(queue.counts.takenBack).toBe(0);
  });

  test('and returns repeatedly, its new request waits until a slot is taken back', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    for (let round = 0; round < 10; round += 1) {
      const lookUps = queue.lookUpMany('a', 100);
      await queue.advance(100);
      for (const lookUp of lookUps) lookUp.leave('a');
      await settled();
    }
    expect(queue.sent).toHaveLength(24);
  });

  test('a look-up that it shares with another client belongs to the other client', async () => {
    const queue = createQueueUnderTest({ slots: 1 });
    const running = queue.lookUp('a', 'running');
    const waiting = queue.lookUp('a', 'waiting');
    for (const lookUp of [running, waiting]) {
      lookUp.join('b');
      lookUp.leave('a');
    }
    queue.lookUp('c', 'other');
    await queue.advance(500);
    expect(queue.runningNames()).toEqual(['other']);
    expect(queue.counts.takenBack).toBe(1);
    await queue.answerOldest(3);
    expect(outcomesOf([running, waiting])).toEqual(['running', 'waiting']);
  });

  test('a look-up that it shares with another client waits only in the queue of the other client', async () => {
    const queue = createQueueUnderTest({ slots: 1 });
    queue.lookUp('c', 'running');
    const shared = queue.lookUp('a', 'shared');
    queue.lookUp('b', 'first');
    shared.join('b');
    shared.leave('a');
    await settled();
    expect(queue.counts.waiting).toBe(2);
    await queue.answerOldest();
    expect(queue.runningNames()).toEqual(['first']);
  });
});
