// Each look-up in the directory uses the client's budget. Answers from the cache do not use the budget.

import { canonicalName, type HandleName } from 'doi-names';
import type { BeginsRequest, DescribeOptions } from '../directory/directory.ts';
import type { ClientBudget } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';

/** Takes one look-up from the client's budget, even if others wait for the same answer. Can reject with RATE_LIMITED. */
export type Pay = () => Promise<void>;

/**
 * Returns the `Pay` of one look-up of a record or of metadata. Undefined if nothing limits the look-up. With `noRequest`,
 * the `Pay` rejects with this error.
 */
export function createPay({ requester, noRequest }: DescribeOptions): Pay | undefined {
  if (noRequest) return () => Promise.reject(noRequest);
  const budget = requester?.client.budget;
  return budget ? () => budget.take(1) : undefined;
}

/**
 * Like `createPay`, for the record and for the work of a name. In one operation, both together take one look-up. So a spent
 * budget refuses both.
 */
export function createPayForName(name: HandleName, lookUpOptions: DescribeOptions): Pay | undefined {
  const pay = createPay(lookUpOptions);
  const paidNames = lookUpOptions.requester?.paidNames;
  if (pay === undefined || paidNames === undefined || lookUpOptions.noRequest) return pay;
  return () => {
    const key = canonicalName(name);
    const paid = paidNames.get(key) ?? pay();
    paidNames.set(key, paid);
    return paid;
  };
}

/**
 * One Which RA request looks up many names, and takes one look-up from the budget. If the budget is spent, all names of the
 * request fail. Call the returned function to get the `Pay` of a name. Call only the `Pay`s of names that are not in
 * memory, in the order of the names.
 * @param beginsRequest gets the names whose `Pay` is called, in this order. Returns whether a name begins a new request.
 * Default: all names are in one request.
 */
export function createPayForAgencies(
  budget: ClientBudget | null | undefined,
  beginsRequest: BeginsRequest = () => false,
): ((name: HandleName) => Pay) | undefined {
  if (!budget) return undefined;
  let paid: Promise<void> | undefined;
  return (name) => () => {
    if (beginsRequest(name) || paid === undefined) paid = budget.take(1);
    return paid;
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
