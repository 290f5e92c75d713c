// Turns every error into an error for clients, with a code of the error table. Unexpected errors are masked and logged.

import { GraphQLError, type SourceLocation } from 'graphql';
import { ERROR_KINDS, type ErrorCode, GatewayError, isErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';
import { locationsOf } from './document.ts';

export interface ClientError {
  readonly message: string;
  readonly extensions: { readonly code: ErrorCode; readonly retryable: boolean };
  /** the HTTP status if the whole request fails with this error */
  readonly httpStatus: number;
}

export type ErrorMask = (error: unknown, path?: readonly (string | number)[]) => ClientError;

export type GraphqlErrorMask = (error: unknown) => GraphQLError;

const MAX_CHARACTERS = 500;

export function createErrorMask(log: Log): ErrorMask {
  return (error, path) => {
    const origin = originOf(error);
    if (origin instanceof GatewayError) {
      return clientError(origin.code, origin.message, origin.details, origin.httpStatus);
    }
    if (isExhaustedStack(origin)) return clientError('LIMIT_EXCEEDED', 'The query is nested too deep.');
    if (origin instanceof GraphQLError) return clientError(codeOf(origin), origin.message);
    const isAbort = origin instanceof DOMException && origin.name === 'AbortError';
    // An abort is not logged, because the client has aborted the request.
    if (!isAbort) {
      const pathOfError = path ?? (error instanceof GraphQLError ? error.path : undefined);
      log.error({ err: origin, path: pathOfError }, 'unexpected error');
    }
    return clientError('INTERNAL_SERVER_ERROR', ERROR_KINDS.INTERNAL_SERVER_ERROR.message);
  };
}

export function createGraphqlErrorMask(mask: ErrorMask): GraphqlErrorMask {
  return (error) => {
    if (error instanceof MaskedGraphqlError) return error;
    const { message, extensions, httpStatus } = mask(error);
    if (!(error instanceof GraphQLError)) {
      return new GraphQLError(message, { extensions: { ...extensions, http: { status: httpStatus } } });
    }
    const { nodes = null, source = null, positions = null, path = null } = error;
    if (path && nodes)
      return new MaskedGraphqlError({ message, extensions, httpStatus }, path, locationsOf(nodes));
    // An error without a path concerns the whole request. Yoga takes its HTTP status from `http`.
    const http = path === null ? { http: { status: httpStatus, spec: Boolean(nodes ?? positions) } } : {};
    return new GraphQLError(message, {
      nodes,
      source,
      positions,
      path,
      extensions: { ...extensions, ...http },
    });
  };
}

/** A masked error that knows its locations. Otherwise graphql-js would search for the line of each error again. */
export class MaskedGraphqlError extends GraphQLError {
  override readonly locations: readonly SourceLocation[];

  constructor(
    { message, extensions }: ClientError,
    path: readonly (string | number)[],
    locations: readonly SourceLocation[],
  ) {
    // A response can have thousands of errors, and their stack traces would take more time than all other steps.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { path, extensions });
    Error.stackTraceLimit = stackTraceLimit;
    this.locations = locations;
  }
}

/** The error as a plain object, because Yoga sends plain objects unchanged but copies every GraphQLError. */
export function plainError(error: GraphQLError): GraphQLError {
  const { http: _, ...extensions } = error.extensions;
  return { ...error.toJSON(), extensions } as unknown as GraphQLError;
}

/** The error that was thrown, without the GraphQLError in which graphql-js wrapped it. */
function originOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || !error.originalError) return error;
  const origin = originOf(error.originalError);
  return origin instanceof GraphQLError ? error : origin;
}

/** A GraphQLError without a code of the table comes from graphql-js or Yoga. It is about the client's request. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code } = extensions;
  return isErrorCode(code) ? code : 'BAD_USER_INPUT';
}

/** Parsing, validation and execution are recursive, and a document can have thousands of levels. */
function isExhaustedStack(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

function clientError(
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
  httpStatus: number = ERROR_KINDS[code].httpStatus,
): ClientError {
  const { retryable } = ERROR_KINDS[code];
  const text = message.length > MAX_CHARACTERS ? `${message.slice(0, MAX_CHARACTERS)}…` : message;
  return { message: text, extensions: { ...details, code, retryable }, httpStatus };
}

export type OperationOutcome = 'ok' | 'partial' | 'failed';

/** `partial`: there are errors and an object `data`, even if all fields of `data` are null. */
export function outcomeOf({
  data,
  errors,
}: {
  readonly data?: unknown;
  readonly errors?: readonly unknown[] | undefined;
}): OperationOutcome {
  if (!errors?.length) return 'ok';
  return data ? 'partial' : 'failed';
}
