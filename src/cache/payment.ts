// Takes look-ups that need the directory from the client's budget. Answers from the cache do not use the budget.

import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import type { ClientBudget } from '../directory/requester.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';

/** Takes one look-up from the client's budget, even if other clients wait for the same answer. Rejects with RATE_LIMITED. */
export type Pay = () => Promise<void>;

/**
 * For one look-up of a record or of metadata. Undefined if nothing limits the look-up. Also rejects, with
 * UPSTREAM_UNAVAILABLE, if no request may be sent now.
 */
export function payForOne({ requester, mayRequest }: DescribeOptions): Pay | undefined {
  const budget = requester?.client.budget;
  const pay = budget ? () => budget.take(1) : undefined;
  if (mayRequest === undefined) return pay;
  return async () => {
    if (!mayRequest()) throw new GatewayError('UPSTREAM_UNAVAILABLE');
    await pay?.();
  };
}

/**
 * For look-ups of agencies. One request looks up many names, and takes one look-up from the budget. If the budget is
 * spent, all names of the request fail. The caller must call the returned function in order, for each name that is not in memory.
 * @param beginsRequest whether a name begins a new request; default: all names are in one request
 */
export function payForAgencies(
  budget: ClientBudget | null | undefined,
  beginsRequest: BeginsRequest = () => false,
): ((name: HandleName) => Pay) | undefined {
  if (!budget) return undefined;
  let request: Promise<void> | undefined;
  return (name) => () => {
    if (beginsRequest(name) || request === undefined) request = budget.take(1);
    return request;
  };
}

/** Returns false if the budget is spent or no request may be sent now. */
export async function tryToPay(pay: Pay): Promise<boolean> {
  try {
    await pay();
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
