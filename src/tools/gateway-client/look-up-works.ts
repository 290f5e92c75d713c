// What names name, to compare references with: a title and authors, of many names.

import type { DoiName } from '../../doi/name.ts';
import type { NamedWork } from '../../metadata/reference-fit.ts';
import { type AskEachOptions, EachAsker, Failure, failureOf, type Question } from './ask-each.ts';

/** The work; null where its agency has no metadata; a Failure where it could not be asked. */
export type WorkAnswer = NamedWork | null | Failure;

/** In the order of the names, duplicates asked once. Rejects by the signal alone. */
export type LookUpWorks = (names: readonly DoiName[]) => Promise<readonly WorkAnswer[]>;

/** Agencies allow less than the directory does. */
const NAMES_AT_ONCE = 50;
/** What is kept of them: more tell nothing more. */
const MOST_AUTHORS = 20;

export function createLookUpWorks(options: AskEachOptions): LookUpWorks {
  const asker = new EachAsker(options);
  /** where the gateway asks no agency at all: that is learned once */
  let off: Failure | null = null;

  const question: Question<WorkFields, { readonly work: NamedWork | null }> = {
    query: WORKS,
    most: NAMES_AT_ONCE,
    read(fields, errors) {
      const [error] = errors;
      if (error === undefined) return { work: workOf(fields?.metadata ?? null) };
      const failure = failureOf(error);
      if (error.extensions.code === 'METADATA_OFF') off = failure;
      return failure;
    },
  };

  return async (names) => {
    const known = off;
    if (known !== null) return names.map(() => known);
    const answers = await asker.ask(names, question);
    return answers.map((answer) => (answer instanceof Failure ? answer : answer.work));
  };
}

interface WorkFields {
  readonly metadata: {
    readonly title: string | null;
    readonly creators: readonly { readonly name: string; readonly family: string | null }[];
    readonly issued: { readonly year: number } | null;
  } | null;
}

function workOf(metadata: WorkFields['metadata']): NamedWork | null {
  if (metadata === null) return null;
  const authors = metadata.creators.slice(0, MOST_AUTHORS).map(({ family, name }) => family ?? name);
  return { title: metadata.title, authors, year: metadata.issued?.year ?? null };
}

const WORKS = `query LookUpWorks($names: [String!]!) {
  dois(inputs: $names, form: NAME) { metadata { title creators { name family } issued { year } } }
}`;

/** What is asked, to the byte: a gateway that executes known documents alone has to know it. */
export const WORK_DOCUMENTS: readonly string[] = [WORKS];
