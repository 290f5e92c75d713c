// A cache before a directory whose look-ups the test answers one by one, and clients that leave.

import type { HandleName } from 'doi-names';
import { afterEach, beforeEach, expect } from 'vitest';
import { createRecord } from '../../src/handle/record.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { doiName } from '../support/doi-names.ts';
import { createFakeDirectory } from '../support/fake-directory.ts';
import { createVirtualClock, settled, type VirtualClock } from '../support/virtual-clock.ts';
import { type CacheParts, createCacheUnderTest, livingFor } from './cache-under-test.ts';

export const NAME = doiName('10.1000/a');
/** why a client's signal is aborted */
export const reason = new Error('the client has gone');

export interface LookUp {
  readonly name: HandleName;
  isGivenUp(): boolean;
  /** with a record that lives for so many seconds */
  answer(seconds: number): Promise<void>;
}

/** A look-up that is given up ends at once. */
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
          isGivenUp: () => signal?.aborted ?? false,
          async answer(seconds) {
            const values = decodeValues(livingFor(seconds));
            resolve(createRecord({ responseCode: 1, values, handle: name, fetchedAt: clock.now() }));
            await settled();
          },
        });
      }),
  };
  const cache = createCacheUnderTest({ directory, ...parts, clock });
  /** Whoever asks for a name, until he leaves. */
  function ask(name = NAME) {
    const controller = new AbortController();
    const answer = cache.directory.resolve(name, { signal: controller.signal });
    answer.catch(() => undefined);
    return { answer, leave: () => controller.abort(reason) };
  }
  return { ...cache, clock, lookUps, ask };
}

/** For the tests of a file: none may leave a rejection that nobody handles. */
export function expectNoUnhandledRejections(): void {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(async () => {
    await settled();
    process.off('unhandledRejection', note);
    expect(unhandled.splice(0)).toEqual([]);
  });
}
