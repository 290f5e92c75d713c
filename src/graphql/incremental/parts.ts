// Responses in parts: limits the number and size of the parts, orders their fields, and masks their errors.

import { isAsyncIterable } from '@graphql-tools/utils';
import type { GraphQLError } from 'graphql';
import type { GatewayError } from '../../errors.ts';
import type { Variables } from '../arguments.ts';
import { type GraphqlErrorMask, type OperationOutcome, outcomeOf, plainError } from '../mask-error.ts';
import type { PreparedDocument, PreparedOperation } from '../operation.ts';
import type { SelectedOperation } from '../selected-fields.ts';
import { ResponseTooLarge } from '../write.ts';
import { countParts, MAX_PARTS, tooManyParts } from './count-parts.ts';
import { createFieldOrder, type FieldOrder } from './field-order.ts';
import { servedSchema } from './incremental-rules.ts';

/**
 * The operation if its response has several parts with these variables, else null. Throws LIMIT_EXCEEDED for too many
 * parts, and BAD_USER_INPUT for a field that cannot be streamed.
 */
export function operationInParts(
  { fragments, isIncremental }: PreparedDocument,
  { node: operation }: PreparedOperation,
  variables: Variables,
): SelectedOperation | null {
  if (!isIncremental) return null;
  const selected = { schema: servedSchema, fragments, operation, variables };
  const parts = countParts(selected);
  if (parts > MAX_PARTS) throw tooManyParts(parts);
  return parts === 0 ? null : selected;
}

interface Increment {
  readonly path?: readonly (string | number)[];
  readonly data?: unknown;
  readonly items?: readonly unknown[] | null;
  readonly errors?: readonly GraphQLError[];
}

/** A whole result, the first part, or a later part. */
interface Part {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  readonly hasNext?: boolean;
  readonly incremental?: readonly Increment[];
}

/** An event of Yoga, which has no types for the parts of a result. */
interface ResultEvent<Result> {
  readonly result: Result;
  setResult(result: never): void;
}

/**
 * Makes the hooks that correct the parts of Yoga's executor. The executor writes fields in the order in which their promises settle. It does
 * not mask the errors of later parts, and it does not limit the bytes of all parts.
 */
export function createPartHooks(
  operation: SelectedOperation,
  mask: GraphqlErrorMask,
  maxBytes: number,
  guarded: { readonly ended: GatewayError | null },
  onEnd: (outcome: OperationOutcome) => void,
) {
  const order = createFieldOrder(operation);

  return {
    onExecuteDone({ result, setResult }: ResultEvent<unknown>) {
      if (!isAsyncIterable(result)) {
        onEnd(outcomeOf(result as Part));
        setResult(correctedPart(result as Part, order, mask) as never);
        return undefined;
      }
      let parts = 0;
      let bytes = 0;
      let outcome: OperationOutcome | undefined;
      let isComplete = false;
      let hasFailed = false;

      function limitError(): GatewayError | null {
        if (parts > MAX_PARTS) return tooManyParts(parts);
        return bytes > maxBytes ? new ResponseTooLarge(maxBytes) : null;
      }

      return {
        onNext({ result: part, setResult: setPart }: ResultEvent<Part>) {
          // After an error, later parts are null, and Yoga does not write them.
          if (hasFailed) return setPart(null as never);
          outcome ??= outcomeOf(part);
          if (outcome === 'ok' && part.incremental?.some(({ errors }) => errors?.length)) outcome = 'partial';
          isComplete = part.hasNext !== true;

          const corrected = correctedPart(part, order, mask);
          const json = JSON.stringify(corrected);
          parts += part.incremental?.length ?? 0;
          bytes += Buffer.byteLength(json);
          // If the whole response has ended, the executor drops the failed parts with their error. So the error is added here.
          const error = guarded.ended ?? limitError();
          // Without `stringify`, Yoga would make the JSON a second time.
          if (error === null) return setPart({ ...corrected, stringify: () => json } as never);
          hasFailed = true;
          setPart({ errors: [plainError(mask(error))], hasNext: false } as never);
          // Ends the execution of the remaining parts.
          const remaining: Partial<AsyncIterator<unknown>> = result as never;
          Promise.resolve(remaining.return?.()).catch(() => undefined);
        },
        /** If the client aborts between two parts, the outcome is `partial`. */
        onEnd: () => onEnd(isComplete || outcome === 'failed' ? (outcome ?? 'failed') : 'partial'),
      };
    },
  };
}

/** Orders the fields and masks the errors. Errors become plain objects, so that Yoga does not search for their lines. */
function correctedPart(part: Part, order: FieldOrder, mask: GraphqlErrorMask): Part {
  const plain = (error: GraphQLError): GraphQLError => plainError(mask(error));
  const corrected = ({ path = [], data, items, errors }: Increment): Increment => ({
    ...(errors && { errors: errors.map(plain) }),
    ...(data !== undefined && { data: order(data, path) }),
    ...(items && { items: items.map((item) => order(item, path)) }),
  });
  const { incremental } = part;
  return {
    ...part,
    ...corrected(part),
    ...(incremental && { incremental: incremental.map((member) => ({ ...member, ...corrected(member) })) }),
  };
}
