import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { MULTIPART, requestParts, SSE } from './parts.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test.each([MULTIPART, SSE])(
  'if 200 clients of %s leave before the end, no look-up continues and no memory stays in use',
  { timeout: 60_000 },
  async (accept) => {
    const directory = createHeldDirectory();
    const contexts: WeakRef<object>[] = [];
    const resolve: typeof directory.resolve = (name, options) => {
      if (options?.signal) contexts.push(new WeakRef(options.signal));
      return directory.resolve(name, options);
    };
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
    const gateway = await startGateway({ directory: { ...directory, resolve } });
    onTestFinished(() => gateway.close());
    for (let client = 0; client < 200; client += 1) {
      const query = `{ doi(input: "10.5555/${client}") { name ... @defer { exists } } }`;
      const response = await requestParts(gateway, query, { accept });
      await response.next();
      response.leave();
    }
    await expect.poll(() => directory.abandoned).toHaveLength(200);
    const contextsInMemory = () => {
      collectGarbage();
      return contexts.filter((context) => context.deref()).length;
    };
    // The stack can still have the last contexts.
    await expect.poll(contextsInMemory).toBeLessThan(10);
    expect(contexts).toHaveLength(200);
    expect(unhandled).toEqual([]);
  },
);
