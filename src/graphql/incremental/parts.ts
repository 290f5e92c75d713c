// Responses in parts: limits the number and size of the parts, orders their fields, and masks their errors.

import { isAsyncIterable } from '@graphql-tools/utils';
import type { GraphQLError } from 'graphql';
import type { GatewayError } from '../../errors.ts';
import type { Variables } from '../arguments.ts';
import { type GraphqlErrorMask, type OperationOutcome, outcomeOf, plainError } from '../mask-error.ts';
import type { PreparedDocument, PreparedOperation } from '../operation.ts';
import { ResponseTooLarge } from '../write.ts';
import { type CountedOperation, countParts, MAX_PARTS, tooManyParts } from './count-parts.ts';
import { createFieldOrder, type OrderedOperation, orderedPart } from './field-order.ts';
import { servedSchema } from './incremental-rules.ts';

/**
 * The operation if its response has several parts with these variables, else null. Throws LIMIT_EXCEEDED for too many
 * parts, and BAD_USER_INPUT for a field that cannot be streamed.
 */
export function operationInParts(
  { document, isIncremental }: PreparedDocument,
  { node: operation }: PreparedOperation,
  variables: Variables,
): CountedOperation | null {
  if (!isIncremental) return null;
  const counted = { schema: servedSchema, document, operation, variables };
  const parts = countParts(counted);
  if (parts > MAX_PARTS) throw tooManyParts(parts);
  return parts === 0 ? null : counted;
}

interface Part {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly hasNext?: boolean;
  readonly incremental?: readonly Pick<Part, 'errors'>[];
}

/**
 * Corrects the parts of Yoga's executor. The executor writes fields in the order in which their promises settle. It does
 * not mask the errors of later parts, and it does not limit the bytes of all parts.
 */
export function withParts(
  operation: OrderedOperation,
  mask: GraphqlErrorMask,
  maxBytes: number,
  guarded: { readonly ended: GatewayError | null },
  onEnd: (outcome: OperationOutcome) => void,
) {
  const order = createFieldOrder(operation);
  return {
    onExecuteDone({ result, setResult }: { readonly result: unknown; setResult(result: never): void }) {
      if (!isAsyncIterable(result)) {
        onEnd(outcomeOf(result as Part));
        setResult(orderedPart(result as Part, order, mask) as never);
        return undefined;
      }
      const limitError = createPartLimits(maxBytes);
      const tracker = createOutcomeTracker(onEnd);
      let ended = false;
      return {
        onNext({
          result: part,
          setResult: setPart,
        }: {
          readonly result: Part;
          setResult(part: never): void;
        }) {
          if (!ended) tracker.onPart(part);
          const ordered = ended ? null : orderedPart(part, order, mask);
          // If the whole response has ended, the executor drops the failed parts with their error. So the error is added here.
          const json = JSON.stringify(ordered);
          const error = ordered && (guarded.ended ?? limitError(ordered, json));
          // After an error, later parts are null, and Yoga does not write them. Yoga would make the JSON a second time.
          const written = ordered && { ...ordered, stringify: () => json };
          setPart((error ? { errors: [plainError(mask(error))], hasNext: false } : written) as never);
          if (!error) return;
          ended = true;
          // The result of the remaining parts is no longer needed.
          const remaining: Partial<AsyncIterator<unknown>> = result as never;
          Promise.resolve(remaining.return?.()).catch(() => undefined);
        },
        onEnd: () => tracker.onEnd(),
      };
    },
  };
}

/** Makes a function that counts a part. It returns an error if there are too many parts, or if they are too large together. */
function createPartLimits(maxBytes: number): (part: Part, json: string) => GatewayError | null {
  let parts = 0;
  let bytes = 0;
  return (part, json) => {
    parts += part.incremental?.length ?? 0;
    bytes += Buffer.byteLength(json);
    if (parts > MAX_PARTS) return tooManyParts(parts);
    return bytes > maxBytes ? new ResponseTooLarge(maxBytes) : null;
  };
}

/** Finds the outcome of all parts. If the client aborts between two parts, the outcome is `partial`. */
function createOutcomeTracker(onEnd: (outcome: OperationOutcome) => void) {
  let outcome: OperationOutcome | undefined;
  let isComplete = false;
  return {
    onPart(part: Part) {
      outcome ??= outcomeOf(part);
      if (outcome === 'ok' && part.incremental?.some(({ errors }) => errors?.length)) outcome = 'partial';
      isComplete = part.hasNext !== true;
    },
    onEnd() {
      onEnd(isComplete || outcome === 'failed' ? (outcome ?? 'failed') : 'partial');
    },
  };
}
