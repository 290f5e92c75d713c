import { describe, expect, test } from 'vitest';
import { settled } from '../support/virtual-clock.ts';
import { createQueueUnderTest, createRate, outcomesOf, type QueueUnderTest } from './queue-under-test.ts';

/** The clients whose requests run, in alphabetical order. */
const clientsOf = (queue: QueueUnderTest) =>
  queue
    .runningNames()
    .map((name) => name.charAt(0))
    .toSorted((a, b) => a.localeCompare(b))
    .join('');

describe('the order of clients', () => {
  test('a single client uses all slots, in the order of its look-ups', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('a', 6);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    expect(queue.counts).toMatchObject({ waiting: 2, running: 4 });
    await queue.running()[1]?.answer();
    expect(queue.runningNames()).toEqual(['a-0', 'a-2', 'a-3', 'a-4']);
  });

  test('a client with one look-up is served before a client with many look-ups', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('a', 1_000);
    queue.lookUpMany('b', 1);
    await queue.answerOldest();
    expect(queue.runningNames()).toContain('b-0');
  });

  test('clients with many look-ups have the same number of slots', async () => {
    const queue = createQueueUnderTest({ slots: 6 });
    for (const client of ['a', 'b', 'c']) queue.lookUpMany(client, 100);
    await queue.answerOldest(30);
    expect(clientsOf(queue)).toBe('aabbcc');
  });

  test('the last slot is reserved for another client, until the other clients are idle for 5 s', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    queue.lookUpMany('b', 1);
    await queue.answerOldest();
    queue.lookUpMany('a', 10);
    expect(queue.running()).toHaveLength(7);
    queue.lookUp('b', 'again');
    expect(queue.runningNames()).toContain('again');
    await queue.running().at(-1)?.answer();
    await queue.advance(5_000);
    await queue.answerOldest();
    expect(queue.running()).toHaveLength(8);
  });

  test('a new client gets a slot at once while two clients have full shares', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    for (const client of ['a', 'b']) queue.lookUpMany(client, 10);
    await queue.answerOldest(8);
    queue.lookUpMany('c', 1);
    expect(queue.runningNames()).toContain('c-0');
  });

  test('a look-up of several clients is sent once, as soon as one of the clients is next', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('a', 104);
    const shared = queue.lookUp('a', 'shared');
    shared.join('b');
    await queue.answerOldest();
    expect(queue.runningNames()).toContain('shared');
    await queue.answerOldest(105);
    expect(queue.sent.filter(({ name }) => name === 'shared')).toHaveLength(1);
    expect(shared.outcome).toBe('shared');
  });

  test('with a rate, the queue chooses the next client only when the rate allows a request', async () => {
    const grants: (() => void)[] = [];
    const take = () => new Promise<void>((resolve) => grants.push(resolve));
    const queue = createQueueUnderTest({ rate: createRate(100, take) });
    queue.lookUpMany('a', 3);
    grants.shift()?.();
    await settled();
    queue.lookUp('b', 'b-0');
    grants.shift()?.();
    await settled();
    expect(queue.runningNames()).toEqual(['a-0', 'b-0']);
  });
});

describe('a slot above the share of its client', () => {
  test('is taken back after 500 ms for a client below its share, and its request waits again', async () => {
    const queue = createQueueUnderTest();
    const held = queue.lookUpMany('a', 5);
    const [other = expect.unreachable()] = queue.lookUpMany('b', 1);
    await queue.advance(499);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    await queue.advance(1);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    expect(queue.counts.takenBack).toBe(1);
    await queue.answerOldest(6);
    expect(outcomesOf([...held, other])).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'b-0']);
  });

  test('is kept while no client is below its share', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('a', 10);
    await queue.advance(10_000);
    expect(queue.sent).toHaveLength(4);
    queue.lookUpMany('b', 10);
    await queue.advance(5_000);
    expect(clientsOf(queue)).toBe('aabb');
    const { takenBack } = queue.counts;
    await queue.advance(4_000);
    expect(queue.counts.takenBack).toBe(takenBack);
  });

  test('is taken back after twice the usual response time if this time is longer than 500 ms', async () => {
    const queue = createQueueUnderTest();
    queue.lookUpMany('a', 20);
    await queue.advance(600);
    for (const sent of queue.running()) await sent.answer();
    queue.lookUpMany('b', 1);
    await queue.advance(900);
    expect(queue.runningNames()).not.toContain('b-0');
    await queue.advance(300);
    expect(queue.runningNames()).toContain('b-0');
  });

  test('is taken back later and later while the directory is slow for all clients', async () => {
    const queue = createQueueUnderTest({ slots: 2, deadlineMs: 60_000 });
    const lookUps = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((client) => queue.lookUpMany(client, 1));
    for (let ms = 0; ms < 30_000; ms += 50) {
      await queue.advance(50);
      const due = queue.running().filter(({ at }) => queue.time.now() - at >= 900);
      for (const sent of due) await sent.answer();
    }
    expect(outcomesOf(lookUps)).toEqual(['a-0', 'b-0', 'c-0', 'd-0', 'e-0', 'f-0']);
  });
});

describe('a complete response', () => {
  test('frees its slot only once, and before it is read', async () => {
    const queue = createQueueUnderTest();
    const lookUps = queue.lookUpMany('a', 6);
    const [first, second] = queue.running();
    await first?.complete();
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'a-4']);
    expect(queue.counts).toMatchObject({ running: 4, waiting: 1 });
    expect(lookUps[0]?.outcome).toBe('waiting');
    await first?.answer();
    expect(lookUps[0]?.outcome).toBe('a-0');
    expect(queue.counts).toMatchObject({ running: 4, waiting: 1 });
    await second?.answer();
    expect(queue.counts).toMatchObject({ running: 4, waiting: 0 });
  });

  test.each(['before', 'after'])(
    'goes to a later client if the first client leaves %s the response, and does not change the shares',
    async (when) => {
      const queue = createQueueUnderTest({ slots: 1 });
      const shared = queue.lookUp('a', 'shared');
      const [sent] = queue.running();
      if (when === 'before') shared.leave('a');
      await sent?.complete();
      shared.join('b');
      if (when === 'after') shared.leave('a');
      expect(queue.counts).toMatchObject({ running: 0, waiting: 0 });
      await sent?.answer();
      expect(shared.outcome).toBe('shared');
      expect(queue.sent).toHaveLength(1);
      for (const client of ['d', 'b', 'c']) queue.lookUp(client, client);
      await queue.answerOldest();
      expect(queue.runningNames()).toEqual(['b']);
    },
  );

  test('is kept when its last client leaves', async () => {
    const queue = createQueueUnderTest();
    const lookUp = queue.lookUp('a', 'kept');
    const [sent] = queue.running();
    await sent?.complete();
    lookUp.leave('a');
    await queue.advance(600);
    await sent?.answer();
    expect(lookUp.outcome).toBe('kept');
    expect(queue.counts).toMatchObject({ running: 0, waiting: 0, takenBack: 0 });
  });
});
