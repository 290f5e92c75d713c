// Stores the answers of `doi check` in a file, so that a build needs no look-up for names that were looked up before.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { NamedWork } from '../../../works/reference-fit.ts';
import { UPDATE_KINDS, UPDATE_OUTCOMES } from '../../../works/retractions-and-updates.ts';
import type { UpdatedWork } from '../../gateway-client/look-up-works.ts';
import { UsageError } from '../command.ts';

const TEXT_OR_NULL = z.string().nullable().default(null);
const TEXTS = z.array(z.string()).readonly();
/** The time of the look-up. Example: `2026-11-22T10:30:00Z` */
const TIME = z.string().refine((text) => !Number.isNaN(Date.parse(text)));

const NOTICE = z.object({
  kind: z.enum(UPDATE_KINDS),
  date: z.string().nullable(),
  url: z.string().nullable(),
  sources: TEXTS,
});

/** The stored answer of a name. Failed look-ups are not stored. `work` and `updates` are null if they were never looked up. */
const LINE = z.object({
  name: z.string(),
  outcome: z.enum(['found', 'absent']),
  asked: TIME,
  meant: TEXTS.default([]),
  alias: TEXT_OR_NULL,
  tombstone: TEXT_OR_NULL,
  /** for --titles */
  work: z
    .object({ asked: TIME, title: z.string().nullable(), authors: TEXTS, year: z.int().nullable() })
    .nullable()
    .default(null),
  /** for --updates */
  updates: z
    .object({
      asked: TIME,
      outcome: z.enum(UPDATE_OUTCOMES),
      source: z.string(),
      notices: z.array(NOTICE).readonly(),
      publishedAs: TEXT_OR_NULL,
    })
    .nullable()
    .default(null),
});

type Line = Readonly<z.infer<typeof LINE>>;

export interface AnswerParts {
  readonly name: Pick<Line, 'outcome' | 'meant' | 'alias' | 'tombstone'>;
  readonly work: NamedWork;
  readonly updates: UpdatedWork;
}

export type Stored<P extends keyof AnswerParts> = AnswerParts[P] & { readonly asked: string };

/** The parts of the answer for a name, each with the time of its look-up. A part is null if it was never looked up. */
type LockEntry = { readonly [P in keyof AnswerParts]: Stored<P> | null };

const NO_PARTS: LockEntry = { name: null, work: null, updates: null };

/** The clocks of two machines can differ by this much. An entry from further in the future is not recent. */
const CLOCK_SKEW_MS = 86_400_000;

/**
 * An unchanged answer keeps its date this long if a run looks up all names, so that the run changes few lines. A weekly run
 * then gives each answer a new date before the default --max-age has passed.
 */
const KEPT_DATE_MS = 25 * 86_400_000;

/** The file has one line of JSON for each name, sorted by name, so that Git can merge branches line by line. */
export class LockFile {
  readonly #path: string;
  /** by canonical name */
  readonly #answers: Map<string, LockEntry>;
  /** changes that are not written yet */
  #changes = 0;
  /** the names whose stored answer a new look-up changed */
  readonly changedNames = new Set<string>();

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
      const { success, data } = LINE.safeParse(jsonOf(line));
      if (!success) {
        throw new UsageError(
          `${path}:${index + 1}: this is not a line of a lock file. Correct it, or delete the file to look up all names again.`,
        );
      }
      const { name, work, updates, ...facts } = data;
      answers.set(name, { name: facts, work, updates });
    }
    return new LockFile(path, answers);
  }

  part<P extends keyof AnswerParts>(canonicalName: string, part: P): LockEntry[P] {
    return (this.#answers.get(canonicalName) ?? NO_PARTS)[part];
  }

  /** @param looksUpAll whether the run looks up all names, however recent their answers are */
  keep<P extends keyof AnswerParts>(
    canonicalName: string,
    part: P,
    answer: Stored<P>,
    looksUpAll: boolean,
  ): void {
    const entry = this.#answers.get(canonicalName) ?? NO_PARTS;
    const before = entry[part];
    if (before !== null) {
      const isSame = isDeepStrictEqual({ ...before, asked: null }, { ...answer, asked: null });
      if (!isSame) this.changedNames.add(canonicalName);
      else if (looksUpAll && isRecent(before, KEPT_DATE_MS, Date.parse(answer.asked))) return;
    }
    this.#answers.set(canonicalName, { ...entry, [part]: answer });
    this.#changes += 1;
  }

  /** If an answer changed, replaces the whole file. Rejects with a UsageError if the file cannot be written. */
  async write(): Promise<void> {
    if (this.#changes === 0) return;
    const sorted = [...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1));
    const next = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(next, sorted.map(([name, entry]) => lineOf(name, entry)).join(''));
      await rename(next, this.#path);
    } catch (error) {
      await rm(next, { force: true }).catch(() => undefined);
      const { code } = error as NodeJS.ErrnoException;
      throw new UsageError(`${this.#path}: the lock file cannot be written (${code}).`, { cause: error });
    }
    this.#changes = 0;
  }
}

/** Whether an entry is recent enough to need no look-up. */
export function isRecent({ asked }: Pick<Line, 'asked'>, maxAgeMs: number, now: number): boolean {
  const age = now - Date.parse(asked);
  return age < maxAgeMs && age > -CLOCK_SKEW_MS;
}

/** Example: `2026-11-22T10:30:00Z` */
export function dateText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Writes an entry without its empty members. Returns an empty text for a name that was never looked up. */
function lineOf(canonicalName: string, { name, work, updates }: LockEntry): string {
  if (name === null) return '';
  const { outcome, asked, meant, alias, tombstone } = name;
  const stored = meant.length > 0 ? meant : null;
  const published = updates && { ...updates, publishedAs: updates.publishedAs ?? undefined };
  const line = {
    name: canonicalName,
    outcome,
    asked,
    meant: stored,
    alias,
    tombstone,
    work,
    updates: published,
  };
  const members = Object.entries(line).filter(([, value]) => value !== null);
  return `${JSON.stringify(Object.fromEntries(members))}\n`;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
