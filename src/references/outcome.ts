// What becomes of a name that somebody refers to: the one rule for the command line and the tools for agents.

import type { GraphqlError } from '../ask/ask.ts';
import type { LinkedName, NameAnswer } from './name-query.ts';
import { isTombstone } from './tombstones.ts';

/**
 * `found` and `absent` are what the directory says. `unknown` is what cannot be told now: the directory could not be
 * asked, or holds only the sample. `invalid` is no DOI name.
 */
export type NameStatus = 'found' | 'absent' | 'unknown' | 'invalid';

/** What a reader should know of a name beside its status. */
export type NoteCode = 'LOOK_ALIKE' | 'ALIAS' | 'ALIAS_LOOP' | 'TOMBSTONE' | 'NOT_LOOKED_FOR';

export interface Note {
  readonly code: NoteCode;
  /** for people */
  readonly message: string;
}

/** Why a name is `unknown` or `invalid`. */
export interface Reason {
  /** one of src/errors.ts, `NOT_IN_SAMPLE`, or `NO_GATEWAY` */
  readonly code: string;
  readonly message: string;
  /** whether the same question may be answered later */
  readonly retryable: boolean;
  /** null where nobody knows */
  readonly retryAfterSeconds: number | null;
}

export interface NameOutcome {
  readonly name: string;
  /** null for what is no DOI name */
  readonly url: string | null;
  readonly status: NameStatus;
  /** null unless it is found and leads somewhere */
  readonly target: string | null;
  /** the handle that stands for the name; null unless it is found and an alias */
  readonly alias: string | null;
  /** names that were probably meant: of an absent name those that exist, of a look-alike what it looks like */
  readonly meant: readonly LinkedName[];
  readonly notes: readonly Note[];
  /** null for what is found or absent */
  readonly reason: Reason | null;
}

const NOT_IN_SAMPLE: Reason = {
  code: 'NOT_IN_SAMPLE',
  message:
    'It is not among the sample records that come with the gateway, which says nothing of whether it is registered.',
  retryable: false,
  retryAfterSeconds: null,
};

/**
 * @param errors of this name; the path of each begins at the name
 * @param isSample whether the directory is the sample that comes with the gateway
 */
export function outcomeOf(
  answer: NameAnswer,
  errors: readonly GraphqlError[],
  isSample: boolean,
): NameOutcome {
  const { name, url, exists } = answer;
  const at = (field: string) => errors.find(({ path }) => path?.[0] === field);
  const lookAlike = lookAlikeOf(answer);
  const base = { name, url, target: null, alias: null, reason: null };
  if (exists === null) {
    return { ...base, status: 'unknown', meant: [], notes: lookAlike.notes, reason: reasonOf(at('exists')) };
  }
  if (exists) {
    const target = answer.redirect?.url ?? null;
    const notes = [...lookAlike.notes, ...aliasNotes(answer, at('redirect')), ...tombstoneNotes(target)];
    const alias = answer.alias?.handle ?? null;
    return { ...base, status: 'found', target, alias, meant: lookAlike.meant, notes };
  }
  const notes =
    answer.suggestions === null ? [...lookAlike.notes, notLookedFor(at('suggestions'))] : lookAlike.notes;
  const meant = answer.suggestions ?? [];
  return isSample
    ? { ...base, status: 'unknown', meant, notes, reason: NOT_IN_SAMPLE }
    : { ...base, status: 'absent', meant, notes };
}

/** For a name of which nothing is answered at all. */
export function withoutAnswer(name: string, status: 'unknown' | 'invalid', reason: Reason): NameOutcome {
  return { name, url: null, status, target: null, alias: null, meant: [], notes: [], reason };
}

export function reasonOf(error: GraphqlError | undefined): Reason {
  const { code, retryable, retryAfterSeconds } = error?.extensions ?? NO_ANSWER;
  return {
    code,
    message: error?.message ?? 'The gateway gave no answer.',
    retryable: retryable === true,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
  };
}

const NO_ANSWER: GraphqlError['extensions'] = { code: 'UNKNOWN' };

const LOOK_ALIKE_WARNINGS: ReadonlySet<string> = new Set(['CONFUSABLE_CHARACTERS', 'MIXED_SCRIPTS']);

function lookAlikeOf({ warnings }: NameAnswer): Pick<NameOutcome, 'meant' | 'notes'> {
  const [warning] = warnings.filter(({ code }) => LOOK_ALIKE_WARNINGS.has(code));
  if (warning === undefined) return { meant: [], notes: [] };
  const meant = warning.repaired === null ? [] : [warning.repaired];
  return { meant, notes: [{ code: 'LOOK_ALIKE', message: warning.message }] };
}

function aliasNotes({ alias, redirect }: NameAnswer, error: GraphqlError | undefined): Note[] {
  const notes: Note[] = [];
  if (alias) notes.push({ code: 'ALIAS', message: `It is an alias: ${alias.handle} stands for it.` });
  if (redirect === null && error?.extensions.code === 'ALIAS_LOOP') {
    notes.push({ code: 'ALIAS_LOOP', message: error.message });
  }
  return notes;
}

function tombstoneNotes(target: string | null): Note[] {
  if (target === null || !isTombstone(target)) return [];
  return [{ code: 'TOMBSTONE', message: 'It leads to a page that says the work has been taken away.' }];
}

function notLookedFor(error: GraphqlError | undefined): Note {
  return {
    code: 'NOT_LOOKED_FOR',
    message: `What was meant could not be looked for: ${reasonOf(error).message}`,
  };
}
