// What a client pays for an answer that it has to wait for the directory for.

import type { ClientBudget } from '../directory/asker.ts';
import type { WhichRaMeter } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import { GatewayError } from '../errors.ts';

/** Called before an answer is waited for, whoever else waits for it. Rejects with RATE_LIMITED. */
export type Pay = () => Promise<void>;

/** A look-up of one record. Undefined where there is no budget: then there is nothing to wait for. */
export function payForRecord(budget: ClientBudget | null | undefined): Pay | undefined {
  return budget ? () => budget.take(1) : undefined;
}

/**
 * Agencies, of whose names many fit into one request: the first of each request pays for it, and where there is
 * nothing to pay with, all of its names fail. Told of the names that have to be waited for, one after the other.
 * @param beginsRequest where there is none, all names go in one request
 */
export function payForAgencies(
  budget: ClientBudget | null | undefined,
  beginsRequest: WhichRaMeter = () => false,
): ((name: HandleName) => Pay) | undefined {
  if (!budget) return undefined;
  let request: Promise<void> | undefined;
  return (name) => () => {
    if (beginsRequest(name) || request === undefined) request = budget.take(1);
    return request;
  };
}

/** Whether it could be paid for. */
export async function couldPay(pay: Pay): Promise<boolean> {
  try {
    await pay();
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'RATE_LIMITED') return false;
    throw error;
  }
}
