// Answers that are kept in a file, so that a build needs no directory for what was asked before.

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { NamedWork } from '../../../metadata/reference-fit.ts';
import { UsageError } from '../command.ts';

/** What is kept of an answer. Nothing is kept of a name that could not be asked. */
export interface KeptAnswer {
  readonly outcome: 'found' | 'absent';
  /** when it was asked: `2026-11-22T10:30:00Z` */
  readonly asked: string;
  readonly meant: readonly string[];
  readonly alias: string | null;
  readonly tombstone: string | null;
  /** null where it was never asked */
  readonly work: KeptWork | null;
}

/** What is kept for --titles; without a title where the agency has none. */
export interface KeptWork extends NamedWork {
  readonly asked: string;
}

/** Clocks of two machines may differ by so much; an answer that comes from further in the future is asked anew. */
const CLOCK_SKEW_MS = 86_400_000;

/** JSON Lines, one for each name, sorted by it: two branches that add names can be merged line by line. */
export class LockFile {
  readonly #path: string;
  /** by canonical name */
  readonly #answers: Map<string, KeptAnswer>;
  /** not written yet */
  #changes = 0;

  private constructor(path: string, answers: Map<string, KeptAnswer>) {
    this.#path = path;
    this.#answers = answers;
  }

  /** A file that is not there is empty. Rejects with a UsageError for one that cannot be read. */
  static async read(path: string): Promise<LockFile> {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw new UsageError(`${path}: the lock file cannot be read (${error.code}).`, { cause: error });
    });
    const answers = new Map<string, KeptAnswer>();
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line === '') continue;
      const entry = entryOf(line);
      if (entry === null) {
        throw new UsageError(
          `${path}:${index + 1}: this is no line of a lock file. Mend it, or delete the file to ask everything anew.`,
        );
      }
      answers.set(entry.name, entry.answer);
    }
    return new LockFile(path, answers);
  }

  /** Undefined for a name of which nothing is kept. */
  answer(canonicalName: string): KeptAnswer | undefined {
    return this.#answers.get(canonicalName);
  }

  keep(canonicalName: string, answer: KeptAnswer): void {
    this.#answers.set(canonicalName, answer);
    this.#changes += 1;
  }

  /** Beside what is kept of the name; without that, nothing is. */
  keepWork(canonicalName: string, work: KeptWork): void {
    const answer = this.#answers.get(canonicalName);
    if (answer !== undefined) this.keep(canonicalName, { ...answer, work });
  }

  /** Does nothing where nothing was kept anew. The file is replaced as a whole. Rejects with a UsageError. */
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

/** Whether an answer is young enough to stand without being asked again. */
export function isFresh({ asked }: Pick<KeptAnswer, 'asked'>, maxAgeMs: number, now: number): boolean {
  const age = now - Date.parse(asked);
  return age < maxAgeMs && age > -CLOCK_SKEW_MS;
}

/** `2026-11-22T10:30:00Z` */
export function dateTold(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** What there is nothing to say of is left out. */
function lineOf(name: string, { outcome, asked, meant, alias, tombstone, work }: KeptAnswer): string {
  return JSON.stringify({
    name,
    outcome,
    asked,
    ...(meant.length > 0 && { meant }),
    ...(alias !== null && { alias }),
    ...(tombstone !== null && { tombstone }),
    ...(work !== null && { work: workLine(work) }),
  });
}

function workLine({ asked, title, authors, year }: KeptWork): KeptWork {
  return { asked, title, authors, year };
}

function entryOf(line: string): { readonly name: string; readonly answer: KeptAnswer } | null {
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
  } = read as Record<string, unknown>;
  if (typeof name !== 'string' || (outcome !== 'found' && outcome !== 'absent')) return null;
  if (!isDate(asked) || !areTexts(meant)) return null;
  if (!isTextOrNull(alias) || !isTextOrNull(tombstone) || !isWorkOrNull(work)) return null;
  return { name, answer: { outcome, asked, meant, alias, tombstone, work } };
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isWorkOrNull(value: unknown): value is KeptWork | null {
  if (typeof value !== 'object') return false;
  if (value === null) return true;
  const { asked, title, authors, year } = value as Record<string, unknown>;
  return (
    isDate(asked) && isTextOrNull(title) && areTexts(authors) && (year === null || Number.isInteger(year))
  );
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
