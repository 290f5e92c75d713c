// Prices an operation with its variables, and estimates the memory that it can need.

import type { Need } from '../memory/reservation.ts';
import type { ExecutionArguments, Variables } from './arguments.ts';
import { DOCUMENT_COPIES_OF_YOGA, HEAP_BYTES } from './heap-sizes.ts';
import { DocumentRefused, type PreparedDocument, type PreparedOperation } from './operation.ts';
import type { Plan } from './plan.ts';
import { MAX_PLANNED_FIELDS, PlanTooLarge } from './plan-size.ts';
import { priceIn, TooExpensive } from './price.ts';

/** An operation with its variables, its cost, and the memory that it can need. */
export interface PricedOperation {
  readonly operation: PreparedOperation;
  /** Makes the plan at the first call. Call it when the memory of the operation is reserved. */
  readonly plan: () => Plan;
  readonly executionArguments: ExecutionArguments;
  readonly cost: number;
  readonly need: Need;
}

interface PricingOptions {
  readonly maxComplexity: number;
  readonly bodyBytes: number;
  readonly isForYoga: boolean;
}

let executions = 0;

/**
 * Throws a DocumentRefused if the variables do not fit, a TooExpensive if the cost is too high, and a PlanTooLarge if the
 * plan would have too many fields.
 */
export function priceOperation(
  { heapBytes: documentBytes }: Pick<PreparedDocument, 'heapBytes'>,
  operation: PreparedOperation,
  sent: Variables,
  { maxComplexity, bodyBytes, isForYoga }: PricingOptions,
): PricedOperation {
  const { coerced: variables, errors } = operation.readVariables(sent);
  if (errors) throw new DocumentRefused(errors);
  const { price, planSize, plan } = operation.withVariables(variables);
  executions += 1;
  const executionArguments = { number: executions, variables, valuesByReader: [], variableReads: 0 };
  const cost = priceIn(price, executionArguments);
  if (cost > maxComplexity) throw new TooExpensive(cost, maxComplexity);
  if (planSize.fields > MAX_PLANNED_FIELDS) throw new PlanTooLarge(planSize.fields);
  // Even if the document and the plan are kept: they can be dropped while the operation runs.
  const need = {
    heapBytes:
      cost * HEAP_BYTES.cost +
      bodyBytes * HEAP_BYTES.bodyByte +
      planSize.heapBytes +
      documentBytes * (isForYoga ? DOCUMENT_COPIES_OF_YOGA : 1),
    responseBytes: cost * RESPONSE_BYTES_PER_COST,
  };
  return { operation, plan, executionArguments, cost, need };
}

/** A field of the response costs 1 and has about 20 bytes. */
const RESPONSE_BYTES_PER_COST = 20;
