// Clients take turns; nobody holds what belongs to others; what finds no room is told so.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sendJson } from '../../support/directory-server.ts';
import { settled } from '../../support/virtual-clock.ts';
import { handleName, startProxy } from './proxy-under-test.ts';
import { type Asked, createQueueUnderTest, type QueueUnderTest } from './queue-under-test.ts';

const reason = new Error('the client has gone');

/** So many names of a client, `a-0`, `a-1` …, asked for at once. */
function askMany({ ask }: QueueUnderTest, client: string, count: number): Asked[] {
  return Array.from({ length: count }, (_, index) => ask(client, `${client}-${index}`));
}

/** The clients whose requests run, in alphabetical order. */
const clientsOf = (queue: QueueUnderTest) =>
  queue
    .runningNames()
    .map((name) => name.charAt(0))
    .toSorted((a, b) => a.localeCompare(b))
    .join('');

const outcomes = (asked: readonly Asked[]) => asked.map(({ outcome }) => outcome);

describe('turns', () => {
  test('one client alone has all slots, its names in the order of asking', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 6);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    expect(queue.counts).toMatchObject({ waiting: 2, running: 4 });
    await queue.running()[1]?.answer();
    expect(queue.runningNames()).toEqual(['a-0', 'a-2', 'a-3', 'a-4']);
  });

  test('a client that asks for little is served before one that asks for much', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 1_000);
    askMany(queue, 'b', 1);
    await queue.running()[0]?.answer();
    expect(queue.runningNames()).toContain('b-0');
  });

  test('clients that ask for much have the same number of slots', async () => {
    const queue = createQueueUnderTest({ slots: 6 });
    for (const client of ['a', 'b', 'c']) askMany(queue, client, 100);
    for (let round = 0; round < 30; round += 1) await queue.running()[0]?.answer();
    expect(clientsOf(queue)).toBe('aabbcc');
  });

  test('the last of many slots is for whoever has less than its share, while others are about', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    const [once] = askMany(queue, 'b', 1);
    await queue.running()[0]?.answer();
    expect(once?.outcome).toBe('b-0');
    askMany(queue, 'a', 10);
    expect(queue.running()).toHaveLength(7);
    queue.ask('b', 'again');
    expect(queue.runningNames()).toContain('again');
    await queue.running().at(-1)?.answer();
    await queue.advance(5_000);
    await queue.running()[0]?.answer();
    expect(queue.running()).toHaveLength(8);
  });

  test('where several clients have as much as they can get, one who comes anew finds a slot at once', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    for (const client of ['a', 'b']) askMany(queue, client, 10);
    for (let round = 0; round < 8; round += 1) await queue.running()[0]?.answer();
    askMany(queue, 'c', 1);
    expect(queue.runningNames()).toContain('c-0');
  });

  test('clients below their shares take turns, however many of their names were first', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    askMany(queue, 'c', 8);
    for (const client of ['a', 'b']) askMany(queue, client, 10);
    for (let round = 0; round < 4; round += 1) await queue.running()[0]?.answer();
    expect(clientsOf(queue)).toBe('aabbcccc');
  });

  test('what several clients wait for has its turn with the first of them, and is sent once', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 104);
    const shared = queue.ask('a', 'shared');
    shared.join('b');
    await queue.running()[0]?.answer();
    expect(queue.runningNames()).toContain('shared');
    for (let round = 0; round < 105; round += 1) await queue.running()[0]?.answer();
    expect(queue.sent.filter(({ name }) => name === 'shared')).toHaveLength(1);
    expect(shared.outcome).toBe('shared');
  });
});

describe("a slot above its client's share", () => {
  test('is taken back after 500 ms for a client below its own, and its name waits for another turn', async () => {
    const queue = createQueueUnderTest();
    const held = askMany(queue, 'a', 5);
    const [other] = askMany(queue, 'b', 1);
    await queue.advance(499);
    expect(queue.runningNames()).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
    await queue.advance(1);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    expect(queue.counts.takenBack).toBe(1);
    for (const name of ['b-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-0']) {
      await queue
        .running()
        .find((sent) => sent.name === name)
        ?.answer();
    }
    expect(outcomes([...held, other ?? expect.unreachable()])).toEqual([
      'a-0',
      'a-1',
      'a-2',
      'a-3',
      'a-4',
      'b-0',
    ]);
  });

  test('is left alone while nobody is below its share', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 10);
    await queue.advance(10_000);
    expect(queue.sent).toHaveLength(4);
    askMany(queue, 'b', 10);
    await queue.advance(5_000);
    expect(clientsOf(queue)).toBe('aabb');
    const { takenBack } = queue.counts;
    await queue.advance(4_000);
    expect(queue.counts.takenBack).toBe(takenBack);
  });

  test('is taken back after twice the time that answers take, where that is longer', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'a', 20);
    await queue.advance(600);
    for (const sent of queue.running()) await sent.answer();
    askMany(queue, 'b', 1);
    await queue.advance(900);
    expect(queue.runningNames()).not.toContain('b-0');
    await queue.advance(300);
    expect(queue.runningNames()).toContain('b-0');
  });

  test('is not taken back over and over where the directory is slow for everybody', async () => {
    const queue = createQueueUnderTest({ slots: 2, deadlineMs: 60_000 });
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((client) => askMany(queue, client, 1));
    for (let ms = 0; ms < 30_000; ms += 50) {
      await queue.advance(50);
      const due = queue.running().filter(({ at }) => queue.time.now() - at >= 900);
      for (const sent of due) await sent.answer();
    }
    expect(outcomes(asked)).toEqual(['a-0', 'b-0', 'c-0', 'd-0', 'e-0', 'f-0']);
  });
});

describe('a client that leaves', () => {
  test('leaves the queue at once, and nothing is sent for it', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'b', 4);
    const leaving = askMany(queue, 'a', 50);
    for (const asked of leaving) asked.leave('a');
    await settled();
    expect(queue.counts.waiting).toBe(0);
    expect(new Set(outcomes(leaving))).toEqual(new Set(['left']));
    for (const sent of queue.running()) await sent.answer();
    expect(queue.sent).toHaveLength(4);
  });

  test('leaves what was sent to end by itself, as long as nobody waits for its slot', async () => {
    const queue = createQueueUnderTest();
    const sent = askMany(queue, 'a', 4);
    for (const asked of sent) asked.leave('a');
    await settled();
    expect(queue.running()).toHaveLength(4);
    for (const each of queue.running()) await each.answer();
    expect(outcomes(sent)).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
  });

  test('leaves its slots to others: one at once, the rest after 500 ms', async () => {
    const queue = createQueueUnderTest();
    const sent = askMany(queue, 'a', 4);
    for (const asked of sent) asked.leave('a');
    askMany(queue, 'b', 3);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    await queue.advance(499);
    expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'b-0']);
    await queue.advance(1);
    expect(queue.runningNames()).toEqual(['a-3', 'b-0', 'b-1', 'b-2']);
    expect(queue.counts.takenBack).toBe(0);
  });

  test('does not open connections faster than its slots are taken back, however often it comes and goes', async () => {
    const queue = createQueueUnderTest({ slots: 8 });
    for (let round = 0; round < 10; round += 1) {
      const asked = askMany(queue, 'a', 100);
      await queue.advance(100);
      for (const each of asked) each.leave('a');
      await settled();
    }
    expect(queue.sent).toHaveLength(24);
  });

  test('leaves a name that another waits for to its line, or on its account', async () => {
    const queue = createQueueUnderTest({ slots: 1 });
    const running = queue.ask('a', 'running');
    const waiting = queue.ask('a', 'waiting');
    for (const each of [running, waiting]) {
      each.join('b');
      each.leave('a');
    }
    queue.ask('c', 'other');
    await queue.advance(500);
    expect(queue.runningNames()).toEqual(['other']);
    expect(queue.counts.takenBack).toBe(1);
    await queue.running()[0]?.answer();
    await queue.running()[0]?.answer();
    await queue.running()[0]?.answer();
    expect(outcomes([running, waiting])).toEqual(['running', 'waiting']);
  });

  test('leaves no name in its line that only another waits for', async () => {
    const queue = createQueueUnderTest({ slots: 1 });
    queue.ask('c', 'running');
    const shared = queue.ask('a', 'shared');
    queue.ask('b', 'first');
    shared.join('b');
    shared.leave('a');
    await settled();
    expect(queue.counts.waiting).toBe(2);
    await queue.running()[0]?.answer();
    expect(queue.runningNames()).toEqual(['first']);
  });
});

test('a thousand deadlines leave the event loop a turn in between', async () => {
  const queue = createQueueUnderTest({ deadlineMs: 1_000 });
  const asked = askMany(queue, 'a', 1_000);
  queue.time.advance(1_000);
  expect(queue.counts.refused).toBeGreaterThan(0);
  expect(queue.counts.refused).toBeLessThanOrEqual(250);
  await settled();
  await settled();
  expect(outcomes(asked)).not.toContain('waiting');
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
    expect(outcomes(much).slice(-3)).toEqual(['waiting', 'GATEWAY_BUSY', 'GATEWAY_BUSY']);
    expect(outcomes(little)).toEqual(['waiting', 'waiting']);
    const [more] = [queue.ask('a', 'more')];
    await settled();
    expect(more.outcome).toBe('GATEWAY_BUSY');
    expect(queue.counts).toMatchObject({ waiting: 5, refused: 3 });
  });

  test('comes at once where the rate cannot be kept before the deadline', async () => {
    const rate = { perSecond: 10, take: () => new Promise<void>(() => {}) };
    const queue = createQueueUnderTest({ rate, deadlineMs: 2_000 });
    const asked = askMany(queue, 'a', 50);
    await settled();
    expect(outcomes(asked).indexOf('GATEWAY_BUSY')).toBe(30);
    expect(asked[49]?.error?.details).toEqual({ retryAfterSeconds: 4 });
    expect(queue.ask('b', 'other').outcome).toBe('waiting');
  });
});

test('under a rate, whoever asks for little is served next, and is chosen when it may be sent', async () => {
  const grants: (() => void)[] = [];
  const take = () => new Promise<void>((resolve) => grants.push(resolve));
  const queue = createQueueUnderTest({ rate: { perSecond: 100, take } });
  askMany(queue, 'a', 3);
  grants.shift()?.();
  await settled();
  queue.ask('b', 'b-0');
  grants.shift()?.();
  await settled();
  expect(queue.runningNames()).toEqual(['a-0', 'b-0']);
});

test('a caller who goes while the rate is used up is let go at once, and nothing is sent for it', async () => {
  const { directory, server } = await startProxy(undefined, { requestsPerSecond: 1, maxConnections: 2 });
  const [sent, waiting] = ['10.5555/1', '10.5555/2'].map(handleName);
  expect(await directory.resolve(sent ?? expect.unreachable())).toMatchObject({ status: 'HANDLE_NOT_FOUND' });
  const controller = new AbortController();
  const record = directory.resolve(waiting ?? expect.unreachable(), { signal: controller.signal });
  await nextTurn();
  controller.abort(reason);
  await expect(record).rejects.toBe(reason);
  expect(server.targets).toEqual(['/api/handles/10.5555/1']);
});

test('a directory is asked no more at a time than it has connections', async () => {
  const held: (() => void)[] = [];
  const names = Array.from({ length: 10 }, (_, index) => handleName(`10.5555/${index}`));
  const { directory, server } = await startProxy(
    (request, response) => {
      const handle = decodeURIComponent(request.url ?? '').slice('/api/handles/'.length);
      held.push(() => sendJson(response, 404, { responseCode: 100, handle }));
    },
    { maxConnections: 3 },
  );
  const controller = new AbortController();
  const records = names.map((name, index) =>
    directory.resolve(name, index === 5 ? { signal: controller.signal } : {}),
  );
  while (held.length < 3) await nextTurn();
  controller.abort(reason);
  await expect(records[5]).rejects.toBe(reason);
  expect(server.targets).toHaveLength(3);
  const answers = Promise.allSettled(records);
  for (let answered = 0; answered < 9; ) {
    const answer = held.shift();
    if (answer) {
      answer();
      answered += 1;
    } else await nextTurn();
    expect(held.length).toBeLessThanOrEqual(3);
  }
  expect((await answers).filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
  expect(server.targets).not.toContain('/api/handles/10.5555/5');
});
