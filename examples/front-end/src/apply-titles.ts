// From what urql has so far of the titles to the rows they are about.

import type { OperationResult } from '@urql/core';
import { failureFrom } from './apply-result.ts';
import type { Failure, Row } from './row.ts';
import type { ListedInput } from './split-list.ts';
import { type Titles, workOf } from './titles.ts';

/** Rows that the result says nothing new of stay the same objects. */
export function applyTitles(
  rows: readonly Row[],
  asked: readonly ListedInput[],
  { data, error }: Pick<OperationResult<Titles>, 'data' | 'error'>,
): readonly Row[] {
  const failures = new Map<unknown, Failure>();
  for (const graphqlError of error?.graphQLErrors ?? []) {
    // A title is worth showing without them.
    if (graphqlError.path?.[2] === 'updates') continue;
    failures.set(graphqlError.path?.[1], failureFrom(graphqlError, 'metadata'));
  }
  const changed = rows.slice();
  asked.forEach(({ index }, place) => {
    const before = rows[index];
    if (before === undefined) return;
    const doi = data?.dois?.[place];
    const work = (doi && workOf(doi)) ?? before.work;
    const titleFailure = failures.get(place) ?? failures.get(undefined) ?? null;
    const isSame =
      work?.metadata === before.work?.metadata && titleFailure?.code === before.titleFailure?.code;
    if (!isSame) changed[index] = { ...before, work, titleFailure };
  });
  return changed;
}
