// A shared tier in memory, with the clock of the test.

import { MAX_TEXT_BYTES, type SharedTier } from '../../src/cache/cached-entry.ts';
import type { Clock } from '../../src/time.ts';

export interface FakeSharedTier extends SharedTier {
  state: SharedTier['state'];
  readonly texts: Map<string, { readonly text: string; readonly until: number }>;
}

export function createFakeSharedTier(clock: Pick<Clock, 'now' | 'sleep'>): FakeSharedTier {
  const texts: FakeSharedTier['texts'] = new Map();
  const locks = new Map<string, { readonly until: number }>();

  function current<T extends { readonly until: number }>(map: Map<string, T>, key: string): T | undefined {
    const known = map.get(key);
    return known && known.until > clock.now() ? known : undefined;
  }

  return {
    state: 'up',
    isFull: false,
    texts,
    getMany: async (keys) => keys.map((key) => current(texts, key)?.text ?? null),
    set(key, text, keptMs) {
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES) texts.delete(key);
      else texts.set(key, { text, until: clock.now() + keptMs });
    },
    delete(key) {
      texts.delete(key);
    },
    async lock(key, heldMs) {
      if (current(locks, key)) return { got: 'held by another' };
      const mine = { until: clock.now() + heldMs };
      locks.set(key, mine);
      return {
        got: 'lock',
        release() {
          if (locks.get(key) === mine) locks.delete(key);
        },
      };
    },
    async close() {},
  };
}
