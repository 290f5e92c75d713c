// Looks names up: there, not there, or nothing is known. A failure is never taken for absence.

import type { DoiName } from '../doi/name.ts';
import type { GraphqlError } from './ask.ts';
import { type AskEachOptions, EachAsker, Failure, failureOf, type Question } from './ask-each.ts';

export interface NameAnswer {
  /** `unknown`: it could not be asked, and nothing follows about the name */
  readonly outcome: 'found' | 'absent' | 'unknown';
  /** why it is unknown, for people; else null */
  readonly reason: string | null;
  /** of an absent name: those that exist and were probably meant */
  readonly meant: readonly string[];
  /** the handle that stands for the name; null where it is no alias */
  readonly alias: string | null;
  /** where the name leads; null where that is nowhere or not known */
  readonly target: string | null;
}

export interface LookUpOptions extends AskEachOptions {
  /** look-ups that one operation may make; null where that is not known */
  readonly maxLookups: number | null;
  /** the directory is a sample: what is not in it may still exist */
  readonly isSample: boolean;
}

/** In the order of the names, duplicates asked once. Rejects by the signal alone. */
export type LookUpNames = (names: readonly DoiName[]) => Promise<readonly NameAnswer[]>;

export const NOT_IN_SAMPLE = 'Not among the records of the bundled sample.';

/** So many take a live system that is asked politely some seconds, and not the time that one operation has. */
const NAMES_AT_ONCE = 100;
const ABSENT_AT_ONCE = 10;
/** The name, and those that it may have been meant to be. */
const LOOK_UPS_OF_ABSENT = 11;

export function createLookUpNames(options: LookUpOptions): LookUpNames {
  const { maxLookups, isSample } = options;
  const most = maxLookups ?? Number.POSITIVE_INFINITY;
  const asker = new EachAsker(options);
  const existence = { ...EXISTENCE, most: Math.max(1, Math.min(NAMES_AT_ONCE, Math.floor(most / 2))) };
  const meant = {
    ...MEANT,
    most: Math.max(1, Math.min(ABSENT_AT_ONCE, Math.floor(most / LOOK_UPS_OF_ABSENT))),
  };

  return async (names) => {
    const told = await asker.ask(names, existence);
    const answers = told.map((answer) => (answer instanceof Failure ? unknown(answer.message) : answer));
    if (isSample) {
      return answers.map((answer) => (answer.outcome === 'absent' ? unknown(NOT_IN_SAMPLE) : answer));
    }
    const absent = names.filter((_, at) => answers[at]?.outcome === 'absent');
    const guesses = await asker.ask(absent, meant);
    const meantBy = new Map(absent.map((name, at) => [name, guesses[at]]));
    return answers.map((answer, at) => {
      const guess = meantBy.get(names[at] as DoiName);
      return guess === undefined || guess instanceof Failure ? answer : { ...answer, meant: guess };
    });
  };
}

function unknown(reason: string): NameAnswer {
  return { outcome: 'unknown', reason, meant: [], alias: null, target: null };
}

interface ExistenceFields {
  readonly exists: boolean | null;
  readonly alias: { readonly handle: string } | null;
  readonly redirect: { readonly url: string | null } | null;
}

const EXISTENCE: Omit<Question<ExistenceFields, NameAnswer>, 'most'> = {
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
  Question<{ suggestions: readonly { name: string }[] | null }, readonly string[]>,
  'most'
> = {
  query: `query MeantNames($names: [String!]!) {
    dois(inputs: $names, form: NAME) { suggestions { name } }
  }`,
  read: (fields, errors) => fields?.suggestions?.map(({ name }) => name) ?? failureAt('suggestions', errors),
};

function failureAt(field: string, errors: readonly GraphqlError[]): Failure {
  const error = errors.find(({ path }) => path?.[2] === field || path?.length === 2);
  return error ? failureOf(error) : new Failure('The gateway gave no answer.', 'later');
}
