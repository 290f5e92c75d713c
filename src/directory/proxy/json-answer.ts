// An answer of the directory that has to be JSON.

import { MalformedRecordError, parseJson } from '../../handle/json.ts';
import { type AnswerHead, type AnswerReader, single } from './http-answer.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';

export interface JsonResponse {
  readonly status: number;
  /** the header as it came */
  readonly retryAfter: string | undefined;
  readonly json: unknown;
}

/** @param read throws an UpstreamFailure for JSON that is no answer */
export function jsonReader<T>(read: (response: JsonResponse) => T): AnswerReader<T> {
  return {
    accept: 'application/json',
    wantsBody,
    parse(head, body) {
      const response = parse(head, body);
      return () => read(response);
    },
  };
}

/** HTML error pages come with any status, so the content type decides whether a body is looked at. */
function wantsBody({ status, headers }: AnswerHead): boolean {
  if (isJson(single(headers['content-type']))) return true;
  throw failureOfStatus(status, single(headers['retry-after']));
}

export function isJson(contentType = ''): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function parse({ status, headers }: AnswerHead, body: Buffer): JsonResponse {
  const retryAfter = single(headers['retry-after']);
  try {
    return { status, retryAfter, json: parseJson(decodeText(body, UTF_8)) };
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw isSuccess(status) ? badResponse(error) : failureOfStatus(status, retryAfter);
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export function decodeText(bytes: Buffer, decoder = UTF_8): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badResponse(`the body is not ${decoder.encoding.toUpperCase()}`);
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
