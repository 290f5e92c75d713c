// Looks up names: found, absent or unknown. A failure is never reported as absent.

import { canonicalName, type DoiName } from 'doi-names';
import { digitTypos, letterTypos } from 'doi-names/parts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureAt,
  type NamesQuery,
  NO_ANSWER,
} from './batched-queries.ts';

export interface NameAnswer {
  /** `unknown`: the look-up failed, so the name might exist */
  readonly outcome: 'found' | 'absent' | 'unknown';
  /** for people: why the outcome is unknown; else null */
  readonly reason: string | null;
  /** when a new look-up makes sense, for an unknown outcome; null if the gateway did not state it */
  readonly retryAfterSeconds?: number | null;
  /** for an absent name: existing names that were probably meant */
  readonly meant: readonly string[];
  /** the handle that the name is an alias of; null if the name is no alias */
  readonly alias: string | null;
  /** the target of the redirect; null if there is no redirect, or if the target is unknown */
  readonly target: string | null;
}

export interface LookUpNamesOptions extends BatchedQueriesOptions {
  /** the largest number of look-ups in one operation; null if unknown */
  readonly maxLookups: number | null;
  /** whether the directory is a sample. A name that the sample does not have might still exist. */
  readonly isSample: boolean;
  /** called for each found name, perhaps before other names have answers */
  readonly onFound?: (name: DoiName, answer: NameAnswer) => void;
}

/** Resolves in the order of the names. Looks up duplicates once. Rejects only with the signal's reason. */
export type LookUpNames = (names: readonly DoiName[]) => Promise<readonly NameAnswer[]>;

export const NOT_IN_SAMPLE = 'Not among the records of the bundled sample.';

/** At most this many names are in one operation, so that the live DOI system answers long before the deadline. */
const NAMES_AT_ONCE = 100;
const ABSENT_AT_ONCE = 10;
/** An absent name needs one look-up for the name, and at most 10 for its suggestions. */
const LOOK_UPS_OF_ABSENT = 11;

/** If the gateway suggests nothing for an absent name, the client looks up other likely corrections of typing errors. */
const MAX_GUESSES_PER_NAME = 40;
const MAX_NAMES_WITH_GUESSES = 50;
const MAX_SUGGESTIONS = 3;

export function createLookUpNames(options: LookUpNamesOptions): LookUpNames {
  const { maxLookups, isSample } = options;
  const budget = maxLookups ?? Number.POSITIVE_INFINITY;
  const queries = new BatchedQueries(options);
  const existence = { ...EXISTENCE, maxNames: Math.max(1, Math.min(NAMES_AT_ONCE, Math.floor(budget / 2))) };
  const existenceOfNames = {
    ...existence,
    onAnswer(name: string, answer: NameAnswer) {
      if (answer.outcome === 'found') options.onFound?.(name as DoiName, answer);
    },
  };
  const meant = {
    ...MEANT,
    maxNames: Math.max(1, Math.min(ABSENT_AT_ONCE, Math.floor(budget / LOOK_UPS_OF_ABSENT))),
  };

  let guessesLeft = MAX_NAMES_WITH_GUESSES;

  /** For names without a suggestion of the gateway: looks up likely corrections of typing errors. */
  async function guess(names: readonly DoiName[]): Promise<ReadonlyMap<DoiName, readonly string[]>> {
    const guessed = names.slice(0, guessesLeft);
    guessesLeft -= guessed.length;
    const candidates = new Map(guessed.map((name) => [name, candidatesFor(name)]));
    const all = [...candidates.values()].flat();
    const answers = await queries.lookUp(all, existence);
    const found = new Set(all.filter((_, at) => isFound(answers[at])));
    return new Map(
      [...candidates].map(([name, corrections]) => [
        name,
        corrections.filter((correction) => found.has(correction)).slice(0, MAX_SUGGESTIONS),
      ]),
    );
  }

  return async (names) => {
    const results = await queries.lookUp(names, existenceOfNames);
    const answers = results.map((answer) => (answer instanceof Failure ? unknownAfter(answer) : answer));
    if (isSample) {
      return answers.map((answer) => (answer.outcome === 'absent' ? unknownAs(NOT_IN_SAMPLE) : answer));
    }
    const absent = names.filter((_, at) => answers[at]?.outcome === 'absent');
    const suggested = await queries.lookUp(absent, meant);
    const suggestionsOf = new Map(
      absent.flatMap((name, at) => {
        const suggestions = suggested[at] ?? NO_ANSWER;
        return suggestions instanceof Failure ? [] : [[name, suggestions] as const];
      }),
    );
    const guesses = await guess(
      [...suggestionsOf].filter(([, names]) => names.length === 0).map(([name]) => name),
    );
    return answers.map((answer, at) => {
      const name = names[at] as DoiName;
      return answer.outcome === 'absent'
        ? { ...answer, meant: guesses.get(name) ?? suggestionsOf.get(name) ?? [] }
        : answer;
    });
  };
}

function candidatesFor(name: DoiName): DoiName[] {
  const candidates = [...letterTypos(name, MAX_GUESSES_PER_NAME), ...digitTypos(name, MAX_GUESSES_PER_NAME)];
  const byCanonical = new Map(candidates.map((candidate) => [canonicalName(candidate), candidate]));
  return [...byCanonical.values()].slice(0, MAX_GUESSES_PER_NAME);
}

function isFound(answer: NameAnswer | Failure | undefined): boolean {
  return answer !== undefined && !(answer instanceof Failure) && answer.outcome === 'found';
}

function unknownAfter({ message, retryAfterSeconds }: Failure): NameAnswer {
  return { ...unknownAs(message), retryAfterSeconds: retryAfterSeconds || null };
}

function unknownAs(reason: string): NameAnswer {
  return { outcome: 'unknown', reason, meant: [], alias: null, target: null };
}

interface ExistenceFields {
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
}

const EXISTENCE: Omit<NamesQuery<ExistenceFields, NameAnswer>, 'maxNames'> = {
  query: `query LookUpNames($names: [String!]!) {
    dois(inputs: $names, form: NAME) { exists alias { handle } redirect { url } }
  }`,
  read(fields, errors) {
    const exists = fields?.exists ?? null;
    if (exists === null) return failureAt('exists', errors);
    return {
      outcome: exists ? 'found' : 'absent',
      reason: null,
      meant: [],
      alias: fields?.alias?.handle ?? null,
      target: fields?.redirect?.url ?? null,
    };
  },
};

const MEANT: Omit<
  NamesQuery<{ suggestions: readonly { name: string }[] | null }, readonly string[]>,
  'maxNames'
> = {
  query: `query MeantNames($names: [String!]!) {
    dois(inputs: $names, form: NAME) { suggestions { name } }
  }`,
  read: (fields, errors) => fields?.suggestions?.map(({ name }) => name) ?? failureAt('suggestions', errors),
};

/** The exact text of the documents, for a gateway that executes only known documents. */
export const LOOK_UP_DOCUMENTS: readonly string[] = [EXISTENCE.query, MEANT.query];
