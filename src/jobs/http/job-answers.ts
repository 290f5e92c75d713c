// Answers of the jobs' face: JSON, never kept, for whoever knows the job alone.

import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import type { Answer } from '../../http/request/exchange.ts';
import { failureHeaders } from '../../http/response/caching.ts';

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
};

export function jsonAnswer(status: number, value: object, more: Answer['headers'] = {}): Answer {
  return { status, headers: { ...HEADERS, ...more }, body: `${JSON.stringify(value)}\n` };
}

export function errorAnswer(error: GatewayError, more: Answer['headers'] = {}): Answer {
  const { code, httpStatus, message, details, retryable } = error;
  const errors = [{ message, extensions: { code, retryable, ...details } }];
  return jsonAnswer(httpStatus, { errors }, { ...failureHeaders(httpStatus, details), ...more });
}

export const NO_SUCH_JOB = new GatewayError('BAD_USER_INPUT', {
  message:
    'There is no such job here. Is the address whole? Jobs are taken away some days after their end, and those of an API key are shown to that key alone.',
  httpStatus: 404,
});

/** The queue cannot be reached, or not be used. */
export const NO_JOBS_NOW = new GatewayError('GATEWAY_BUSY', {
  message: 'Jobs cannot be taken or shown at the moment. Try again later; what was put in is kept.',
  details: { retryAfterSeconds: 10 },
});

export const WRONG_METHOD = new GatewayError('BAD_USER_INPUT', {
  message: 'This method is not possible here.',
  httpStatus: 405,
});

export const INTERNAL = new GatewayError('INTERNAL_SERVER_ERROR', {
  message: ERROR_KINDS.INTERNAL_SERVER_ERROR.message,
});
