// Looks up what works cite, and what became of each cited work.

import type { DoiName } from 'doi-names';
import { type BatchedQueriesOptions, Failure } from './batched-queries.ts';
import { createLookUpWorks, NAMED_WORK, WORK_UPDATES, type WorkQuery } from './look-up-works.ts';
import type { WorkUpdates } from './update-outcome.ts';

export interface CitedWork {
  /** null if the reference has no DOI */
  readonly name: DoiName | null;
  readonly url: string | null;
  /** the reference in words, as deposited */
  readonly text: string | null;
  /** the title of the cited work, else the title in the reference */
  readonly title: string | null;
  readonly year: number | null;
  /** null if the reference has no DOI, or if the updates are unknown; `failure` then has the reason */
  readonly updates: WorkUpdates | null;
  readonly failure: string | null;
}

interface ReferenceFields {
  readonly doi: { readonly name: DoiName; readonly url: string } | null;
  readonly text: string | null;
  readonly title: string | null;
  readonly year: number | null;
}

/** `list` is null if the agency gives no list. */
const REFERENCES: WorkQuery<
  { readonly list: readonly ReferenceFields[] | null },
  { readonly references: readonly ReferenceFields[] | null }
> = {
  query: `query LookUpReferences($names: [String!]!) {
  dois(inputs: $names, form: NAME) { references { doi { name url } text title year } }
}`,
  field: 'references',
  read: ({ references }) => ({ list: references }),
};

/** For each name its references in their order. Null if its agency gives no list. */
export async function lookUpReferences(
  names: readonly DoiName[],
  options: BatchedQueriesOptions,
): Promise<readonly (readonly CitedWork[] | null | Failure)[]> {
  const found = await createLookUpWorks(REFERENCES, options)(names);
  const lists = found.map((answer) => (answer instanceof Failure ? answer : answer.list));
  const cited = lists.flatMap((list) => (list instanceof Failure ? [] : (list ?? [])));
  const citedNames = [...new Set(cited.flatMap(({ doi }) => doi?.name ?? []))];
  const works = await createLookUpWorks(NAMED_WORK, options)(citedNames);
  const updates = await createLookUpWorks(WORK_UPDATES, options)(citedNames);
  const known = new Map(citedNames.map((name, at) => [name, { work: works[at], updates: updates[at] }]));

  function citedWork({ doi, text, title, year }: ReferenceFields): CitedWork {
    const found = known.get(doi?.name ?? ('' as DoiName));
    const work = found?.work instanceof Failure ? undefined : found?.work;
    return {
      name: doi?.name ?? null,
      url: doi?.url ?? null,
      text,
      title: work?.title ?? title,
      year: work?.year ?? year,
      updates: found?.updates instanceof Failure ? null : (found?.updates ?? null),
      failure: found?.updates instanceof Failure ? found.updates.message : null,
    };
  }

  return lists.map((list) => (list instanceof Failure || list === null ? list : list.map(citedWork)));
}
