// One request for a part of the list, and everything that urql tells of it.

import type { Client, OperationResult } from '@urql/core';
import { answerOf, type LookUp, lookUpQuery } from './look-up.ts';
import type { ListedInput } from './split-list.ts';

/** How a request ended: null when it was answered to its end, else why it was not. */
export type Interruption = { readonly message: string } | null;

/**
 * Calls `onResult` with each result, the last one the most complete, and resolves at the end of the request.
 * Two things that urql leaves to its users are dealt with here:
 * - A connection that fails half-way gives a result without any data. It is not passed on: what has come stays.
 * - A stream that just stops ends like a complete one. Here it is an interruption.
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
      const { error, data, hasNext } = result;
      if (error?.networkError) return end({ message: error.networkError.message });
      onResult(result);
      if (hasNext) return;
      end(data && !isWhole(data) ? { message: 'the connection ended before the last answer' } : null);
    });
    signal.addEventListener('abort', () => end(null), { once: true });
  });
}

function isWhole({ dois }: LookUp): boolean {
  return dois.every((doi) => doi === null || answerOf(doi) !== null);
}
