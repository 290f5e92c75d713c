// From what urql has so far of one request to the rows it is about.

import type { CombinedError, OperationResult } from '@urql/core';
import { answerOf, type LookUp } from './look-up.ts';
import type { Failure, Row } from './row.ts';
import type { ListedInput } from './split-list.ts';

type Result = Pick<OperationResult<LookUp>, 'data' | 'error'>;
type GraphqlError = CombinedError['graphQLErrors'][number];

/**
 * Rows that the result says nothing new of stay the same objects, so that React draws the others alone.
 * `asked` is what the request was for: its first input is `dois[0]` in the result.
 */
export function applyResult(
  rows: readonly Row[],
  asked: readonly ListedInput[],
  { data, error }: Result,
): readonly Row[] {
  const failures = failuresByPlace(error, asked.length, data?.dois ?? []);
  const keys = new Map<number, string>();
  for (const { doi, members } of data?.doiEquivalenceClasses?.classes ?? []) {
    for (const { index } of members) keys.set(index, doi.canonicalName);
  }
  const changed = rows.slice();
  asked.forEach(({ index }, place) => {
    const before = rows[index];
    if (before === undefined) return;
    const doi = data?.dois?.[place];
    changed[index] = changedRow(before, {
      ...before,
      name: doi?.name ?? before.name,
      doiKey: keys.get(place) ?? before.doiKey,
      answer: doi ? answerOf(doi) : null,
      failures: failures.get(place) ?? [],
    });
  });
  return changed;
}

function changedRow(before: Row, after: Row): Row {
  const isSame =
    before.name === after.name &&
    before.doiKey === after.doiKey &&
    before.answer === after.answer &&
    // Failures are only ever added.
    before.failures.length === after.failures.length;
  return isSame ? before : after;
}

/**
 * Sorts errors to the rows they belong to by their paths: `dois, 3, redirect`. One without a place in the
 * list, such as LIMIT_EXCEEDED, is about every row that was asked for; one that left nothing of a row's answer
 * is about the row as a whole.
 */
function failuresByPlace(
  error: CombinedError | undefined,
  places: number,
  dois: NonNullable<NonNullable<LookUp['dois']>>,
): ReadonlyMap<number, readonly Failure[]> {
  const failures = new Map<number, Failure[]>();
  const add = (place: number, failure: Failure) => {
    const others = failures.get(place);
    if (others) others.push(failure);
    else failures.set(place, [failure]);
  };
  for (const graphqlError of error?.graphQLErrors ?? []) {
    const [root, place, field] = graphqlError.path ?? [];
    if (root === 'dois' && typeof place === 'number') {
      const doi = dois[place];
      const isWhole = field === undefined || !doi || answerOf(doi) === null;
      add(place, failureFrom(graphqlError, isWhole ? null : String(field)));
    } else {
      const failure = failureFrom(graphqlError, null);
      for (let each = 0; each < places; each += 1) add(each, failure);
    }
  }
  return failures;
}

export function failureFrom({ message, extensions }: GraphqlError, field: string | null): Failure {
  return {
    field,
    message,
    code: String(extensions?.['code'] ?? 'INTERNAL_SERVER_ERROR'),
    retryable: extensions?.['retryable'] === true,
  };
}
