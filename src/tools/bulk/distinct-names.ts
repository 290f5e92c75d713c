// Stores the answer of each distinct name, so that `doi bulk` looks up a name once. A name needs at most 40 bytes of memory.

import { hash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalName, type DoiForm } from 'doi-names';
import { parseDoi } from 'doi-names/parts';
import type { RowAnswer } from './read-outcome.ts';

/** 96 bits of a hash. With 10^9 names, the probability of a collision is below 10^-11. */
export type NameKey = readonly [number, number, number];

export function nameKey(canonicalName: string): NameKey {
  const bytes = hash('sha256', canonicalName, 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
}

/**
 * A slot has five 32-bit words: three for the key, then the low and the high word of the number plus 1. In an empty slot,
 * all words are 0.
 */
const SLOT_WORDS = 5;
const SHARDS = 256;
const FIRST_SLOTS = 8;
/** A shard grows if more than this share of its slots is used. */
const MAX_FILL = 0.85;
const GROWTH = 1.5;
/** the number of values of a 32-bit word */
const WORD_VALUES = 2 ** 32;

/** A map from names to numbers. It stores only hashes of the names, in typed arrays. */
export class DistinctNames {
  // A shard grows alone, so that each growth copies only a small part of the map.
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard());

  get size(): number {
    return this.#shards.reduce((sum, { size }) => sum + size, 0);
  }

  /** the bytes of memory that the map uses */
  get bytes(): number {
    return this.#shards.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get(key: NameKey): number | undefined {
    return this.#shardOf(key).get(key);
  }

  /** @param number an integer from 0 to 2^53 - 2 */
  set(key: NameKey, number: number): void {
    this.#shardOf(key).set(key, number);
  }

  #shardOf([word]: NameKey): Shard {
    return this.#shards[word % SHARDS] as Shard;
  }
}

class Shard {
  size = 0;
  #slots = FIRST_SLOTS;
  #words = new Uint32Array(FIRST_SLOTS * SLOT_WORDS);

  get bytes(): number {
    return this.#words.byteLength;
  }

  get(key: NameKey): number | undefined {
    const at = this.#find(key);
    const stored = this.#stored(at);
    return stored === 0 ? undefined : stored - 1;
  }

  set(key: NameKey, number: number): void {
    let at = this.#find(key);
    if (this.#stored(at) === 0) {
      if (this.size + 1 > this.#slots * MAX_FILL) {
        this.#grow();
        at = this.#find(key);
      }
      this.size += 1;
    }
    this.#write(at, key, number + 1);
  }

  /** The offset of the slot that has the key. If the key is new: the offset of the empty slot for it. */
  #find([first, second, third]: NameKey): number {
    const words = this.#words;
    let slot = second % this.#slots;
    for (;;) {
      const at = slot * SLOT_WORDS;
      const isKey = words[at] === first && words[at + 1] === second && words[at + 2] === third;
      if (isKey || this.#stored(at) === 0) return at;
      slot = slot + 1 === this.#slots ? 0 : slot + 1;
    }
  }

  #stored(at: number): number {
    return (this.#words[at + 3] as number) + (this.#words[at + 4] as number) * WORD_VALUES;
  }

  #write(at: number, key: NameKey, stored: number): void {
    this.#words.set(key, at);
    this.#words[at + 3] = stored % WORD_VALUES;
    this.#words[at + 4] = Math.floor(stored / WORD_VALUES);
  }

  #grow(): void {
    const old = this.#words;
    this.#slots = Math.ceil(this.#slots * GROWTH);
    this.#words = new Uint32Array(this.#slots * SLOT_WORDS);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      const stored = (old[at + 3] as number) + (old[at + 4] as number) * WORD_VALUES;
      if (stored === 0) continue;
      const key: NameKey = [old[at] as number, old[at + 1] as number, old[at + 2] as number];
      this.#write(this.#find(key), key, stored);
    }
  }
}

export type AnswerStore = ReturnType<typeof createAnswerStore>;

/** The answer of each distinct name, in a temporary file. Memory has only the offsets in the file. */
export function createAnswerStore(form: DoiForm | null) {
  const path = join(tmpdir(), `doi-bulk-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  // The file disappears when the process ends.
  unlinkSync(path);
  // The number of a name is 0 without an answer, else the offset of the answer in the file plus 1.
  const names = new DistinctNames();
  const storedLength = Buffer.alloc(4);
  let end = 0;

  function read(at: number): { readonly answer: RowAnswer; readonly end: number } {
    readSync(file, storedLength, 0, 4, at);
    const text = Buffer.alloc(storedLength.readUInt32LE());
    readSync(file, text, 0, text.length, at + 4);
    return { answer: JSON.parse(text.toString()) as RowAnswer, end: at + 4 + text.length };
  }

  return {
    /** Returns null for an input that is not a DOI name. */
    nameKeyOf(input: string): NameKey | null {
      const { name } = parseDoi(input, form);
      return name === null ? null : nameKey(canonicalName(name));
    },
    /** Adds a name without an answer. Returns false if the name was added before. */
    addIfNew(key: NameKey): boolean {
      if (names.get(key) !== undefined) return false;
      names.set(key, 0);
      return true;
    },
    keep(key: NameKey, answer: RowAnswer): void {
      const text = Buffer.from(JSON.stringify(answer));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      writeSync(file, Buffer.concat([length, text]), 0, text.length + 4, end);
      names.set(key, end + 1);
      end += text.length + 4;
    },
    /** Returns undefined if the name has no answer yet. */
    get(key: NameKey): RowAnswer | undefined {
      const number = names.get(key) ?? 0;
      if (number === 0) return undefined;
      return read(number - 1).answer;
    },
    /** All stored answers in their order, also those that later answers of the same name replaced. */
    *answers(): Iterable<RowAnswer> {
      for (let at = 0; at < end; ) {
        const stored = read(at);
        yield stored.answer;
        at = stored.end;
      }
    },
    close: () => closeSync(file),
  };
}
