// Stores the answer of each distinct name, so that a name is looked up once. Needs at most 40 bytes of memory for each name.

import { hash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalName } from '../../doi/name.ts';
import { parseDoi } from '../../doi/parse.ts';
import type { DoiForm } from '../../doi/recognise.ts';
import type { RowAnswer } from './read-outcome.ts';

/** 96 bits of a hash. With 10^9 names, the probability of a collision is below 10^-11. */
export type NameKey = readonly [number, number, number];

export function nameKey(canonicalName: string): NameKey {
  const bytes = hash('sha256', canonicalName, 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
}

/** The 32-bit words of a slot: three for the key, two for the number plus 1, low word first. A number word of 0: empty. */
const WORDS = 5;
const SHARDS = 256;
const FIRST_SLOTS = 8;
/** The share of used slots from which a table grows by half. */
const MAX_FILL = 0.85;
const GROWTH = 1.5;
const WORD = 2 ** 32;

/** A map from names to numbers. It stores only hashes of the names, in typed arrays. */
export class DistinctNames {
  // Each shard grows alone, so that a growth copies only a small part of the map.
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
  #words = new Uint32Array(FIRST_SLOTS * WORDS);

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

  /** The slot of the key, or the empty slot for it. */
  #find([first, second, third]: NameKey): number {
    const words = this.#words;
    let slot = second % this.#slots;
    for (;;) {
      const at = slot * WORDS;
      const isKey = words[at] === first && words[at + 1] === second && words[at + 2] === third;
      if (isKey || this.#stored(at) === 0) return at;
      slot = slot + 1 === this.#slots ? 0 : slot + 1;
    }
  }

  #stored(at: number): number {
    return (this.#words[at + 3] as number) + (this.#words[at + 4] as number) * WORD;
  }

  #write(at: number, key: NameKey, stored: number): void {
    this.#words.set(key, at);
    this.#words[at + 3] = stored % WORD;
    this.#words[at + 4] = Math.floor(stored / WORD);
  }

  #grow(): void {
    const old = this.#words;
    this.#slots = Math.ceil(this.#slots * GROWTH);
    this.#words = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      const stored = (old[at + 3] as number) + (old[at + 4] as number) * WORD;
      if (stored === 0) continue;
      const key: NameKey = [old[at] as number, old[at + 1] as number, old[at + 2] as number];
      this.#write(this.#find(key), key, stored);
    }
  }
}

/** The answer of each distinct name, in a temporary file. Memory has only the offsets in the file. */
export interface AnswerStore {
  /** Null for an input that is not a DOI name. */
  nameKeyOf(input: string): NameKey | null;
  /** Whether the name is new. Marks it as known. */
  isNew(key: NameKey): boolean;
  keep(key: NameKey, answer: RowAnswer): void;
  /** Undefined if there is no answer yet. */
  get(key: NameKey): RowAnswer | undefined;
  readonly names: DistinctNames;
  close(): void;
}

/** Unlinks the file at once, so that the file disappears when the process ends. */
export function createAnswerStore(form: DoiForm | null, folder = tmpdir()): AnswerStore {
  const path = join(folder, `doi-bulk-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const names = new DistinctNames();
  const LENGTH = Buffer.alloc(4);
  let end = 0;
  return {
    names,
    nameKeyOf(input) {
      const { name } = parseDoi(input, form);
      return name === null ? null : nameKey(canonicalName(name));
    },
    isNew(key) {
      if (names.get(key) !== undefined) return false;
      names.set(key, 0);
      return true;
    },
    keep(key, answer) {
      const text = Buffer.from(JSON.stringify(answer));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(text.length);
      writeSync(file, Buffer.concat([length, text]), 0, text.length + 4, end);
      names.set(key, end + 1);
      end += text.length + 4;
    },
    get(key) {
      const place = names.get(key) ?? 0;
      if (place === 0) return undefined;
      readSync(file, LENGTH, 0, 4, place - 1);
      const text = Buffer.alloc(LENGTH.readUInt32LE());
      readSync(file, text, 0, text.length, place + 3);
      return JSON.parse(text.toString()) as RowAnswer;
    },
    close: () => closeSync(file),
  };
}
