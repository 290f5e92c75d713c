// The payment: each client pays for the answers that it needs from the directory.

import type { BeginsRequest } from '../directory/directory.ts';
import type { ClientBudget } from '../directory/requester.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';

/** Takes the price from the client's budget, even if other clients wait for the same answer. Rejects with RATE_LIMITED. */
export type Pay = () => Promise<void>;

/** The payment for one record. Undefined if the client has no budget. */
export function payForRecord(budget: ClientBudget | null | undefined): Pay | undefined {
  return budget ? () => budget.take(1) : undefined;
}

/**
 * The payment for agencies. One request looks up many names, and its first name pays. If the budget is spent, all names
 * of the request fail. Call the result with each name that memory cannot answer, in order.
 * @param beginsRequest default: all names go in one request
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

/** Like `pay`, but rejects with UPSTREAM_UNAVAILABLE if no request may be sent now. */
export function payUnlessBusy(
  mayRequest: (() => boolean) | undefined,
  pay: Pay | undefined,
): Pay | undefined {
  if (mayRequest === undefined) return pay;
  return async () => {
    if (!mayRequest()) throw new GatewayError('UPSTREAM_UNAVAILABLE');
    await pay?.();
  };
}

/** Pays, and returns false if the budget is spent, or if no request may be sent now. */
export async function tryToPay(pay: Pay): Promise<boolean> {
  try {
    await pay();
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}
