// @defer and @stream: which operations use them, how far they may go, and what their parts look like.

import { type DocumentNode, execute, getOperationAST, getVariableValues, visit } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import { GatewayError } from '../../errors.ts';
import { acceptsParts } from '../../http/accepted-types.ts';
import type { ErrorMask } from '../mask-error.ts';
import { type Measured, responseBytes, responseTooLarge } from '../response-size.ts';
import { type CountedOperation, countParts } from './count-parts.ts';
import { createFieldOrder } from './field-order.ts';
import { partForClients } from './part-for-clients.ts';

/** Whoever waits for n parts one by one looks at n² of them: 40 MB and a quarter of a second for as many as these. */
const MAX_PARTS = 1_000;

/**
 * Executes with graphql-js, but what is deferred or streamed, which graphql-js 16 cannot do, with Yoga's own
 * executor. That one puts fields into the response in the order in which their promises settle, and nobody masks
 * the errors of its later parts: both are mended here.
 */
export function useIncrementalDelivery(mask: ErrorMask, maxBytes: number): Plugin {
  return {
    onExecute({ args, context, setExecuteFn }) {
      const operation = incrementalOperation(args);
      const parts = operation ? countParts(operation) : 0;
      if (!operation || parts === 0) {
        setExecuteFn(execute);
        return;
      }
      if (parts > MAX_PARTS) throw tooManyParts(parts);
      if (!acceptsParts(context.request)) throw partsNotAccepted();
      const order = createFieldOrder(operation);
      return {
        onExecuteDone({ result, setResult }) {
          if (!isAsyncIterable(result)) {
            setResult(partForClients(result, order, mask));
            return;
          }
          const excess = createExcess(maxBytes);
          let ended = false;
          return {
            onNext({ result: part, setResult: setPart }) {
              const error = ended ? null : excess(part);
              // What comes after the last part is nothing: it is left out by whoever writes parts.
              if (ended) setPart(null as unknown as typeof part);
              else if (error) setPart({ errors: [mask(error)], hasNext: false } as typeof part);
              else setPart(partForClients(part, order, mask));
              if (!error) return;
              ended = true;
              // How the rest ends is nobody's concern any more.
              result.return?.().catch(() => undefined);
            },
          };
        },
      };
    },
  };
}

interface ExecutionArguments {
  readonly schema: CountedOperation['schema'];
  readonly document: DocumentNode;
  readonly operationName?: string | null;
  readonly variableValues?: Readonly<Record<string, unknown>> | null;
}

/** The operation, if something in its document may be deferred or streamed and its variables can be read. */
function incrementalOperation(args: ExecutionArguments): CountedOperation | null {
  const { schema, document, operationName, variableValues } = args;
  if (!mentionsIncremental(document)) return null;
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {}, {
    maxErrors: 1,
  });
  return coerced ? { schema, document, operation, variables: coerced } : null;
}

/** Parsed documents are kept and come again. */
const mentions = new WeakMap<DocumentNode, boolean>();

function mentionsIncremental(document: DocumentNode): boolean {
  const known = mentions.get(document);
  if (known !== undefined) return known;
  let found = false;
  visit(document, {
    Directive({ name }) {
      found ||= name.value === 'defer' || name.value === 'stream';
    },
  });
  mentions.set(document, found);
  return found;
}

/** Of a part that is one too many, or too large with all those before it, the error to end with; else null. */
function createExcess(maxBytes: number): (part: Measured) => GatewayError | null {
  let parts = 0;
  let bytes = 0;
  return (part) => {
    parts += Array.isArray(part.incremental) ? part.incremental.length : 0;
    bytes += responseBytes(part, maxBytes - bytes);
    if (parts > MAX_PARTS) return tooManyParts(parts);
    return bytes > maxBytes ? responseTooLarge(maxBytes) : null;
  };
}

function tooManyParts(parts: number): GatewayError {
  const found = Number.isFinite(parts) ? `${parts}` : 'more';
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The answer would come in ${found} parts, of the ${MAX_PARTS} that may follow the first. Ask for fewer names at once, or defer and stream less.`,
  });
}

function partsNotAccepted(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'The query uses @defer or @stream, and the Accept header allows no answer in parts. Send "Accept: multipart/mixed" or "Accept: text/event-stream", or leave the directives out.',
    httpStatus: 406,
  });
}
