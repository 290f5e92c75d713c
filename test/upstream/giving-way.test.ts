// Clients that give way: what nobody waits for is asked for when nobody waits.

import { describe, expect, test } from 'vitest';
import { askMany, createQueueUnderTest, outcomesOf } from './queue-under-test.ts';

const JOB = 'job 1';
const LARGE_JOB = 'large job';
const OTHER_JOB = 'job 2';

describe('a client that gives way', () => {
  test('has all slots but the last ones when it is alone, and those as well where there are few', () => {
    const many = createQueueUnderTest({ slots: 16 });
    askMany(many, JOB, 40);
    expect(many.running()).toHaveLength(15);
    const few = createQueueUnderTest({ slots: 4 });
    askMany(few, JOB, 40);
    expect(few.running()).toHaveLength(4);
  });

  test('is served when nobody else waits, however long it has waited', async () => {
    const queue = createQueueUnderTest({ slots: 4 });
    const waited = askMany(queue, JOB, 10);
    askMany(queue, 'a', 6);
    for (let round = 0; round < 8; round += 1) await queue.running()[0]?.answer();
    const order = queue.sent.slice(4).map(({ name }) => name);
    expect(order.slice(0, 6)).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5']);
    for (let round = 0; round < 10; round += 1) await queue.running()[0]?.answer();
    expect(outcomesOf(waited)).not.toContain('waiting');
  });

  test('leaves a free slot to whoever comes', () => {
    const queue = createQueueUnderTest({ slots: 16 });
    askMany(queue, JOB, 40);
    queue.ask('a', 'now');
    expect(queue.runningNames()).toContain('now');
  });

  test('takes no slot back from others, but from another that gives way', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 8);
    askMany(queue, JOB, 1);
    await queue.advance(10_000);
    expect(queue.counts.takenBack).toBe(0);
    const jobs = createQueueUnderTest();
    askMany(jobs, JOB, 8);
    askMany(jobs, OTHER_JOB, 1);
    await jobs.advance(10_000);
    expect(jobs.counts.takenBack).toBeGreaterThan(0);
  });

  test('shares what it has with others of its kind', async () => {
    const queue = createQueueUnderTest({ slots: 4 });
    askMany(queue, JOB, 40);
    askMany(queue, OTHER_JOB, 40);
    for (let round = 0; round < 20; round += 1) await queue.running()[0]?.answer();
    const running = queue.runningNames();
    expect(running.filter((name) => name.startsWith(JOB))).toHaveLength(2);
  });

  test.each([
    [JOB, LARGE_JOB],
    [LARGE_JOB, JOB],
  ])('has a quarter of that where it asks for much, whoever was first', async (...jobs) => {
    const queue = createQueueUnderTest({ slots: 10 });
    for (const job of jobs) askMany(queue, job, 100);
    for (let round = 0; round < 50; round += 1) await queue.running()[0]?.answer();
    const running = queue.runningNames();
    expect(running).toHaveLength(9);
    const ofLarge = running.filter((name) => name.startsWith(LARGE_JOB)).length;
    expect(ofLarge).toBeGreaterThanOrEqual(1);
    expect(ofLarge).toBeLessThanOrEqual(2);
  });
});
