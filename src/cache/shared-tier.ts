// The port to a tier that all replicas share.

/** In UTF-8. Somewhat more than the largest response of the directory takes. */
export const MAX_TEXT_BYTES = 8_000_000;

/** Everything resolves, and quickly: a tier that fails answers as one that holds nothing, and says so in `state`. */
export interface SharedTier {
  /** `down`: bypassed, and tried again in the background */
  readonly state: 'up' | 'down';
  /** no memory is left: it is read, and refuses writes */
  readonly isFull: boolean;
  /**
   * One round trip a call; null where there is nothing, or nothing to be had. Of a text that is too long no more
   * is read than a byte beyond MAX_TEXT_BYTES.
   */
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Does not wait for the write. A text of more than MAX_TEXT_BYTES is not kept, nor is what was there before. */
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
  isFull: false,
  getMany: async (keys) => keys.map(() => null),
  set() {},
  delete() {},
  lock: async () => ({ got: 'none' }),
  async close() {},
};
