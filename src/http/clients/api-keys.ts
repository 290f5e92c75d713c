// API keys: who has which, told from their hashes alone.

import { hash } from 'node:crypto';
import type { BudgetPolicy } from './budget-policy.ts';

export interface ApiKey {
  /** of whoever has it, for the log; one key for each name */
  readonly name: string;
  /** 64 digits */
  readonly sha256: string;
  /** `default` is what clients without a key have; null: no limit */
  readonly policy: BudgetPolicy | 'default' | null;
  /** milliseconds since the epoch; null: never */
  readonly expiresAt: number | null;
}

export interface ApiKeys {
  readonly size: number;
  /** who has this key, expired or not */
  find(key: string): ApiKey | undefined;
}

/** A key of ours has 43; reading a longer one would only cost time. */
const MAX_CHARACTERS = 256;

/**
 * Keys are random and of 128 bits at least, so nobody finds one from its hash, and one round of SHA-256 will do. The
 * look-up by hash is no oracle either: its time depends on the hash of what was sent, which the sender cannot steer
 * towards that of a key without knowing the key.
 */
export function createApiKeys(keys: readonly ApiKey[]): ApiKeys {
  const byHash = new Map(keys.map((key) => [key.sha256, key]));
  return {
    size: byHash.size,
    find: (key) => (key.length > MAX_CHARACTERS ? undefined : byHash.get(hash('sha256', key))),
  };
}
