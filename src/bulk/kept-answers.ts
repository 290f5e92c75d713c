// What the directory answered for each distinct name, in a temporary file; in memory only where each of them begins.

import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalName } from '../doi/name.ts';
import { parseDoi } from '../doi/parse.ts';
import type { DoiForm } from '../doi/recognise.ts';
import type { Answer } from './answered-names.ts';
import { DistinctNames, keyOf, type NameKey } from './distinct-names.ts';

export interface KeptAnswers {
  /** Null for an input that is no DOI name. */
  keyOf(input: string): NameKey | null;
  /** Whether the name is new. It is not from then on. */
  isNew(key: NameKey): boolean;
  keep(key: NameKey, answer: Answer): void;
  /** Undefined where nothing is kept yet. */
  get(key: NameKey): Answer | undefined;
  /** distinct names, and the memory they take */
  readonly names: DistinctNames;
  close(): void;
}

/** The file has no name from the beginning, and so goes with the process. */
export function createKeptAnswers(form: DoiForm | null, folder = tmpdir()): KeptAnswers {
  const path = join(folder, `doi-bulk-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const names = new DistinctNames();
  const LENGTH = Buffer.alloc(4);
  let end = 0;
  return {
    names,
    keyOf(input) {
      const { name } = parseDoi(input, form);
      return name === null ? null : keyOf(canonicalName(name));
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
      return JSON.parse(text.toString()) as Answer;
    },
    close: () => closeSync(file),
  };
}
