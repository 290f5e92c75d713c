// A cache in front of a directory whose look-ups the test answers one by one, and clients that leave.

import type { HandleName } from 'doi-names';
import { afterEach, beforeEach, expect } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createVirtualClock, settled, type VirtualClock } from '../support/virtual-clock.ts';
import { type CacheParts, createCacheUnderTest, livingFor } from './cache-under-test.ts';

export const NAME = doiName('10.1000/a');
/** the abort reason of a client that leaves */
export const reason = new Error('the client has gone');

export interface LookUp {
  readonly name: HandleName;
  isAborted(): boolean;
  /** Answers with a record with this ttl. */
  answer(seconds: number): Promise<void>;
}

export function createCacheOfLookUps(parts: CacheParts & { readonly clock?: VirtualClock } = {}) {
  const clock = parts.clock ?? createVirtualClock();
  const lookUps: LookUp[] = [];
  const directory = {
    ...createFakeDirectory(),
    resolve: (name: HandleName, { signal }: { readonly signal?: AbortSignal | undefined } = {}) =>
      new Promise<ReturnType<typeof createRecord>>((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        lookUps.push({
          name,
          isAborted: () => signal?.aborted ?? false,
          async answer(seconds) {
            const values = decodeValues(livingFor(seconds));
            resolve(createRecord({ responseCode: 1, values, handle: name, fetchedAt: clock.now() }));
            await settled();
          },
        });
      }),
  };
  const cache = createCacheUnderTest({ directory, ...parts, clock });
  /** A client looks up a name, and can leave. */
  function startLookUp(name = NAME) {
    const controller = new AbortController();
    const answer = cache.directory.resolve(name, { signal: controller.signal });
    answer.catch(() => undefined);
    return { answer, leave: () => controller.abort(reason) };
  }
  return { ...cache, clock, lookUps, startLookUp };
}

/** Checks after each test of the file that there was no unhandled rejection. */
export function expectNoUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const collect = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => void process.on('unhandledRejection', collect));
  afterEach(async () => {
    await settled();
    process.off('unhandledRejection', collect);
    expect(unhandled.splice(0)).toEqual([]);
  });
}
