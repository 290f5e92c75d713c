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
import type { SelectedOperation } from '../selected-fields.ts';
import { createGuardedSchema, type GuardedContext } from './guarded-schema.ts';
import { servedSchema } from './incremental-rules.ts';
import { createPartHooks } from './parts.ts';

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
  readonly parts: SelectedOperation | null;
  /** the errors of a refused request, for which nothing is executed; else null */
  readonly refusal: readonly unknown[] | null;
  /** called once at the end of the response, with the outcome */
  readonly onEnd: (outcome: OperationOutcome) => void;
}

export type ExecuteWithYoga = (operation: YogaOperation) => Promise<Response>;

interface ServerContext {
  readonly yogaOperation: YogaOperation;
}

export function createExecuteWithYoga(mask: GraphqlErrorMask, maxBytes: number): ExecuteWithYoga {
  const yoga = createYoga<ServerContext>({
    schema: createGuardedSchema(servedSchema),
    context: ({ yogaOperation }) => yogaOperation.context,
    // The guarded schema masks errors of fields; usePreparedOperation masks all others.
    maskedErrors: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    multipart: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    plugins: [usePreparedOperation(mask, maxBytes)],
  });
  return async (yogaOperation) => {
    const { accept, signal } = yogaOperation;
    const headers = { accept, 'content-type': 'application/json' };
    const request = new Request('http://gateway/graphql', { method: 'POST', headers, body: '{}', signal });
    return yoga.fetch(request, { yogaOperation });
  };
}

function operationIn(context: unknown): YogaOperation {
  return (context as ServerContext).yogaOperation;
}

function usePreparedOperation(mask: GraphqlErrorMask, maxBytes: number): Plugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const { text: query, operationName, variables } = operationIn(serverContext);
      setRequestParser(async () => ({ query, variables, ...(operationName !== null && { operationName }) }));
    },
    // The gateway has already parsed and validated the document.
    onParse({ context, setParsedDocument }) {
      setParsedDocument(withoutLocations(operationIn(context).prepared.document));
    },
    onValidate({ setResult }) {
      setResult([]);
    },
    // graphql-js writes responses of one part, because it keeps the order of fields. Yoga's executor writes the others.
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { parts, refusal, onEnd, signal, context } = operationIn(args.contextValue);
      if (refusal) {
        onEnd('failed');
        setResultAndStopExecution({ errors: refusal.map(mask) });
        return;
      }
      if (parts) {
        // Yoga's executor checks the signal before each field.
        Object.assign(args, { signal });
        return createPartHooks(parts, mask, maxBytes, context.guarded, onEnd);
      }
      setExecuteFn(execute);
      return {
        onExecuteDone({ result }) {
          if (!isAsyncIterable(result)) onEnd(outcomeOf(result));
        },
      };
    },
    // Makes errors plain objects. Otherwise Yoga would copy each GraphQLError and search for its line.
    onResultProcess({ result, setResult, serverContext }) {
      if (isAsyncIterable(result) || Array.isArray(result)) return;
      const { context, parts } = operationIn(serverContext);
      const { ended } = context.guarded;
      if (ended) {
        setResult({ errors: [mask(ended)] });
        // With `parts`, the hooks of parts.ts have already masked the errors.
      } else if (result.errors && parts === null) {
        const errors = result.errors.map(mask);
        const haveLocations = errors.every((error) => error instanceof MaskedGraphqlError);
        setResult({ ...result, errors: haveLocations ? errors.map(plainError) : errors });
      }
    },
  };
}
