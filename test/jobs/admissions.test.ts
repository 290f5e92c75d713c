// Only a few uploads run at a time. Many uploads without an API key do not delay the uploads of an API key.

import { expect, test } from 'vitest';
import { createAdmissions } from '../../src/jobs/queue/admissions.ts';

/** Starts work that ends when the test ends it. Keeps the names of the work in the order in which the work began. */
function startWork() {
  const admit = createAdmissions();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const add = (client: string | null, name: string) =>
    admit(client, async () => {
      begun.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      if (name === 'fails') throw new Error('it failed');
      return name;
    });
  async function endAll(): Promise<void> {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise(setImmediate);
    }
  }
  return { add, begun, endAll, most: () => most };
}

test('at most four uploads run at once, and each resolves with its own result', async () => {
  const { add, endAll, most } = startWork();
  const results = Promise.all(Array.from({ length: 50 }, (_, n) => add(null, `${n}`)));
  await endAll();
  expect(await results).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`));
  expect(most()).toBe(4);
});

test('each API key starts as many uploads as all clients without a key together', async () => {
  const { add, begun, endAll } = startWork();
  const crowd = Array.from({ length: 500 }, (_, n) => add(null, `crowd ${n}`));
  const keys = ['a', 'b'].flatMap((key) => Array.from({ length: 5 }, (_, n) => add(key, `${key} ${n}`)));
  await endAll();
  await Promise.all([...crowd, ...keys]);
  const last = Math.max(...begun.flatMap((name, at) => (name.startsWith('crowd') ? [] : at)));
  expect(last).toBeLessThan(4 + 3 * 5 + 4);
});

test('a failed upload rejects, and the next upload begins', async () => {
  const { add, endAll } = startWork();
  const outcomes = Promise.allSettled(
    ['fails', 'fails', 'fails', 'fails', 'last'].map((name) => add(null, name)),
  );
  await endAll();
  expect((await outcomes).map(({ status }) => status)).toEqual([...Array(4).fill('rejected'), 'fulfilled']);
});
