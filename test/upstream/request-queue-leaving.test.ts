// Who leaves gives up the places at once, and the slots to whoever needs them.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sendJson } from '../support/directory-server.ts';
import { settled } from '../support/virtual-clock.ts';
import { handleName, startProxy } from './proxy-under-test.ts';
import { askMany, createQueueUnderTest, outcomesOf } from './queue-under-test.ts';

const reason = new Error('the client has gone');

describe('a client that leaves', () => {
  test('leaves the queue at once, and nothing is sent for it', async () => {
    const queue = createQueueUnderTest();
    askMany(queue, 'b', 4);
    const leaving = askMany(queue, 'a', 50);
    for (const asked of leaving) asked.leave('a');
    await settled();
    expect(queue.counts.waiting).toBe(0);
    expect(new Set(outcomesOf(leaving))).toEqual(new Set(['left']));
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
    expect(outcomesOf(sent)).toEqual(['a-0', 'a-1', 'a-2', 'a-3']);
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
    expect(outcomesOf([running, waiting])).toEqual(['running', 'waiting']);
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
