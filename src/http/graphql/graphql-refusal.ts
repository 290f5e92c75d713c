// The response to a GraphQL request: an executed one, or one that the gateway refuses as a whole.

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
 * The response to a request that is not executed. A well-formed request with an invalid or too expensive document gets
 * status 200 as application/json, and status 400 as application/graphql-response+json. Every other refused request gets
 * the status of its error.
 * @param errors the errors that `error` consists of
 */
export function refusal(
  error: unknown,
  errors: readonly unknown[],
  graphqlRequest: Pick<GraphqlRequest, 'jsonType' | 'contentType'>,
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
    graphqlRequest.jsonType === 'application/json' && isWellFormed
      ? 200
      : Math.max(...clientErrors.map(({ httpStatus }) => httpStatus));
  const headers = {
    ...failureHeaders(status, error instanceof GatewayError ? error.details : {}),
    ...(status === 405 ? { Allow: 'GET, POST' } : {}),
    'Content-Type': graphqlRequest.contentType,
    Vary: 'Accept',
  };
  return { status, headers, body: JSON.stringify({ errors: json, ...(path && { data: null }) }) };
}

/** The place in the document. Undefined if the error does not concern the document. */
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
      'Answers are application/graphql-response+json, application/json, multipart/mixed or text/event-stream. The Accept header allows none of these types.',
    httpStatus: 406,
  });
}

export function partsNotAccepted(): GatewayError {
  return new GatewayError('BAD_USER_INPUT', {
    message:
      'The query uses @defer or @stream, but the Accept header allows no answer in parts. Send "Accept: multipart/mixed" or "Accept: text/event-stream", or remove the directives.',
    httpStatus: 406,
  });
}

/** The response to a request that was executed. */
export function writtenResponse(
  graphqlRequest: GraphqlRequest,
  data: Written,
  errors: WrittenErrors,
  expiry: AnswerExpiry,
  now: number,
): Answer {
  const body = wholeAnswer(data, errors);
  const isOk = errors.length === 0;
  if (isOk) graphqlRequest.ended('ok');
  else graphqlRequest.ended(data === 'null' ? 'failed' : 'partial');
  const control = isOk ? cacheControl(expiry, now) : 'no-store';
  return {
    status: 200,
    headers: { 'Content-Type': graphqlRequest.contentType, 'Cache-Control': control, Vary: 'Accept' },
    body,
  };
}
