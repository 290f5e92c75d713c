// Stores the entries of one kind as texts, in memory and in the shared tier.

import DataLoader from 'dataloader';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError } from '../handle/json.ts';
import type { Metrics } from '../metrics.ts';
import { type Entry, isCacheable, keptMs, newestOf, type SharedTier } from './cached-entry.ts';
import type { CacheClock } from './clock.ts';
import type { Codec } from './codec.ts';
import { entryKey } from './decoded-answers.ts';
import { NOT_KEPT, NOT_KEPT_MS } from './in-flight.ts';
import type { MemoryTier, SmallValues } from './memory-tier.ts';

/** The parts that the look-ups of all kinds share. */
export interface CacheParts {
  readonly memory: MemoryTier;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly random: () => number;
  /** for each key the time of its last failed refresh, in milliseconds since 1970 */
  readonly failures: SmallValues<number>;
  readonly metrics: Pick<Metrics, 'cacheLookupCounts' | 'lockWaits' | 'sharedCacheErrors'>;
}

interface StoredEntriesOptions<Value> extends Omit<CacheParts, 'failures'> {
  readonly keyPrefix: string;
  readonly codec: Codec<Value>;
  readonly isFailure: (value: Value) => boolean;
  readonly inMemory: (name: HandleName) => Entry<Value> | undefined;
  readonly onChange?: (name: HandleName) => void;
}

interface StoredEntries<Value> {
  /** Reads the shared tier, and copies an entry into memory if it is newer. Deletes an entry that cannot be decoded. */
  readShared(name: HandleName): Promise<Entry<Value> | typeof NOT_KEPT | undefined>;
  /** See `ReadThrough.store`. */
  store(name: HandleName, entry: Entry<Value>): void;
}

export function createStoredEntries<Value>(options: StoredEntriesOptions<Value>): StoredEntries<Value> {
  const { keyPrefix, codec, memory, shared, clock, random, metrics } = options;
  const sharedTexts = new DataLoader<string, string | null>((keys) => shared.getMany(keys), { cache: false });

  function decode(name: HandleName, text: string): Entry<Value> | undefined {
    try {
      return codec.decode(text, name);
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      metrics.sharedCacheErrors.inc({ operation: 'decode' });
      return undefined;
    }
  }

  function setMemory(name: HandleName, key: string, text: string): void {
    memory.set(key, text);
    options.onChange?.(name);
  }

  return {
    async readShared(name) {
      if (shared.state === 'down') return undefined;
      const key = entryKey(keyPrefix, name);
      const text = await sharedTexts.load(key);
      if (text === null || text === NOT_KEPT) return text ?? undefined;
      const entry = decode(name, text);
      if (!entry) shared.delete(key);
      else if (newestOf([entry, options.inMemory(name)], clock.now()) === entry) setMemory(name, key, text);
      return entry;
    },

    store(name, entry) {
      if (options.isFailure(entry.value)) return;
      const key = entryKey(keyPrefix, name);
      if (!isCacheable(entry)) {
        memory.delete(key);
        shared.set(key, NOT_KEPT, NOT_KEPT_MS);
        return;
      }
      const text = codec.encode(entry);
      setMemory(name, key, text);
      shared.set(key, text, keptMs(entry, clock.now(), random));
    },
  };
}
