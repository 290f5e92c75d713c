// Builds the HTTP response of a GraphQL operation: the result, or the errors of a request that is not executed.

import type { GraphQLError } from 'graphql';
import { GatewayError } from '../../errors.ts';
import type { ErrorMask } from '../../graphql/mask-error.ts';
import { type WrittenErrors, type WrittenJson, wholeResponse } from '../../graphql/pieces.ts';
import { PlanTooLarge } from '../../graphql/plan-size.ts';
import { TooExpensive } from '../../graphql/price.ts';
import { MemoryRefused } from '../../graphql/write.ts';
import type { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import type { HttpResponse } from '../request/exchange.ts';
import { cacheControl, NO_STORE } from '../response/cache-headers.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import type { GraphqlRequest } from './read-parameters.ts';

/**
 * The response to a request that is not executed. Its status is the highest status of the errors. Exception: in
 * application/json, the status is 200 if the document is invalid (GraphQL over HTTP) or too expensive.
 * @param errors the errors that `error` contains, such as validation errors; else only `error`
 */
export function refusalResponse(
  error: unknown,
  errors: readonly unknown[],
  graphqlRequest: Pick<GraphqlRequest, 'jsonType' | 'contentType'>,
  mask: ErrorMask,
): HttpResponse {
  // The position in the document. Undefined if the error is not about the document.
  const locationsOf = (each: unknown) => (each as Partial<GraphQLError>).locations;
  const clientErrors = errors.map((each) => ({ ...mask(each), locations: locationsOf(each) }));
  const path = error instanceof MemoryRefused ? error.path : null;
  const json = clientErrors.map(({ message, locations, extensions }) => ({
    message,
    locations,
    ...(path && { path }),
    extensions,
  }));
  const isTooLarge = error instanceof TooExpensive || error instanceof PlanTooLarge;
  const isAboutDocument = isTooLarge || clientErrors.every(({ locations }) => locations);
  const status =
    graphqlRequest.jsonType === 'application/json' && isAboutDocument
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

export const WRONG_METHOD = new GatewayError('BAD_USER_INPUT', {
  message: 'GraphQL only supports GET and POST requests.',
  httpStatus: 405,
});

export const NOT_ACCEPTABLE = new GatewayError('BAD_USER_INPUT', {
  message:
    'Accept one of these types: application/graphql-response+json, application/json, multipart/mixed;deferSpec=20220824, text/event-stream. The Accept header of the request allows none of them.',
  httpStatus: 406,
});

export const PARTS_NOT_ACCEPTED = new GatewayError('BAD_USER_INPUT', {
  message:
    'The query uses @defer or @stream, but the Accept header allows no response in parts. Send "Accept: multipart/mixed;deferSpec=20220824" or "Accept: text/event-stream", or remove the directives.',
  httpStatus: 406,
});

/** The response to an operation that was executed. Caches can keep it only if it has no errors. */
export function writtenResponse(
  graphqlRequest: GraphqlRequest,
  data: WrittenJson,
  errors: WrittenErrors,
  expiry: AnswerExpiry,
  now: number,
): HttpResponse {
  const isOk = errors.length === 0;
  if (isOk) graphqlRequest.ended('ok');
  else graphqlRequest.ended(data === 'null' ? 'failed' : 'partial');
  const control = isOk ? cacheControl(expiry, now) : NO_STORE;
  return {
    status: 200,
    headers: { 'Content-Type': graphqlRequest.contentType, 'Cache-Control': control, Vary: 'Accept' },
    body: wholeResponse(data, errors),
  };
}
