// The cache in the memory of this process: entries as text, and recently decoded entries. Both have a limit in bytes.

import { LRUCache } from 'lru-cache';

interface BoundedEntry {
  /** estimated memory, with the key */
  readonly bytes: number;
  /** set by the code that uses the entry; cleared by the map */
  isUsed: boolean;
  /** called after the map has dropped the entry */
  onDrop?(): void;
}

/** One entry can have at most this share of all bytes. */
const MAX_ENTRY_SHARE = 0.25;
/** To make space for one entry, the map spares at most this many used entries. */
const MAX_SPARED = 64;

/**
 * A map with the second-chance algorithm. To make space, the map visits its entries, the oldest first. It drops an
 * unused entry. A used entry becomes the newest entry, and its `isUsed` is cleared. This is nearly as good as LRU, and a
 * use of an entry only sets `isUsed`.
 */
export function createSecondChanceMap<Entry extends BoundedEntry>(maxBytes: number) {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let droppedCount = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.bytes;
    droppedCount += 1;
    entry.onDrop?.();
  }

  return {
    get bytes() {
      return bytes;
    },
    /** number of entries dropped so far */
    get droppedCount() {
      return droppedCount;
    },
    /** Does not set `isUsed`. */
    get: (key: string) => entries.get(key),
    drop,
    /** Replaces the entry with this key. If the new entry is too large, drops it at once. */
    set(key: string, entry: Entry): void {
      drop(key);
      if (entry.bytes > maxBytes * MAX_ENTRY_SHARE) {
        entry.onDrop?.();
        return;
      }
      entries.set(key, entry);
      bytes += entry.bytes;
      let sparesLeft = MAX_SPARED;
      for (const [next, candidate] of entries) {
        if (bytes <= maxBytes) break;
        if (candidate.isUsed && sparesLeft > 0) {
          sparesLeft -= 1;
          candidate.isUsed = false;
          entries.delete(next);
          entries.set(next, candidate);
        } else {
          drop(next);
        }
      }
    },
  };
}

export interface KeptEntry extends BoundedEntry {
  readonly key: string;
  /** the period of the last use; -1 if unused; only the tier reads and writes it */
  usedInPeriod: number;
}

/** The memory of an entry without its two strings (measured). */
const ENTRY_BYTES = 150;
/** The additional memory of a decoded entry: a fixed part, a part per byte of text, a part per object. */
const DECODED_ENTRY_BYTES = 400;
const DECODED_PER_BYTE = 4;
const DECODED_PER_OBJECT = 60;

/** All decoded entries together can have at most this share of all bytes. */
const DECODED_SHARE = 0.25;

/** A period ends when new texts have used this share of the bytes for texts. */
const PERIOD_SHARE = 0.125;

export type MemoryTier = ReturnType<typeof createMemoryTier>;

export function createMemoryTier(maxBytes: number) {
  const maxDecodedBytes = Math.floor(maxBytes * DECODED_SHARE);
  const decoded = createSecondChanceMap<KeptEntry>(maxDecodedBytes);
  const maxTextBytes = maxBytes - maxDecodedBytes;
  let period = 0;
  let periodBytesLeft = maxTextBytes * PERIOD_SHARE;
  const texts = new LRUCache<string, string>({
    maxSize: maxTextBytes,
    dispose: (_, key) => decoded.drop(key),
    noDisposeOnSet: true,
  });
  return {
    get entries() {
      return texts.size;
    },
    /** estimated memory of texts and decoded entries; never more than the limit */
    get bytes() {
      return texts.calculatedSize + decoded.bytes;
    },
    /**
     * Grows when a decoded entry is dropped, and when a period ends. While it is unchanged, a caller can serve a decoded
     * entry again without a call of `use`.
     */
    get generation() {
      return period + decoded.droppedCount;
    },
    get: (key: string) => unpack(texts.get(key)),
    set(key: string, text: string): void {
      decoded.drop(key);
      const packed = pack(text);
      const size = ENTRY_BYTES + bytesOf(key) + bytesOf(packed);
      texts.set(ownCopy(key), packed, { size });
      periodBytesLeft -= size;
      if (periodBytesLeft > 0) return;
      period += 1;
      periodBytesLeft = maxTextBytes * PERIOD_SHARE;
    },
    delete: (key: string) => void texts.delete(key),
    /**
     * Keeps a decoded entry until its text is dropped or replaced, or until other entries need the space. If the entry
     * is too large, drops it at once.
     */
    keep: (entry: KeptEntry) => decoded.set(entry.key, entry),
    /** Marks a decoded entry and its text as recently used. The entry must not have been dropped. */
    use(entry: KeptEntry): void {
      entry.isUsed = true;
      if (entry.usedInPeriod === period) return;
      entry.usedInPeriod = period;
      // This `get` marks the text as used, so that it stays while its decoded entry is used. Once per period is enough:
      // texts that were not used in the period are dropped first.
      texts.get(entry.key);
    },
  };
}

/** A map of small values. Its limit includes the bytes of the keys, because a name can be as long as a request. */
export class SmallValues<Value extends object | number> extends LRUCache<string, Value> {
  constructor(maxBytes: number) {
    super({ maxSize: maxBytes, sizeCalculation: (_, key) => ENTRY_BYTES + bytesOf(key) });
  }

  override set(key: string, value: Value): this {
    return super.set(ownCopy(key), value);
  }
}

const BEYOND_LATIN_1 = /[^\u0000-\u00FF]/;
const PACKED = '\u0000';

/** V8 needs one byte per character, or two bytes if the string has a character outside Latin-1. */
function bytesOf(text: string): number {
  return BEYOND_LATIN_1.test(text) ? text.length * 2 : text.length;
}

/** A character outside Latin-1 would double the memory of a text. Such a text is stored as its UTF-8 bytes instead. */
function pack(text: string): string {
  const fits = !BEYOND_LATIN_1.test(text) && !text.startsWith(PACKED);
  return fits ? text : PACKED + Buffer.from(text).toString('latin1');
}

function unpack(text: string | undefined): string | undefined {
  return text?.startsWith(PACKED) ? Buffer.from(text.slice(1), 'latin1').toString() : text;
}

/** Copies a text. Without a copy, a name that was cut from a request keeps the text of the whole request in memory. */
export function ownCopy<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text;
}

/** Estimates the memory of a decoded text. A text with many small objects needs more. */
export function decodedBytes(text: string, name: string): number {
  let objects = 0;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (character === '[' || character === '{') objects += 1;
  }
  return (
    DECODED_ENTRY_BYTES + DECODED_PER_BYTE * (bytesOf(text) + bytesOf(name)) + DECODED_PER_OBJECT * objects
  );
}
