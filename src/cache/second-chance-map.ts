// Entries by key, bounded by their bytes, in the order in which they came. The first to go is the first that was not used
// since the last time it was about to go: nearly as good as the least recently used, and a use costs next to nothing.

export interface BoundedEntry {
  /** an estimate of what it takes, key and places included */
  readonly bytes: number;
  /** whoever uses it sets it; the map's own besides */
  used: boolean;
  /** It is kept no longer. */
  dropped?(): void;
}

export interface SecondChanceMap<Entry extends BoundedEntry> {
  readonly bytes: number;
  /** how many were dropped so far */
  readonly dropped: number;
  /** To get it is no use of it. */
  get(key: string): Entry | undefined;
  /** In place of the one with this key. What would take the room of too many others is dropped at once. */
  set(key: string, entry: Entry): void;
  drop(key: string): void;
}

/** Of all bytes what one entry may take. */
const LARGEST_PART = 0.25;
/** How many are passed over to make room for one. */
const SECOND_CHANCES = 64;

export function createSecondChanceMap<Entry extends BoundedEntry>(maxBytes: number): SecondChanceMap<Entry> {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let dropped = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.bytes;
    dropped += 1;
    entry.dropped?.();
  }

  return {
    get bytes() {
      return bytes;
    },
    get dropped() {
      return dropped;
    },
    get: (key) => entries.get(key),
    drop,
    set(key, entry) {
      drop(key);
      if (entry.bytes > maxBytes * LARGEST_PART) {
        entry.dropped?.();
        return;
      }
      entries.set(key, entry);
      bytes += entry.bytes;
      let chances = SECOND_CHANCES;
      for (const [next, candidate] of entries) {
        if (bytes <= maxBytes) break;
        if (candidate.used && chances > 0) {
          chances -= 1;
          candidate.used = false;
          entries.delete(next);
          entries.set(next, candidate);
        } else {
          drop(next);
        }
      }
    },
  };
}
