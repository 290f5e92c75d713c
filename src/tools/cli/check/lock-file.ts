// Stores the answers of `doi check` in a file, so that a build needs no look-up for names that were looked up before.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { NamedWork } from '../../../metadata/reference-fit.ts';
import { UPDATE_KINDS, UPDATE_OUTCOMES } from '../../../metadata/retractions-and-updates.ts';
import type { Notice, WorkUpdates } from '../../gateway-client/work-updates.ts';
import { UsageError } from '../command.ts';

/** `work` is for --titles, and `updates` is for --updates. */
export interface WorkParts {
  readonly work: NamedWork;
  readonly updates: WorkUpdates;
}

/** A part is null if it was never looked up. */
export type LockedParts = {
  readonly [Name in keyof WorkParts]: (WorkParts[Name] & { readonly asked: string }) | null;
};
type StoredWork = NonNullable<LockedParts['work']>;
type StoredUpdates = NonNullable<LockedParts['updates']>;

/** The stored answer of a name. Failed look-ups are not stored. */
export interface LockEntry extends LockedParts {
  readonly outcome: 'found' | 'absent';
  /** the time of the look-up: `2026-11-22T10:30:00Z` */
  readonly asked: string;
  readonly meant: readonly string[];
  readonly alias: string | null;
  readonly tombstone: string | null;
}

/** The clocks of two machines can differ by this much. An entry from a later time is not recent. */
const CLOCK_SKEW_MS = 86_400_000;

/** The file has one line of JSON for each name, sorted by name, so that Git can merge branches line by line. */
export class LockFile {
  readonly #path: string;
  /** by canonical name */
  readonly #answers: Map<string, LockEntry>;
  /** changes that are not written yet */
  #changes = 0;

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
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line === '') continue;
      const entry = entryOf(line);
      if (entry === null) {
        throw new UsageError(
          `${path}:${index + 1}: this is not a line of a lock file. Correct it, or delete the file to look up all names again.`,
        );
      }
      answers.set(entry.name, entry.answer);
    }
    return new LockFile(path, answers);
  }

  answer(canonicalName: string): LockEntry | undefined {
    return this.#answers.get(canonicalName);
  }

  keep(canonicalName: string, answer: LockEntry): void {
    this.#answers.set(canonicalName, answer);
    this.#changes += 1;
  }

  /** Adds a part to the entry of the name. Does nothing if the name has no entry. */
  keepPart(canonicalName: string, part: Partial<LockedParts>): void {
    const answer = this.#answers.get(canonicalName);
    if (answer !== undefined) this.keep(canonicalName, { ...answer, ...part });
  }

  /** If an answer changed, replaces the whole file. Rejects with a UsageError if the file cannot be written. */
  async write(): Promise<void> {
    if (this.#changes === 0) return;
    const sorted = [...this.#answers].sort(([a], [b]) => (a < b ? -1 : 1));
    const next = `${this.#path}.${process.pid}.tmp`;
    try {
      await writeFile(next, sorted.map(([name, answer]) => `${lineOf(name, answer)}\n`).join(''));
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
export function isFresh({ asked }: Pick<LockEntry, 'asked'>, maxAgeMs: number, now: number): boolean {
  const age = now - Date.parse(asked);
  return age < maxAgeMs && age > -CLOCK_SKEW_MS;
}

/** Example: `2026-11-22T10:30:00Z` */
export function dateText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Writes an entry without its empty members. */
function lineOf(name: string, answer: LockEntry): string {
  const { outcome, asked, meant, alias, tombstone, work, updates } = answer;
  return JSON.stringify({
    name,
    outcome,
    asked,
    ...(meant.length > 0 && { meant }),
    ...(alias !== null && { alias }),
    ...(tombstone !== null && { tombstone }),
    ...(work !== null && { work: workLine(work) }),
    ...(updates !== null && { updates: updatesLine(updates) }),
  });
}

function workLine({ asked, title, authors, year }: StoredWork): StoredWork {
  return { asked, title, authors, year };
}

function updatesLine({ asked, outcome, source, notices }: StoredUpdates): StoredUpdates {
  return { asked, outcome, source, notices };
}

function entryOf(line: string): { readonly name: string; readonly answer: LockEntry } | null {
  const read = jsonOf(line);
  if (typeof read !== 'object' || read === null) return null;
  const {
    name,
    outcome,
    asked,
    meant = [],
    alias = null,
    tombstone = null,
    work = null,
    updates = null,
  } = read as Record<string, unknown>;
  if (typeof name !== 'string' || (outcome !== 'found' && outcome !== 'absent')) return null;
  if (!isDate(asked) || !areTexts(meant)) return null;
  if (!isTextOrNull(alias) || !isTextOrNull(tombstone) || !isWorkOrNull(work)) return null;
  if (!isUpdatesOrNull(updates)) return null;
  return { name, answer: { outcome, asked, meant, alias, tombstone, work, updates } };
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isWorkOrNull(value: unknown): value is StoredWork | null {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  const { asked, title, authors, year } = value as Record<string, unknown>;
  return (
    isDate(asked) && isTextOrNull(title) && areTexts(authors) && (year === null || Number.isInteger(year))
  );
}

function isUpdatesOrNull(value: unknown): value is StoredUpdates | null {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  const { asked, outcome, source, notices } = value as Record<string, unknown>;
  const isKnown = UPDATE_OUTCOMES.some((known) => known === outcome);
  return isDate(asked) && isKnown && typeof source === 'string' && areNotices(notices);
}

function areNotices(value: unknown): value is readonly Notice[] {
  if (!Array.isArray(value)) return false;
  return value.every((notice: unknown) => {
    const { kind, date, url, sources } = Object(notice) as Record<string, unknown>;
    const isKnown = UPDATE_KINDS.some((known) => known === kind);
    return isKnown && isTextOrNull(date) && isTextOrNull(url) && areTexts(sources);
  });
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
