// One request for a part of the list, and everything that urql tells of it.

import type { Client, OperationResult } from '@urql/core';
import { answerOf, type LookUp, lookUpQuery } from './look-up.ts';
import type { ListedInput } from './split-list.ts';

/** How a request ended: null when it was answered to its end, else why it was not. */
export type Interruption = { readonly message: string } | null;

/**
 * Calls `onResult` with each result, the last one the most complete, and resolves at the end of the request.
 * Three things that urql leaves to its users are dealt with here:
 * - A connection that fails half-way gives a result without any data. It is not passed on: what has come stays.
 * - A stream that just stops ends like a complete one. Here it is an interruption.
 * - A deferred part that is null, for an error in it, leaves its row as it was, and only the error is told of.
 */
export function ask(
  client: Client,
  part: readonly ListedInput[],
  signal: AbortSignal,
  onResult: (result: OperationResult<LookUp>) => void,
): Promise<Interruption> {
  return new Promise((resolve) => {
    const inputs = part.map(({ input }) => input);
    const end = (interruption: Interruption) => {
      // Ends the request as well, where it still runs. Later, since a cache would answer before there is a subscription.
      queueMicrotask(() => subscription.unsubscribe());
      resolve(interruption);
    };
    const subscription = client.query(lookUpQuery, { inputs }).subscribe((result) => {
      const { error, hasNext } = result;
      if (error?.networkError) return end({ message: error.networkError.message });
      onResult(result);
      if (hasNext) return;
      end(isWhole(result) ? null : { message: 'the connection ended before the last answer' });
    });
    signal.addEventListener('abort', () => end(null), { once: true });
  });
}

function isWhole({ data, error }: OperationResult<LookUp>): boolean {
  const failed = new Set(error?.graphQLErrors.map(({ path }) => path?.[1]));
  return (data?.dois ?? []).every(
    (doi, place) => doi === null || answerOf(doi) !== null || failed.has(place),
  );
}
