// Answers in parts: how many there may be, how large they are together, and what each looks like.

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
 * The operation, if with these variables its answer comes in parts; else null. Throws LIMIT_EXCEEDED for too many
 * of them, and BAD_USER_INPUT for what cannot be streamed.
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
 * Makes the parts of Yoga's executor fit for clients. The executor puts fields into an answer in the order in which
 * their promises settle, does not mask the errors of later parts, and does not limit the bytes of all parts.
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
      const excess = createExcess(maxBytes);
      const meter = createMeter(onEnd);
      let ended = false;
      return {
        onNext({
          result: part,
          setResult: setPart,
        }: {
          readonly result: Part;
          setResult(part: never): void;
        }) {
          if (!ended) meter.onPart(part);
          const ordered = ended ? null : orderedPart(part, order, mask);
          // The executor drops what failed because the whole answer has ended.
          const error = ordered && (guarded.ended ?? excess(ordered));
          // After the last part this is null, and the writer of parts leaves it out.
          setPart((error ? { errors: [plainError(mask(error))], hasNext: false } : ordered) as never);
          if (!error) return;
          ended = true;
          // The outcome of the remaining parts does not matter any more.
          const rest: Partial<AsyncIterator<unknown>> = result as never;
          Promise.resolve(rest.return?.()).catch(() => undefined);
        },
        onEnd: () => meter.onEnd(),
      };
    },
  };
}

/** Of a part that is one too many, or too large with all those before it, the error to end with; else null. */
function createExcess(maxBytes: number): (part: Part) => GatewayError | null {
  let parts = 0;
  let bytes = 0;
  return (part) => {
    parts += part.incremental?.length ?? 0;
    bytes += Buffer.byteLength(JSON.stringify(part));
    if (parts > MAX_PARTS) return tooManyParts(parts);
    return bytes > maxBytes ? new ResponseTooLarge(maxBytes) : null;
  };
}

/** One whose client went away between two parts is `partial`. */
function createMeter(onEnd: (outcome: OperationOutcome) => void) {
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
