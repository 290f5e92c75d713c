// Yoga, behind the one door to it: answers in parts (@defer, @stream; multipart, events), and whole ones where the
// direct path is switched off. What is executed has been read, checked and paid for before.

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

/** An operation that is ready, and how its answer may come. */
export interface YogaOperation {
  readonly text: string;
  readonly prepared: PreparedDocument;
  readonly operationName: string | null;
  readonly variables: Variables;
  /** media types as an Accept header */
  readonly accept: string;
  readonly signal: AbortSignal;
  readonly context: GatewayContext & GuardedContext;
  /** of an operation that is answered in parts; null: the answer is whole */
  readonly parts: CountedOperation | null;
  /** the fault of the request; then nothing is executed */
  readonly refusal: readonly unknown[] | null;
  /** called once, with the outcome, at the last part */
  readonly onEnd: (outcome: OperationOutcome) => void;
}

/** Answers as the Fetch standard has it. */
export type AskYoga = (operation: YogaOperation) => Promise<Response>;

interface ServerContext {
  readonly asked: YogaOperation;
}

export function createAskYoga(mask: GraphqlErrorMask, maxBytes: number): AskYoga {
  const yoga = createYoga<ServerContext>({
    schema: guardedSchema(servedSchema),
    context: ({ asked }) => asked.context,
    // What is executed is guarded; everything else is masked by useMaskedErrors.
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
  return async (asked) => {
    const { accept, signal } = asked;
    const init = {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{}',
      signal,
    };
    return yoga.fetch(new Request('http://gateway/graphql', init), { asked });
  };
}

/** Hands Yoga what has been read, parsed and validated already. */
function usePrepared(): Plugin<ServerContext> {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const { text: query, operationName, variables } = (serverContext as unknown as ServerContext).asked;
      setRequestParser(async () => ({ query, variables, ...(operationName !== null && { operationName }) }));
    },
    onParse({ context, setParsedDocument }) {
      setParsedDocument(withoutLocations((context as unknown as ServerContext).asked.prepared.document));
    },
    onValidate({ setResult }) {
      setResult([]);
    },
  };
}

/** graphql-js executes, which puts fields in order; what comes in parts it cannot, so that Yoga's executor does. */
function useExecution(mask: GraphqlErrorMask, maxBytes: number): Plugin<ServerContext> {
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { parts, refusal, onEnd, signal, context } = (args.contextValue as unknown as ServerContext)
        .asked;
      if (refusal) {
        onEnd('failed');
        setResultAndStopExecution({ errors: refusal.map(mask) });
        return;
      }
      if (parts) {
        // Yoga's executor looks at it before each field; graphql-js knows no signal.
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

/** Errors as plain objects: Yoga would copy each GraphQLError and search for its line. */
function useMaskedErrors(mask: GraphqlErrorMask): Plugin<ServerContext> {
  return {
    onResultProcess({ result, setResult, serverContext }) {
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const { context, parts } = (serverContext as unknown as ServerContext).asked;
      const { ended } = context.guarded;
      if (ended) {
        setResult({ errors: [mask(ended)] });
        // `withParts` has masked the errors of an answer that could have come in parts.
      } else if (result.errors && parts === null) {
        const errors = result.errors.map(mask);
        const isPlaced = errors.every((error) => error instanceof MaskedGraphqlError);
        setResult({
          ...result,
          errors: isPlaced ? errors.map(plainError) : errors,
        });
      }
    },
  };
}
