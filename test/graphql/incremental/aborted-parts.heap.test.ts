// Clients that leave in mid-stream leave nothing behind.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { askForParts, MULTIPART, SSE } from './parts.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test.each([MULTIPART, SSE])(
  '200 clients of %s that leave leave nothing behind',
  { timeout: 60_000 },
  async (accept) => {
    const directory = createHeldDirectory();
    const contexts: WeakRef<object>[] = [];
    const resolve: typeof directory.resolve = (name, options) => {
      if (options?.signal) contexts.push(new WeakRef(options.signal));
      return directory.resolve(name, options);
    };
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const gateway = await startGateway({ directory: { ...directory, resolve } });
    onTestFinished(() => gateway.close());
    for (let client = 0; client < 200; client += 1) {
      const query = `{ doi(input: "10.5555/${client}") { name ... @defer { exists } } }`;
      const answer = await askForParts(gateway, query, { accept });
      await answer.next();
      answer.leave();
    }
    await expect.poll(() => directory.abandoned).toHaveLength(200);
    const left = () => {
      collectGarbage();
      return contexts.filter((context) => context.deref()).length;
    };
    // The last of them may still be on somebody's stack.
    await expect.poll(left).toBeLessThan(10);
    expect(contexts).toHaveLength(200);
    expect(unhandled).toEqual([]);
  },
);
