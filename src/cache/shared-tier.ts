// The port to a tier that all replicas share.

/** Everything resolves, and quickly: a tier that fails answers as one that holds nothing, and says so in `state`. */
export interface SharedTier {
  /** `down`: bypassed, and tried again in the background */
  readonly state: 'up' | 'down';
  /** one round trip a call; null where there is nothing, or nothing to be had */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** does not wait for the write */
  set(key: string, text: string, keptMs: number): void;
  delete(key: string): void;
  /** Takes the lock of a key for at most `heldMs`. */
  lock(key: string, heldMs: number): Promise<LockAttempt>;
  close(): Promise<void>;
}

/** `none`: there is no lock to be had from this tier now; go on without one. */
export type LockAttempt =
  | { readonly got: 'lock'; release(): void }
  | { readonly got: 'held by another' | 'none' };

/** For a gateway without a shared tier. */
export const NO_SHARED_TIER: SharedTier = {
  state: 'down',
  getMany: async (keys) => keys.map(() => null),
  set() {},
  delete() {},
  lock: async () => ({ got: 'none' }),
  async close() {},
};
