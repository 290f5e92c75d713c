// The tier in this process: text by key, and recently decoded entries. Both have a limit of bytes.

import { LRUCache } from 'lru-cache';

// Entries by key, bounded by their bytes, in the order in which they came. The first to go is the first that was not used
// since the last time it was about to go: nearly as good as the least recently used, and a use costs next to nothing.

interface BoundedEntry {
  /** an estimate of what it takes, key and places included */
  readonly bytes: number;
  /** The user of an entry sets it; the map clears it. */
  used: boolean;
  /** It is kept no longer. */
  dropped?(): void;
}

interface SecondChanceMap<Entry extends BoundedEntry> {
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

export interface MemoryTier {
  readonly entries: number;
  /** an estimate of what the entries take, decoded ones included; never more than the bound */
  readonly bytes: number;
  /** grows with each decoded entry that is dropped, and with each period: what is used has to say so once in each */
  readonly turnover: number;
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  delete(key: string): void;
  /**
   * Keeps what a text was decoded to, until the text goes or is replaced, or others need the room. What would take
   * the room of too many others is dropped at once.
   */
  keep(decoded: Decoded): void;
  /** Counts what was decoded, and its text, as used just now. What was dropped is not to be used. */
  use(decoded: Decoded): void;
}

export interface Decoded extends BoundedEntry {
  readonly key: string;
  /** the tier's own: in which period of the texts it was used last; -1 at first */
  usedIn: number;
}

/** What the map and the list of an entry take besides its two strings: measured. */
const ENTRY_BYTES = 150;

/** What an entry takes once more when it is decoded: somewhat more than was measured. */
const DECODED_ENTRY_BYTES = 400;
const DECODED_PER_BYTE = 4;
const DECODED_PER_OBJECT = 60;

/** Of all bytes those for what is decoded. */
const DECODED_SHARE = 0.25;

/** Of the bytes for texts, those whose writing is one period. */
const PERIOD_SHARE = 0.125;

export function createMemoryTier(maxBytes: number): MemoryTier {
  const maxDecodedBytes = Math.floor(maxBytes * DECODED_SHARE);
  const decoded = createSecondChanceMap<Decoded>(maxDecodedBytes);
  const maxTextBytes = maxBytes - maxDecodedBytes;
  let period = 0;
  let periodEndsIn = maxTextBytes * PERIOD_SHARE;
  const texts = new LRUCache<string, string>({
    maxSize: maxTextBytes,
    dispose: (_, key) => decoded.drop(key),
    noDisposeOnSet: true,
  });
  return {
    get entries() {
      return texts.size;
    },
    get bytes() {
      return texts.calculatedSize + decoded.bytes;
    },
    get turnover() {
      return period + decoded.dropped;
    },
    get: (key) => unpack(texts.get(key)),
    set: (key, text) => {
      decoded.drop(key);
      const packed = pack(text);
      const size = ENTRY_BYTES + bytesOf(key) + bytesOf(packed);
      texts.set(ownCopy(key), packed, { size });
      periodEndsIn -= size;
      if (periodEndsIn > 0) return;
      period += 1;
      periodEndsIn = maxTextBytes * PERIOD_SHARE;
    },
    delete: (key) => {
      texts.delete(key);
    },
    keep: (entry) => decoded.set(entry.key, entry),
    use(entry) {
      entry.used = true;
      if (entry.usedIn === period) return;
      entry.usedIn = period;
      // Counts as a use of the text, so that it is not dropped as unused while its entry is decoded. Once a period is
      // enough: texts that were not used in this period are dropped first.
      texts.get(entry.key);
    },
  };
}

/** Small values by key, the keys bounded by the bytes they take: a name may be as long as a request. */
export function createSmallValues<Value extends object | number>(maxBytes: number): SmallValues<Value> {
  const values = new LRUCache<string, Value>({
    maxSize: maxBytes,
    sizeCalculation: (_, key) => ENTRY_BYTES + bytesOf(key),
  });
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.set(ownCopy(key), value);
    },
    delete: (key) => {
      values.delete(key);
    },
  };
}

export interface SmallValues<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

const BEYOND_LATIN_1 = /[^\u0000-\u00FF]/;
const PACKED = '\u0000';

/** A string takes a byte a character, or two if one of its characters is beyond Latin-1. */
function bytesOf(text: string): number {
  return BEYOND_LATIN_1.test(text) ? text.length * 2 : text.length;
}

/** One character beyond Latin-1 would double what a text takes: its bytes in UTF-8 are taken for characters. */
function pack(text: string): string {
  const fits = !BEYOND_LATIN_1.test(text) && !text.startsWith(PACKED);
  return fits ? text : PACKED + Buffer.from(text).toString('latin1');
}

function unpack(text: string | undefined): string | undefined {
  return text?.startsWith(PACKED) ? Buffer.from(text.slice(1), 'latin1').toString() : text;
}

/** A string that was cut from another keeps the other in memory: a whole request for one of its names. */
export function ownCopy<Text extends string>(text: Text): Text {
  return Buffer.from(text).toString() as Text;
}

/** What is decoded from a text takes several times as much, and the more so the more it consists of small parts. */
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
