// Asks the directory for a name once in the fleet: whoever has its lock asks, the others wait for the answer.

import type { Metrics } from '../metrics.ts';
import type { CacheClock } from './clock.ts';
import type { Entry } from './entry.ts';
import type { SharedTier } from './shared-tier.ts';

export interface FetchOnceOptions<Value> {
  readonly key: string;
  readonly shared: SharedTier;
  readonly clock: CacheClock;
  readonly metrics: Pick<Metrics, 'lockWaits'>;
  /** what the shared tier holds that is worth more than asking; undefined where there is nothing */
  readonly read: () => Promise<Entry<Value> | undefined>;
  /** asks the directory */
  readonly ask: () => Promise<Entry<Value>>;
  /** hands the answer to the tiers */
  readonly store: (entry: Entry<Value>) => void;
  /** throws where nobody wants the answer any more */
  readonly throwIfGivenUp: () => void;
}

/** How long a replica may be at a name before its lock is taken for lost. */
const LOCK_MS = 5_000;
/** Time for a holder that dies and for one that takes over; after that everyone asks for itself. */
const MAX_WAIT_MS = 2 * LOCK_MS;
const FIRST_POLL_MS = 20;
const LAST_POLL_MS = 320;

/** Rejects as `ask` does, or with what `throwIfGivenUp` throws. A shared tier that fails is no obstacle: then every replica asks for itself. */
export async function fetchOnce<Value>(options: FetchOnceOptions<Value>): Promise<Entry<Value>> {
  const { key, shared, clock, metrics, read, ask, store, throwIfGivenUp } = options;
  let waited = false;
  let pollMs = FIRST_POLL_MS;
  const ended = (how: 'answered' | 'lost'): void => {
    if (waited) metrics.lockWaits.inc({ ended: how });
  };
  const askAndStore = async (): Promise<Entry<Value>> => {
    throwIfGivenUp();
    ended('lost');
    const entry = await ask();
    store(entry);
    return entry;
  };

  const start = clock.now();
  while (shared.state === 'up' && clock.now() - start < MAX_WAIT_MS) {
    const attempt = await shared.lock(key, LOCK_MS);
    if (attempt.got === 'none') break;
    if (attempt.got === 'held by another') {
      waited = true;
      await clock.sleep(pollMs);
      pollMs = Math.min(pollMs * 2, LAST_POLL_MS);
    }
    try {
      throwIfGivenUp();
      // Whoever has the lock, or had it before, may have left the answer.
      const entry = await read();
      if (entry) {
        ended('answered');
        return entry;
      }
      if (attempt.got === 'lock') return await askAndStore();
    } finally {
      if (attempt.got === 'lock') attempt.release();
    }
  }
  return askAndStore();
}
