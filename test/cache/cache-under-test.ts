// A cached directory in front of a fake directory, with a virtual clock.

import { type CachedDirectoryOptions, createCachedDirectory } from '../../src/cache/cached-directory.ts';
import { NO_SHARED_TIER } from '../../src/cache/cached-entry.ts';
import { createMemoryTier, type MemoryTier } from '../../src/cache/memory-tier.ts';
import type { Directory } from '../../src/directory/directory.ts';
import { GatewayError } from '../../src/errors.ts';
import { createRecord, type HandleRecord } from '../../src/handle/record.ts';
import { HANDLE_NOT_FOUND } from '../../src/handle/response-codes.ts';
import { decodeValues } from '../../src/handle/value.ts';
import { createMetrics, type Metrics } from '../../src/metrics.ts';
import {
  createFakeDirectory,
  type FakeDirectory,
  type FakeDirectoryOptions,
  urlValue,
} from '../support/fake-directory.ts';
import { createVirtualClock, settled, type VirtualClock } from '../support/virtual-clock.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface CacheUnderTest {
  readonly directory: Directory;
  readonly clock: VirtualClock;
  readonly memory: MemoryTier;
  readonly metrics: Metrics;
  readonly calls: FakeDirectory['calls'];
  /** Sets the answer of the directory for every name. */
  says(answer: Answer): void;
  /** Makes the directory wait before its answers. `answer` ends the wait. */
  holdBack(): { answer(): Promise<void> };
}

/** Wire values, a response code, or an error to throw. */
export type Answer = readonly unknown[] | number | Error;

export const DOWN = new GatewayError('UPSTREAM_UNAVAILABLE');

/** The values of a record with this ttl. */
export function livingFor(seconds: number, url = 'https://example.org/'): readonly unknown[] {
  return [urlValue(url, { ttl: seconds })];
}

export interface CacheParts extends Partial<CachedDirectoryOptions> {
  readonly clock?: VirtualClock;
  readonly agencies?: FakeDirectoryOptions['agencies'];
  readonly metadata?: FakeDirectoryOptions['metadata'];
  readonly metrics?: Metrics;
}

export function createCacheUnderTest(parts: CacheParts = {}): CacheUnderTest {
  const clock = parts.clock ?? createVirtualClock();
  const memory = parts.memory ?? createMemoryTier(1_000_000);
  const metrics = parts.metrics ?? createMetrics();
  let answer: Answer = HANDLE_NOT_FOUND;
  let gate = Promise.resolve();

  async function resolve(handle: HandleRecord['handle']): Promise<HandleRecord> {
    await gate;
    if (answer instanceof Error) throw answer;
    const [responseCode, values] = typeof answer === 'number' ? [answer, []] : [1, decodeValues(answer)];
    return createRecord({ responseCode, values, handle, fetchedAt: clock.now() });
  }

  const everyName = new Proxy<Record<string, typeof resolve>>({}, { get: () => resolve });
  const fake = createFakeDirectory({
    records: everyName,
    agencies: parts.agencies ?? {},
    ...(parts.metadata && { metadata: parts.metadata }),
    now: clock.now,
  });
  const directory = createCachedDirectory({
    directory: fake,
    memory,
    shared: NO_SHARED_TIER,
    maxFailureBytes: 1_000_000,
    maxPrefixBytes: 1_000_000,
    random: () => 0,
    ...parts,
    clock,
    metrics,
  });
  return {
    directory,
    clock,
    memory,
    metrics,
    calls: fake.calls,
    says(next) {
      answer = next;
    },
    holdBack() {
      let release: () => void = () => undefined;
      gate = new Promise<void>((done) => {
        release = done;
      });
      return {
        async answer() {
          release();
          await settled();
        },
      };
    },
  };
}

/** The sum of a counter's values with these labels. */
export async function counted(
  metric: Metrics['cacheLookups'] | Metrics['lockWaits'] | Metrics['sharedCacheErrors'],
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const { values } = await metric.get();
  const matching = values.filter((value) =>
    Object.entries(labels).every(
      ([name, label]) => (value.labels as Record<string, unknown>)[name] === label,
    ),
  );
  return matching.reduce((sum, { value }) => sum + value, 0);
}
