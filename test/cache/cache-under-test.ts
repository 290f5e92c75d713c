// A cached directory over a fake one, its clock and its tiers in the test's hands.

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
  /** what the directory says of every name from now on; each answer is new */
  says(answer: Answer): void;
  /** From now on the directory answers nothing; until what it was asked is answered, with what it says then. */
  holdBack(): { answer(): Promise<void> };
}

/** Values as the wire has them, a response code, or what to fail with. */
export type Answer = readonly unknown[] | number | Error;

export const DOWN = new GatewayError('UPSTREAM_UNAVAILABLE');

/** A record that lives for so many seconds. */
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
      let letGo: () => void = () => undefined;
      gate = new Promise<void>((done) => {
        letGo = done;
      });
      return {
        async answer() {
          letGo();
          await settled();
        },
      };
    },
  };
}

/** The value of a counter under some labels; 0 where it has not counted. */
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
