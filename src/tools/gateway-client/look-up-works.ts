// Looks up title and authors of many names, to compare references with them.

import type { DoiName } from '../../doi/name.ts';
import type { NamedWork } from '../../metadata/reference-fit.ts';
import {
  BatchedQueries,
  type BatchedQueriesOptions,
  Failure,
  failureOf,
  type NamesQuery,
} from './batched-queries.ts';

/** The work; null: its agency has no metadata. */
export type WorkAnswer = NamedWork | null | Failure;

/** In the order of the names; duplicates are looked up once. Rejects only with the signal's reason. */
export type LookUpWorks = (names: readonly DoiName[]) => Promise<readonly WorkAnswer[]>;

/** Agencies allow less than the directory does. */
const NAMES_AT_ONCE = 50;
/** More authors do not help the comparison. */
const MOST_AUTHORS = 20;

export function createLookUpWorks(options: BatchedQueriesOptions): LookUpWorks {
  const queries = new BatchedQueries(options);
  /** set when the gateway reports that metadata is off */
  let off: Failure | null = null;

  const query: NamesQuery<WorkFields, { readonly work: NamedWork | null }> = {
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
    const answers = await queries.ask(names, query);
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

/** The exact documents, for a gateway that executes only known documents. */
export const WORK_DOCUMENTS: readonly string[] = [WORKS];
