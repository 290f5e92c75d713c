// Titles for those rows that were found. Many gateways fetch none: then that is said once, and nobody asks again.

import type { Client, OperationResult } from '@urql/core';
import { answerOf, type LookUp } from './look-up.ts';
import type { ListedInput } from './split-list.ts';
import { type Titles, titlesQuery } from './titles.ts';

/** The inputs of a request whose names the directory knows: of others nobody knows a title. */
export function foundInputs(part: readonly ListedInput[], data: LookUp | undefined): readonly ListedInput[] {
  return part.filter((_, place) => {
    const doi = data?.dois?.[place];
    const status = doi ? answerOf(doi)?.record?.status : undefined;
    return status === 'SUCCESS' || status === 'VALUES_NOT_FOUND';
  });
}

/**
 * Calls `onResult` with each result, the last one the most complete. Resolves at the end of the request to whether the
 * gateway fetches metadata. A request that fails as a whole is not told of: the table is complete without it.
 */
export function askTitles(
  client: Client,
  part: readonly ListedInput[],
  signal: AbortSignal,
  onResult: (result: OperationResult<Titles>) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const inputs = part.map(({ input }) => input);
    const end = (isOn: boolean) => {
      queueMicrotask(() => subscription.unsubscribe());
      resolve(isOn);
    };
    const subscription = client.query(titlesQuery, { inputs }).subscribe((result) => {
      const { error, hasNext } = result;
      if (error?.networkError) return end(true);
      if (error?.graphQLErrors.some(isTitleOff)) return end(false);
      onResult(result);
      if (!hasNext) end(true);
    });
    signal.addEventListener('abort', () => end(true), { once: true });
  });
}

/** A gateway may fetch titles, and no updates. */
function isTitleOff({
  path,
  extensions,
}: {
  path?: readonly unknown[] | undefined;
  extensions?: object;
}): boolean {
  return path?.[2] === 'metadata' && (extensions as { code?: unknown } | undefined)?.code === 'METADATA_OFF';
}
