// The lines of a lock file: the answer of a name, or the match of a reference in words.

import { z } from 'zod';
import type { NamedWork } from '../../../works/reference-fit.ts';
import { UPDATE_KINDS, UPDATE_OUTCOMES } from '../../../works/retractions-and-updates.ts';
import type { UpdatedWork } from '../../gateway-client/look-up-works.ts';
import { isReferenceKey } from '../../gateway-client/searched-words.ts';
import type { MatchPart } from './match-part.ts';

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
const NAME_LINE = z.object({
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

/** For --match. Failed searches are not stored. */
const REFERENCE_LINE = z
  .object({
    /** the key of the reference, because its text can be long */
    reference: z.string().refine(isReferenceKey),
    outcome: z.enum(['found', 'differs', 'several', 'not-found']),
    asked: TIME,
    /** the first words, for people who read the file */
    words: z.string().default(''),
    doi: TEXT_OR_NULL,
    agrees: TEXTS.default([]),
    differs: TEXTS.default([]),
    candidates: TEXTS.default([]),
    sources: TEXTS.default([]),
  })
  .refine(({ outcome, doi }) => (outcome === 'found' || outcome === 'differs') === (doi !== null));

type NameLine = Readonly<z.infer<typeof NAME_LINE>>;

export interface AnswerParts {
  readonly name: Pick<NameLine, 'outcome' | 'meant' | 'alias' | 'tombstone'>;
  readonly work: NamedWork;
  readonly updates: UpdatedWork;
  readonly match: MatchPart;
}

export type Stored<P extends keyof AnswerParts> = AnswerParts[P] & { readonly asked: string };

/**
 * The parts of the answer for a name, or the match of a reference, each with the time of its look-up. A part is null if it
 * was never looked up.
 */
export type LockEntry = { readonly [P in keyof AnswerParts]: Stored<P> | null };

export const NO_PARTS: LockEntry = { name: null, work: null, updates: null, match: null };

/** Returns the canonical name or the key of the reference, and the entry; null for any other text. */
export function readLockLine(line: string): readonly [key: string, entry: LockEntry] | null {
  const json = jsonOf(line);
  const named = NAME_LINE.safeParse(json);
  if (named.success) {
    const { name, work, updates, ...facts } = named.data;
    return [name, { ...NO_PARTS, name: facts, work, updates }];
  }
  const { success, data } = REFERENCE_LINE.safeParse(json);
  if (!success) return null;
  const { reference, ...match } = data;
  return [reference, { ...NO_PARTS, match }];
}

/** Writes an entry without its empty members. Returns an empty text for a name that was never looked up. */
export function lockLine(key: string, { name, work, updates, match }: LockEntry): string {
  if (match !== null) {
    const { outcome, asked, words, doi, agrees, differs, candidates, sources } = match;
    return written({ reference: key, outcome, asked, words, doi, agrees, differs, candidates, sources });
  }
  if (name === null) return '';
  const { outcome, asked, meant, alias, tombstone } = name;
  const published = updates && { ...updates, publishedAs: updates.publishedAs ?? undefined };
  return written({ name: key, outcome, asked, meant, alias, tombstone, work, updates: published });
}

function written(line: Readonly<Record<string, unknown>>): string {
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  return `${JSON.stringify(Object.fromEntries(Object.entries(line).filter(([, value]) => !isEmpty(value))))}\n`;
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
