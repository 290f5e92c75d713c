// Counts each look-up in the directory against the client's budget. Answers from the cache do not count.

import { canonicalName, type HandleName } from 'doi-names';
import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import type { ClientBudget } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';

/** Takes one look-up from the client's budget, even if others wait for the same answer. Can reject with RATE_LIMITED. */
export type TakeLookUp = () => Promise<void>;

/**
 * Returns the `TakeLookUp` of one look-up of a record or of metadata. Undefined if nothing limits the look-up. With
 * `noRequest`, the `TakeLookUp` rejects with this error.
 */
export function createTakeLookUp({ requester, noRequest }: DescribeOptions): TakeLookUp | undefined {
  if (noRequest) return () => Promise.reject(noRequest);
  const budget = requester?.client.budget;
  return budget ? () => budget.take(1) : undefined;
}

/**
 * Like `createTakeLookUp`, for the record and for the work of a name. In one operation, both together take one look-up.
 * So a spent budget refuses both.
 */
export function createTakeLookUpOfName(
  name: HandleName,
  lookUpOptions: DescribeOptions,
): TakeLookUp | undefined {
  const take = createTakeLookUp(lookUpOptions);
  const countedNames = lookUpOptions.requester?.countedNames;
  if (take === undefined || countedNames === undefined || lookUpOptions.noRequest) return take;
  return () => {
    const key = canonicalName(name);
    const taken = countedNames.get(key) ?? take();
    countedNames.set(key, taken);
    return taken;
  };
}

/**
 * Returns a function that creates the `TakeLookUp` of a name. One Which RA request looks up many names, and takes one
 * look-up from the budget. If the budget is spent, all names of the request fail. Call each `TakeLookUp` in the order of
 * the names. Do not call the `TakeLookUp` of a name in memory.
 * @param beginsRequest returns whether a name begins a new request. Each `TakeLookUp` calls it with its name. Default: all
 * names are in one request.
 */
export function createTakeLookUpsOfAgencies(
  budget: ClientBudget | null | undefined,
  beginsRequest: BeginsRequest = () => false,
): ((name: HandleName) => TakeLookUp) | undefined {
  if (!budget) return undefined;
  let taken: Promise<void> | undefined;
  return (name) => () => {
    if (beginsRequest(name) || taken === undefined) taken = budget.take(1);
    return taken;
  };
}

/** Returns false if the budget is spent or no request may be sent now. */
export async function tryToTakeLookUp(take: TakeLookUp): Promise<boolean> {
  try {
    await take();
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
