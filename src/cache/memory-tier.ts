// The tier in this process: text by key, bounded by the bytes it takes.

import { LRUCache } from 'lru-cache';

export interface MemoryTier {
  readonly entries: number;
  /** an estimate of what the entries take, never more than the bound */
  readonly bytes: number;
  get(key: string): string | undefined;
  set(key: string, text: string): void;
  delete(key: string): void;
}

/** What the map and the list of an entry take besides its two strings, measured by bench/memory.ts. */
const ENTRY_BYTES = 150;

export function createMemoryTier(maxBytes: number): MemoryTier {
  const texts = new LRUCache<string, string>({
    maxSize: maxBytes,
    sizeCalculation: (text, key) => ENTRY_BYTES + bytesOf(key) + bytesOf(text),
  });
  return {
    get entries() {
      return texts.size;
    },
    get bytes() {
      return texts.calculatedSize;
    },
    get: (key) => unpack(texts.get(key)),
    set: (key, text) => {
      texts.set(ownCopy(key), pack(text));
    },
    delete: (key) => {
      texts.delete(key);
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
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
