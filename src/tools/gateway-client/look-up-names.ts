// Looks names up: there, not there, or nothing is known. A failure is never taken for absence.

import { canonicalName, type DoiName } from '../../doi/name.ts';
import { digitTypos, letterTypos } from '../../doi/suggest.ts';
import type { GraphqlError } from './ask.ts';
import { type AskEachOptions, EachAsker, Failure, failureOf, type Question } from './ask-each.ts';

// Where names lead whose content is gone for good: pages of agencies that say so. No page is ever fetched.

interface Tombstone {
  /** the beginning of the URL, without scheme and `www.` */
  readonly address: string;
  /** for people: what it says */
  readonly meaning: string;
}

/** docs/command-line.md lists them. A publisher's own pages for what it withdrew have no common form. */
export const TOMBSTONES: readonly Tombstone[] = [
  { address: 'crossref.org/_deleted-doi', meaning: "Crossref's page for DOIs that were deleted" },
  { address: 'crossref.org/deleted_doi', meaning: "Crossref's page for DOIs that were deleted, until 2019" },
];

/** Null for any other URL. */
export function tombstoneAt(url: string): Tombstone | null {
  if (!URL.canParse(url)) return null;
  const { host, pathname } = new URL(url);
  const address = `${host.replace(/^www\./, '')}${pathname}`.toLowerCase();
  return TOMBSTONES.find((tombstone) => address.startsWith(tombstone.address)) ?? null;
}

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
  /** called for each name that is found, before the others have their answers */
  readonly onFound?: (name: DoiName, answer: NameAnswer) => void;
}

/** In the order of the names, duplicates asked once. Rejects by the signal alone. */
export type LookUpNames = (names: readonly DoiName[]) => Promise<readonly NameAnswer[]>;

export const NOT_IN_SAMPLE = 'Not among the records of the bundled sample.';

/** So many take a live system that is asked politely some seconds, and not the time that one operation has. */
const NAMES_AT_ONCE = 100;
const ABSENT_AT_ONCE = 10;
/** The name, and those that it may have been meant to be. */
const LOOK_UPS_OF_ABSENT = 11;

/** Look-ups more for a name that nothing was suggested for, and the first so many names that they are made for. */
const MOST_GUESSES = 40;
const MOST_GUESSED_AT = 50;
const MOST_OFFERED = 3;

export function createLookUpNames(options: LookUpOptions): LookUpNames {
  const { maxLookups, isSample } = options;
  const most = maxLookups ?? Number.POSITIVE_INFINITY;
  const asker = new EachAsker(options);
  const existence = { ...EXISTENCE, most: Math.max(1, Math.min(NAMES_AT_ONCE, Math.floor(most / 2))) };
  const existenceOfNames = {
    ...existence,
    onAnswer(name: string, answer: NameAnswer) {
      if (answer.outcome === 'found') options.onFound?.(name as DoiName, answer);
    },
  };
  const meant = {
    ...MEANT,
    most: Math.max(1, Math.min(ABSENT_AT_ONCE, Math.floor(most / LOOK_UPS_OF_ABSENT))),
  };

  let mayGuess = MOST_GUESSED_AT;

  /** Of names for which the gateway has no suggestion, likely ones that it has not tried. */
  async function guess(names: readonly DoiName[]): Promise<ReadonlyMap<DoiName, readonly string[]>> {
    const guessed = names.slice(0, mayGuess);
    mayGuess -= guessed.length;
    const candidates = new Map(guessed.map((name) => [name, candidatesFor(name)]));
    const asked = [...candidates.values()].flat();
    const answers = await asker.ask(asked, existence);
    const found = new Set(asked.filter((_, at) => isFound(answers[at])));
    return new Map(
      [...candidates].map(([name, all]) => [
        name,
        all.filter((one) => found.has(one)).slice(0, MOST_OFFERED),
      ]),
    );
  }

  return async (names) => {
    const told = await asker.ask(names, existenceOfNames);
    const answers = told.map((answer) => (answer instanceof Failure ? unknown(answer.message) : answer));
    if (isSample) {
      return answers.map((answer) => (answer.outcome === 'absent' ? unknown(NOT_IN_SAMPLE) : answer));
    }
    const absent = names.filter((_, at) => answers[at]?.outcome === 'absent');
    const suggested = await asker.ask(absent, meant);
    const offered = new Map<DoiName, readonly string[]>();
    for (const [at, name] of absent.entries()) {
      const suggestions = suggested[at];
      if (suggestions !== undefined && !(suggestions instanceof Failure)) offered.set(name, suggestions);
    }
    const guesses = await guess([...offered].filter(([, names]) => names.length === 0).map(([name]) => name));
    return answers.map((answer, at) => {
      const name = names[at] as DoiName;
      return answer.outcome === 'absent'
        ? { ...answer, meant: guesses.get(name) ?? offered.get(name) ?? [] }
        : answer;
    });
  };
}

function candidatesFor(name: DoiName): DoiName[] {
  const candidates = [...letterTypos(name, MOST_GUESSES), ...digitTypos(name, MOST_GUESSES)];
  const byCanonical = new Map(candidates.map((candidate) => [canonicalName(candidate), candidate]));
  return [...byCanonical.values()].slice(0, MOST_GUESSES);
}

function isFound(answer: NameAnswer | Failure | undefined): boolean {
  return answer !== undefined && !(answer instanceof Failure) && answer.outcome === 'found';
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

/** What is asked, to the byte: a gateway that executes known documents alone has to know it. */
export const LOOK_UP_DOCUMENTS: readonly string[] = [EXISTENCE.query, MEANT.query];
