// Responses of the jobs API: JSON that no cache may store.

import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import type { HttpResponse } from '../../http/request/exchange.ts';
import { failureHeaders } from '../../http/response/failure-headers.ts';

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

export function jsonResponse(
  status: number,
  value: object,
  headers: HttpResponse['headers'] = {},
): HttpResponse {
  return { status, headers: { ...HEADERS, ...headers }, body: `${JSON.stringify(value)}\n` };
}

export function errorResponse(error: GatewayError, headers: HttpResponse['headers'] = {}): HttpResponse {
  const { code, httpStatus, message, details, retryable } = error;
  const errors = [{ message, extensions: { code, retryable, ...details } }];
  return jsonResponse(httpStatus, { errors }, { ...failureHeaders(httpStatus, details), ...headers });
}

export const NO_SUCH_JOB = new GatewayError('BAD_USER_INPUT', {
  message:
    'There is no such job here. Is the address complete? The gateway deletes a job some days after its end, or earlier if it needs the space. The gateway shows a job of an API key only to clients with this key.',
  httpStatus: 404,
});

/** The error while the gateway cannot use the queue, has too many event streams, or stops. */
export const NO_JOBS_NOW = new GatewayError('GATEWAY_BUSY', {
  message:
    'The gateway cannot accept or show jobs at the moment. Try again later. Existing jobs are not lost.',
  details: { retryAfterSeconds: 10 },
});

export const WRONG_JOB_METHOD = new GatewayError('BAD_USER_INPUT', {
  message: 'This address does not support the method of the request.',
  httpStatus: 405,
});

export const INTERNAL_ERROR = new GatewayError('INTERNAL_SERVER_ERROR', {
  message: ERROR_KINDS.INTERNAL_SERVER_ERROR.message,
});
