// Every error a client gets: a code from the table and words fit for clients. The rest goes to the log.

import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ERROR_KINDS, type ErrorCode, GatewayError, isErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';

export type ErrorMask = (error: unknown) => GraphQLError;

/** The codes that Yoga gives to errors of its own, in the table's terms. */
const YOGA_CODES: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  ['BAD_REQUEST', 'BAD_USER_INPUT'],
  ['REQUEST_ENTITY_TOO_LARGE', 'LIMIT_EXCEEDED'],
  ['OPERATION_RESOLUTION_FAILURE', 'BAD_USER_INPUT'],
]);

/** What Yoga says too shortly to act upon. */
const CLEARER: ReadonlyMap<string, string> = new Map([
  [
    'Must provide query string.',
    'The request has no query. Send {"query": "…"} as application/json, or ?query=… in the URL.',
  ],
  [
    'Request body too large',
    'The request body is larger than this gateway takes. Send fewer inputs at once.',
  ],
  [
    'Could not determine what operation to execute.',
    'The query has no operation of the name in "operationName", or several and no name is given.',
  ],
]);

const MAX_MESSAGE = 500;

export function createErrorMask(log: Log): ErrorMask {
  return (error) => {
    const origin = originOf(error);
    if (origin instanceof GatewayError) {
      const { code, details, httpStatus } = origin;
      return reported(error, code, origin.message, details, httpStatus);
    }
    if (isExhaustedStack(origin)) return reported(error, 'LIMIT_EXCEEDED', 'The query is nested too deep.');
    if (origin instanceof GraphQLError) return reported(error, codeOf(origin), origin.message);
    // A client that is gone reads no error, and did not make one.
    if (!isAbort(origin)) log.error({ err: origin, path: pathOf(error) }, 'unexpected error');
    return reported(error, 'INTERNAL_SERVER_ERROR', ERROR_KINDS.INTERNAL_SERVER_ERROR.message);
  };
}

/** Masks the errors that Yoga puts into a response by itself, such as those of validation. */
export function useErrorMask(mask: ErrorMask): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (!('errors' in result) || !result.errors) return;
      if (result.errors.every(({ extensions }) => 'retryable' in extensions)) return;
      setResult({ ...result, errors: result.errors.map(mask) });
    },
  };
}

/** What was thrown, before the executor wrapped it to say where. GraphQL's own errors say it best themselves. */
function originOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || !error.originalError) return error;
  const origin = originOf(error.originalError);
  return origin instanceof GraphQLError ? error : origin;
}

/** GraphQL's own errors are about what the client sent: the document, the variables, the HTTP request. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code } = extensions;
  return isErrorCode(code) ? code : (YOGA_CODES.get(code) ?? 'BAD_USER_INPUT');
}

/** Parsing, validating and executing go down into a document by recursion: some are thousands of levels deep. */
function isExhaustedStack(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function pathOf(error: unknown): GraphQLError['path'] {
  return error instanceof GraphQLError ? error.path : undefined;
}

function toldAs(message: string): string {
  const clear = CLEARER.get(message) ?? message;
  return clear.length > MAX_MESSAGE ? `${clear.slice(0, MAX_MESSAGE)}…` : clear;
}

function reported(
  error: unknown,
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  httpStatus: number = ERROR_KINDS[code].httpStatus,
): GraphQLError {
  const extensions = { ...details, code, retryable: ERROR_KINDS[code].retryable };
  const told = toldAs(message);
  if (!(error instanceof GraphQLError)) {
    return new GraphQLError(told, { extensions: { ...extensions, http: { status: httpStatus } } });
  }
  const { nodes = null, source = null, positions = null, path = null } = error;
  // An error without a path is one of the whole request. Yoga takes its HTTP status from `http`.
  const http = path === null ? { http: httpOf(error, httpStatus) } : {};
  return new GraphQLError(told, { nodes, source, positions, path, extensions: { ...extensions, ...http } });
}

/**
 * A document that cannot be executed is 400 only to clients that speak GraphQL's own media type (`spec`),
 * a request that is none is 400 to all.
 */
function httpOf({ nodes, positions, extensions }: GraphQLError, httpStatus: number): object {
  const { status = httpStatus, headers } = (extensions['http'] ?? {}) as {
    status?: number;
    headers?: object;
  };
  return { status, spec: Boolean(nodes ?? positions), ...(headers && { headers }) };
}
