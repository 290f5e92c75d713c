// An operation with its variables: what it costs, and what it may take of the account of work in hand.

import type { Need } from '../work/reservation.ts';
import type { ArgumentsRead } from './arguments.ts';
import { DocumentRefused, type PreparedOperation } from './operation.ts';
import type { Plan } from './plan.ts';
import { checkPrice, priceIn } from './price.ts';

export interface PricedOperation {
  readonly operation: PreparedOperation;
  readonly plan: Plan;
  readonly read: ArgumentsRead;
  readonly cost: number;
  readonly need: Need;
}

export interface PriceLimits {
  readonly maxComplexity: number;
  /** of the request */
  readonly bodyBytes: number;
}

let executions = 0;

/** Throws a DocumentRefused for variables that do not fit, and a TooExpensive. */
export function priceOperation(
  operation: PreparedOperation,
  sent: Readonly<Record<string, unknown>>,
  { maxComplexity, bodyBytes }: PriceLimits,
): PricedOperation {
  const { coerced: variables, errors } = operation.readVariables(sent);
  if (errors) throw new DocumentRefused(errors);
  const { price, plan } = operation.withVariables(variables);
  executions += 1;
  const read: ArgumentsRead = { number: executions, variables, read: [], variableReads: 0 };
  const cost = priceIn(price, read);
  checkPrice(cost, maxComplexity);
  return { operation, plan, read, cost, need: needOf(cost, bodyBytes) };
}

/**
 * What an operation may take, by its cost and its body. A look-up costs 20 and takes 5 kB with all that waits for it;
 * a field of the response has about 20 bytes; JSON that was read takes up to eight times its bytes.
 */
const HEAP_BYTES_A_COST = 250;
const HEAP_BYTES_A_BODY_BYTE = 8;
const RESPONSE_BYTES_A_COST = 20;

function needOf(cost: number, bodyBytes: number): Need {
  return {
    heapBytes: cost * HEAP_BYTES_A_COST + bodyBytes * HEAP_BYTES_A_BODY_BYTE,
    responseBytes: cost * RESPONSE_BYTES_A_COST,
  };
}
