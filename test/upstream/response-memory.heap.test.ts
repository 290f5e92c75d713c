import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createTurns } from '../../src/turns.ts';
import { jsonReader } from '../../src/upstream/record-look-up.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEGABYTE = 1_000_000;
const COUNT = 400;

test('responses that were read leave memory while other responses arrive', async () => {
  const { runLater } = createTurns();
  let read = 0;
  const arrive = (): void => {
    const response = new Array<number>(MEGABYTE / 8).fill(0);
    runLater(() => {
      read += response.length > 0 ? 1 : 0;
      if (read < COUNT) arrive();
    });
  };
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let waiting = 0; waiting < 5; waiting += 1) arrive();
  while (read < COUNT) await nextTurn();
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / MEGABYTE).toBeLessThan(COUNT / 2);
});

test('the body of a response leaves memory before its JSON is read', async () => {
  const { parse } = jsonReader((json) => json);
  const head = { status: 200, headers: { 'content-type': 'application/json' } };
  const parsed = (body: Buffer) => ({ body: new WeakRef(body), read: parse(head, body) });
  const { body, read } = parsed(Buffer.from(JSON.stringify(['x'.repeat(MEGABYTE)])));
  await nextTurn();
  collectGarbage();
  expect(body.deref()).toBeUndefined();
  expect(read()).toHaveLength(1);
});

test('a failure keeps no body in memory', async () => {
  const { parse } = jsonReader((json) => json);
  const failureOf = (body: Buffer) => {
    try {
      parse({ status: 200, headers: { 'content-type': 'application/json' } }, body);
    } catch (error) {
      return { body: new WeakRef(body), error };
    }
    throw new Error('The body has been parsed.');
  };
  const { body, error } = failureOf(Buffer.from(`["${'x'.repeat(MEGABYTE)}`));
  await nextTurn();
  collectGarbage();
  expect(body.deref()).toBeUndefined();
  expect(error).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE' });
});
