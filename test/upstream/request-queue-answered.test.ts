// A slot is free as soon as the answer is there. What is read after that is nobody's slot.

import { expect, test } from 'vitest';
import { askMany, createQueueUnderTest } from './queue-under-test.ts';

test('the next request is sent before the answer that came is read', async () => {
  const queue = createQueueUnderTest();
  const asked = askMany(queue, 'a', 6);
  const [first, second] = queue.running();
  await first?.come();
  expect(queue.runningNames()).toEqual(['a-1', 'a-2', 'a-3', 'a-4']);
  expect(queue.counts).toMatchObject({ running: 4, waiting: 1 });
  expect(asked[0]?.outcome).toBe('waiting');
  await first?.answer();
  expect(asked[0]?.outcome).toBe('a-0');
  // It gives back one slot, once.
  expect(queue.counts).toMatchObject({ running: 4, waiting: 1 });
  await second?.answer();
  expect(queue.counts).toMatchObject({ running: 4, waiting: 0 });
});

test('who comes to wait for what has come is answered, and nothing is sent again', async () => {
  const queue = createQueueUnderTest();
  const shared = queue.ask('a', 'shared');
  const [sent] = queue.running();
  await sent?.come();
  shared.join('b');
  shared.leave('a');
  expect(queue.counts).toMatchObject({ running: 0, waiting: 0 });
  await sent?.answer();
  expect(shared.outcome).toBe('shared');
  expect(queue.sent).toHaveLength(1);
});

test('who comes and goes after that has no slot more or less than others', async () => {
  const queue = createQueueUnderTest({ slots: 1 });
  const shared = queue.ask('a', 'shared');
  const [sent] = queue.running();
  await sent?.come();
  shared.join('b');
  shared.leave('a');
  await sent?.answer();
  for (const client of ['d', 'b', 'c']) queue.ask(client, client);
  await queue.running()[0]?.answer();
  expect(queue.runningNames()).toEqual(['b']);
});

test('what has come is kept when nobody waits for it any more', async () => {
  const queue = createQueueUnderTest();
  const asked = queue.ask('a', 'kept');
  const [sent] = queue.running();
  await sent?.come();
  asked.leave('a');
  await queue.advance(600);
  expect(queue.counts).toMatchObject({ running: 0, waiting: 0 });
  await sent?.answer();
  expect(asked.outcome).toBe('kept');
  expect(queue.counts).toMatchObject({ running: 0, takenBack: 0 });
});

test('the slot of what has come is not taken back', async () => {
  const queue = createQueueUnderTest({ slots: 2 });
  askMany(queue, 'a', 2);
  const [first] = queue.running();
  await first?.come();
  askMany(queue, 'b', 2);
  await queue.advance(2_000);
  expect(queue.counts.takenBack).toBe(0);
  await first?.answer();
  expect(queue.runningNames()).toEqual(['a-1', 'b-0']);
});
