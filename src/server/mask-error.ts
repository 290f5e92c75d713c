// Every error a client gets: a code from the table and words fit for clients. The rest goes to the log.

import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { ERROR_KINDS, type ErrorCode, GatewayError, isErrorCode } from '../errors.ts';
import type { Log } from '../log.ts';

/** The codes that Yoga gives to errors of its own, in the table's terms. */
const YOGA_CODES: ReadonlyMap<unknown, ErrorCode> = new Map<unknown, ErrorCode>([
  ['BAD_REQUEST', 'BAD_USER_INPUT'],
  ['REQUEST_ENTITY_TOO_LARGE', 'LIMIT_EXCEEDED'],
]);

export function createErrorMask(log: Log): (error: unknown) => GraphQLError {
  return (error) => {
    const cause = originOf(error);
    if (cause instanceof GatewayError) {
      return reported(error, cause.message, { ...cause.details, code: cause.code });
    }
    if (cause instanceof GraphQLError) return reported(error, cause.message, { code: codeOf(cause) });
    log.error(
      { err: cause, path: error instanceof GraphQLError ? error.path : undefined },
      'unexpected error',
    );
    return reported(error, ERROR_KINDS.INTERNAL_SERVER_ERROR.message, { code: 'INTERNAL_SERVER_ERROR' });
  };
}

/** Masks the errors that Yoga puts into a response by itself, such as those of validation. */
export function useErrorMask(mask: (error: unknown) => GraphQLError): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (!('errors' in result) || result.errors?.every(({ extensions }) => 'retryable' in extensions))
        return;
      setResult({ ...result, errors: result.errors?.map(mask) ?? [] });
    },
  };
}

/** What was thrown, before the executor wrapped it to say where. */
function originOf(error: unknown): unknown {
  let origin = error;
  while (origin instanceof GraphQLError && origin.originalError) origin = origin.originalError;
  return origin;
}

/** GraphQL's own errors are about what the client sent: the document, the variables, the HTTP request. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code } = extensions;
  if (isErrorCode(code)) return code;
  return YOGA_CODES.get(code) ?? 'BAD_USER_INPUT';
}

function reported(
  error: unknown,
  message: string,
  extensions: Readonly<Record<string, unknown>> & { readonly code: ErrorCode },
): GraphQLError {
  const { retryable, httpStatus } = ERROR_KINDS[extensions.code];
  const told = { ...extensions, retryable };
  if (!(error instanceof GraphQLError)) {
    return new GraphQLError(message, { extensions: { ...told, http: { status: httpStatus } } });
  }
  const { nodes = null, source = null, positions = null, path = null } = error;
  // Yoga reads the HTTP status from `http`, and takes it out before it answers.
  const { http: status } = error.extensions;
  const http = status ? { http: status } : {};
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...told, ...http } });
}
