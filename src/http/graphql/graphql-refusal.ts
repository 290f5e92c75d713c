// The answer to a GraphQL request of which nothing can be executed.

import type { GraphQLError } from 'graphql';
import { GatewayError } from '../../errors.ts';
import type { ErrorMask } from '../../graphql/mask-error.ts';
import { type Written, type WrittenErrors, wholeAnswer } from '../../graphql/pieces.ts';
import { TooExpensive } from '../../graphql/price.ts';
import { WorkRefused } from '../../graphql/write.ts';
import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import type { Answer } from '../request/exchange.ts';
import { cacheControl } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import type { GraphqlRequest } from './read-parameters.ts';

/**
 * A document that does not fit, or costs too much, is 400 only to clients that speak GraphQL's own media type; a
 * request that is none is 400 to all.
 * @param errors of `error`, which may be several
 */
export function refusal(
  error: unknown,
  errors: readonly unknown[],
  asked: Pick<GraphqlRequest, 'jsonType' | 'contentType'>,
  mask: ErrorMask,
): Answer {
  const clientErrors = errors.map((one) => ({ ...mask(one), locations: locationsOf(one) }));
  const path = error instanceof WorkRefused ? error.path : null;
  const json = clientErrors.map(({ message, locations, extensions }) => ({
    message,
    locations,
    ...(path && { path }),
    extensions,
  }));
  const isWellFormed = error instanceof TooExpensive || clientErrors.every(({ locations }) => locations);
  const status =
    asked.jsonType === 'application/json' && isWellFormed
      ? 200
      : Math.max(...clientErrors.map(({ httpStatus }) => httpStatus));
  const headers = {
    ...failureHeaders(status, error instanceof GatewayError ? error.details : {}),
    ...(status === 405 ? { Allow: 'GET, POST' } : {}),
    'Content-Type': asked.contentType,
    Vary: 'Accept',
  };
  return { status, headers, body: JSON.stringify({ errors: json, ...(path && { data: null }) }) };
}

/** Where in the document, for an error that is about the document. */
function locationsOf(error: unknown): GraphQLError['locations'] {
  return (error as Partial<GraphQLError>).locations;
}

export function wrongMethod(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message: 'GraphQL only supports GET and POST requests.',
    httpStatus: 405,
  });
}

export function notAcceptable(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'Answers are application/graphql-response+json, application/json, multipart/mixed or text/event-stream, and the Accept header allows none that this one could come in.',
    httpStatus: 406,
  });
}

export function partsNotAccepted(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'The query uses @defer or @stream, and the Accept header allows no answer in parts. Send "Accept: multipart/mixed" or "Accept: text/event-stream", or leave the directives out.',
    httpStatus: 406,
  });
}

// The response to a GraphQL request that was executed.

export function writtenResponse(
  asked: GraphqlRequest,
  data: Written,
  errors: WrittenErrors,
  expiry: AnswerExpiry,
  now: number,
): Answer {
  const body = wholeAnswer(data, errors);
  const isOk = errors.length === 0;
  if (isOk) asked.ended('ok');
  else asked.ended(data === 'null' ? 'failed' : 'partial');
  const control = isOk ? cacheControl(expiry, now) : 'no-store';
  return {
    status: 200,
    headers: { 'Content-Type': asked.contentType, 'Cache-Control': control, Vary: 'Accept' },
    body,
  };
}
