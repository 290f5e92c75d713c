// So many requests at a time, so many that wait; a caller who goes leaves the others their turns.

import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRequestSlots } from '../../../src/directory/proxy/request-slots.ts';
import { deadlineExceeded } from '../../../src/directory/proxy/upstream-failure.ts';
import { sendJson } from '../../support/directory-server.ts';
import { failureOf, handleName, startProxy } from './proxy-under-test.ts';

const never = new AbortController().signal;
setMaxListeners(0, never);
const reason = new Error('the client has gone');

/** Work that ends when it is told to. */
function createWork() {
  const running: (() => void)[] = [];
  return {
    running,
    start: () => new Promise<string>((resolve) => running.push(() => resolve('done'))),
  };
}

test('no more run at a time than may, the others in their order', async () => {
  const slots = createRequestSlots(2, 100);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      slots.run(never, async () => {
        order.push(index);
        running += 1;
        most = Math.max(most, running);
        await nextTurn();
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('more than may wait fail at once', async () => {
  const slots = createRequestSlots(1, 2);
  const { running, start } = createWork();
  const accepted = [1, 2, 3].map(() => slots.run(never, start));
  const failure = await failureOf(slots.run(never, start));
  expect(failure).toMatchObject({ code: 'GATEWAY_BUSY', retryable: true, details: { retryAfterSeconds: 2 } });
  for (const promise of accepted) {
    running.shift()?.();
    expect(await promise).toBe('done');
    await nextTurn();
  }
});

test('a deadline that comes before the turn says that the gateway is busy, one that comes after it does not', async () => {
  const slots = createRequestSlots(1, 100);
  const { running, start } = createWork();
  const over = new AbortController();
  const late = deadlineExceeded(50);
  const begun = failureOf(slots.run(over.signal, start));
  const waiting = failureOf(slots.run(over.signal, start));
  over.abort(late);
  expect(await begun).toBe(late);
  expect(await waiting).toMatchObject({
    code: 'GATEWAY_BUSY',
    details: { retryAfterSeconds: 2 },
    cause: late,
  });
  expect(running).toHaveLength(1);
});

describe('a caller who goes', () => {
  test('while waiting is let go at once, and those behind get their turn', async () => {
    const slots = createRequestSlots(1, 100);
    const { running, start } = createWork();
    const first = slots.run(never, start);
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const leaving = Array.from({ length: 50 }, () => slots.run(controller.signal, start));
    const staying = slots.run(never, start);
    controller.abort(reason);
    for (const promise of leaving) await expect(promise).rejects.toBe(reason);
    expect(running).toHaveLength(1);
    running.shift()?.();
    expect(await first).toBe('done');
    await nextTurn();
    running.shift()?.();
    expect(await staying).toBe('done');
    expect(running).toHaveLength(0);
  });

  test('before asking does not wait at all', async () => {
    const slots = createRequestSlots(1, 1);
    const { running, start } = createWork();
    await expect(slots.run(AbortSignal.abort(reason), start)).rejects.toBe(reason);
    expect(running).toHaveLength(0);
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
