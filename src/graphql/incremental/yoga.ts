// The only file that uses Yoga. Yoga executes operations with @defer and @stream, operations whose response is not JSON,
// and all operations if `yogaExecutesAll` is set. The gateway parses, validates and prices an operation first.

import { execute } from 'graphql';
import { createYoga, isAsyncIterable, type Plugin } from 'graphql-yoga';
import type { GatewayContext } from '../../schema/builder.ts';
import type { Variables } from '../arguments.ts';
import { withoutLocations } from '../document.ts';
import {
  type GraphqlErrorMask,
  MaskedGraphqlError,
  type OperationOutcome,
  outcomeOf,
  plainError,
} from '../mask-error.ts';
import type { PreparedDocument } from '../operation.ts';
import type { CountedOperation } from './count-parts.ts';
import { type GuardedContext, guardedSchema } from './guarded-schema.ts';
import { servedSchema } from './incremental-rules.ts';
import { withParts } from './parts.ts';

export interface YogaOperation {
  readonly text: string;
  readonly prepared: PreparedDocument;
  readonly operationName: string | null;
  readonly variables: Variables;
  /** the media types, as in an Accept header */
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly context: GatewayContext & GuardedContext;
  /** null if the response has one part */
  readonly parts: CountedOperation | null;
  /** the errors of a refused request, for which nothing is executed; else null */
  readonly refusal: readonly unknown[] | null;
  /** called once at the last part, with the outcome */
  readonly onEnd: (outcome: OperationOutcome) => void;
}

export type ExecuteWithYoga = (operation: YogaOperation) => Promise<Response>;

interface ServerContext {
  readonly yogaOperation: YogaOperation;
}

export function createExecuteWithYoga(mask: GraphqlErrorMask, maxBytes: number): ExecuteWithYoga {
  const yoga = createYoga<ServerContext>({
    schema: guardedSchema(servedSchema),
    context: ({ yogaOperation }) => yogaOperation.context,
    // The guarded schema masks errors of fields; useMaskedErrors masks all others.
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    plugins: [usePrepared(), useExecution(mask, maxBytes), useMaskedErrors(mask)] as unknown as Plugin[],
  });
  return async (yogaOperation) => {
    const { accept, signal } = yogaOperation;
    const init = {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{}',
      signal,
    };
    return yoga.fetch(new Request('http://gateway/graphql', init), { yogaOperation });
  };
}

/** Gives Yoga the document that the gateway has already parsed and validated. */
function usePrepared(): Plugin<ServerContext> {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const {
        text: query,
        operationName,
        variables,
      } = (serverContext as unknown as ServerContext).yogaOperation;
      setRequestParser(async () => ({ query, variables, ...(operationName !== null && { operationName }) }));
    },
    onParse({ context, setParsedDocument }) {
      setParsedDocument(
        withoutLocations((context as unknown as ServerContext).yogaOperation.prepared.document),
      );
    },
    onValidate({ setResult }) {
      setResult([]);
    },
  };
}

/** graphql-js executes responses of one part, because it keeps the order of fields. Yoga's executor executes the others. */
function useExecution(mask: GraphqlErrorMask, maxBytes: number): Plugin<ServerContext> {
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { parts, refusal, onEnd, signal, context } = (args.contextValue as unknown as ServerContext)
        .yogaOperation;
      if (refusal) {
        onEnd('failed');
        setResultAndStopExecution({ errors: refusal.map(mask) });
        return;
      }
      if (parts) {
        // Yoga's executor checks the signal before each field.
        Object.assign(args, { signal });
        return withParts(parts, mask, maxBytes, context.guarded, onEnd);
      }
      setExecuteFn(execute);
      return {
        onExecuteDone({ result }) {
          if (!isAsyncIterable(result)) onEnd(outcomeOf(result));
        },
      };
    },
  };
}

/** Makes errors plain objects. Otherwise Yoga would copy each GraphQLError and search for its line. */
function useMaskedErrors(mask: GraphqlErrorMask): Plugin<ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const { context, parts } = (serverContext as unknown as ServerContext).yogaOperation;
      const { ended } = context.guarded;
      if (ended) {
        setResult({ errors: [mask(ended)] });
        // With `parts`, `withParts` has already masked the errors.
      } else if (result.errors && parts === null) {
        const errors = result.errors.map(mask);
        const haveLocations = errors.every((error) => error instanceof MaskedGraphqlError);
        setResult({
          ...result,
          errors: haveLocations ? errors.map(plainError) : errors,
        });
      }
    },
  };
}
