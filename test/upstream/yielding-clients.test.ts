// Jobs yield: other clients come first.

import { describe, expect, test } from 'vitest';
import { createQueueUnderTest, outcomesOf } from './queue-under-test.ts';

const JOB = 'job 1';
const LARGE_JOB = 'large job';
const OTHER_JOB = 'job 2';

describe('a client that yields', () => {
  test.each([
    [16, 15],
    [4, 4],
  ])('when it is the only client of %i slots, uses %i slots', (slots, used) => {
    const queue = createQueueUnderTest({ slots });
    queue.lookUpMany(JOB, 40);
    expect(queue.running()).toHaveLength(used);
    if (used === slots) return;
    queue.lookUp('a', 'now');
    expect(queue.runningNames()).toContain('now');
  });

  test('is served only while no other client waits', async () => {
    const queue = createQueueUnderTest({ slots: 4 });
    const ofJob = queue.lookUpMany(JOB, 10);
    queue.lookUpMany('a', 6);
    await queue.answerOldest(8);
    const order = queue.sent.slice(4).map(({ name }) => name);
    expect(order.slice(0, 6)).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5']);
    await queue.answerOldest(10);
    expect(outcomesOf(ofJob)).not.toContain('waiting');
  });

  test.each([
    ['a', 0],
    [OTHER_JOB, 1],
  ])(
    'gets slots back only from a client that yields too: from the client %s it gets %i',
    async (holder, takenBack) => {
      const queue = createQueueUnderTest();
      queue.lookUpMany(holder, 8);
      queue.lookUpMany(JOB, 1);
      await queue.advance(600);
      expect(queue.counts.takenBack).toBe(takenBack);
    },
  );

  test.each([
    [JOB, OTHER_JOB, 4, 5],
    [JOB, LARGE_JOB, 1, 2],
    [LARGE_JOB, JOB, 7, 8],
  ])(
    'shares nine slots with another such client: beside the client %s, the client %s has %i or %i',
    async (first, second, min, max) => {
      const queue = createQueueUnderTest({ slots: 10 });
      for (const job of [first, second]) queue.lookUpMany(job, 100);
      await queue.answerOldest(50);
      const running = queue.runningNames();
      expect(running).toHaveLength(9);
      const ofSecond = running.filter((name) => name.startsWith(second)).length;
      expect(ofSecond).toBeGreaterThanOrEqual(min);
      expect(ofSecond).toBeLessThanOrEqual(max);
    },
  );
});
