// Stores the answers of `doi check` in a file, so that a build needs no look-up for names that were looked up before.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../command.ts';
import {
  type AnswerParts,
  type LockEntry,
  lockLine,
  NO_PARTS,
  readLockLine,
  type Stored,
} from './lock-lines.ts';

/** The clocks of two machines can differ by this much. An entry from further in the future is not recent. */
const CLOCK_SKEW_MS = 86_400_000;

/**
 * An unchanged answer keeps its date this long if a run looks up all names, so that the run changes few lines. A weekly run
 * then gives each answer a new date before the default --max-age has passed.
 */
const KEPT_DATE_MS = 25 * 86_400_000;

/**
 * The file has one line of JSON for each name, sorted by name, so that Git can merge branches line by line. The lines of
 * references in words follow, sorted by key.
 */
export class LockFile {
  readonly #path: string;
  /** by canonical name, or by the key of a reference */
  readonly #answers: Map<string, LockEntry>;
  /** changes that are not written yet */
  #changes = 0;
  /** the names, or the first words of the references, whose stored answer a new look-up changed */
  readonly changedAnswers = new Set<string>();

  private constructor(path: string, answers: Map<string, LockEntry>) {
    this.#path = path;
    this.#answers = answers;
  }

  /** If the file is missing, the result is empty. Rejects with a UsageError if the file cannot be read. */
  static async read(path: string): Promise<LockFile> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw new UsageError(`${path}: the lock file cannot be read (${error.code}).`, { cause: error });
    });
    const answers = new Map<string, LockEntry>();
    for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
      if (line === '') continue;
      const stored = readLockLine(line);
      if (stored === null) {
        throw new UsageError(
          `${path}:${index + 1}: this is not a line of a lock file. Correct it, or delete the file to look up all names again.`,
        );
      }
      answers.set(...stored);
    }
    return new LockFile(path, answers);
  }

  /** @param key a canonical name, or the key of a reference */
  part<P extends keyof AnswerParts>(key: string, part: P): LockEntry[P] {
    return (this.#answers.get(key) ?? NO_PARTS)[part];
  }

  /** @param looksUpAll whether the run looks up all names, however recent their answers are */
  keep<P extends keyof AnswerParts>(key: string, part: P, answer: Stored<P>, looksUpAll: boolean): void {
    const entry = this.#answers.get(key) ?? NO_PARTS;
    const before = entry[part];
    if (before !== null) {
      const isSame = isDeepStrictEqual(comparable(before), comparable(answer));
      if (!isSame) this.changedAnswers.add('words' in answer ? answer.words : key);
      else if (looksUpAll && isRecent(before, KEPT_DATE_MS, Date.parse(answer.asked))) return;
    }
    this.#answers.set(key, { ...entry, [part]: answer });
    this.#changes += 1;
  }

  /** If an answer changed, replaces the whole file. Rejects with a UsageError if the file cannot be written. */
  async write(): Promise<void> {
    if (this.#changes === 0) return;
    const sorted = [...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1));
    const next = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(next, sorted.map(([key, entry]) => lockLine(key, entry)).join(''));
      await rename(next, this.#path);
    } catch (error) {
      await rm(next, { force: true }).catch(() => undefined);
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`${this.#path}: the lock file cannot be written (${code}).`, { cause: error });
    }
    this.#changes = 0;
  }
}

/** Dates, the words for people, and the order of works that fit equally are no part of the answer. */
function comparable(answer: Stored<keyof AnswerParts>): object {
  const candidates = 'candidates' in answer ? answer.candidates.toSorted() : [];
  return { ...answer, candidates, asked: null, words: null };
}

/** Whether an entry is recent enough to need no look-up. */
export function isRecent({ asked }: { readonly asked: string }, maxAgeMs: number, now: number): boolean {
  const age = now - Date.parse(asked);
  return age < maxAgeMs && age > -CLOCK_SKEW_MS;
}

/** Example: `2026-11-22T10:30:00Z` */
export function dateText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
