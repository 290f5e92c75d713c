// Makes the requests for the record of one name, and checks the responses.

import type { ResolveOptions } from '../directory/directory.ts';
import { handlesTarget } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError, parseJson } from '../handle/json.ts';
import { decodeAnswer, echoes, type WireAnswer } from '../handle/record.ts';
import { fitsHttpStatus, isOutOfOrder } from '../handle/response-codes.ts';
import type { UpstreamRequest } from './proxy-base.ts';
import { firstValue, type ResponseHead, type ResponseReader } from './response-body.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';

export interface JsonResponse {
  readonly status: number;
  /** the Retry-After header, as the directory sent it */
  readonly retryAfter: string | undefined;
  readonly json: unknown;
}

/** @param read must throw an UpstreamFailure if the JSON has another shape */
export function jsonReader<T>(read: (response: JsonResponse) => T): ResponseReader<T> {
  return {
    accept: 'application/json',
    wantsBody,
    parse(head, body) {
      const response = parse(head, body);
      return () => read(response);
    },
  };
}

/** An HTML error page can have any status. So the content type decides whether the gateway reads the body. */
function wantsBody({ status, headers }: ResponseHead): boolean {
  if (isJson(firstValue(headers['content-type']))) return true;
  throw failureOfStatus(status, firstValue(headers['retry-after']));
}

export function isJson(contentType = ''): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

function parse({ status, headers }: ResponseHead, body: Buffer): JsonResponse {
  const retryAfter = firstValue(headers['retry-after']);
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

/** Keeps one name for each prefix, because one server has all names of a prefix and a single server can hang. */
const MAX_PREFIXES = 16;

/**
 * Chooses the names that a probe looks up: names that clients have looked up with success.
 * @param always the name that every probe looks up
 */
export function createProbeNames(always: HandleName) {
  const byPrefix = new Map<string, HandleName>();
  let picks = 0;
  return {
    /** The caller calls it for each name that the directory has found. */
    found(name: HandleName): void {
      const prefix = name.slice(0, name.indexOf('/') + 1).toLowerCase();
      byPrefix.delete(prefix);
      byPrefix.set(prefix, name);
      const [oldest] = byPrefix.keys();
      if (byPrefix.size > MAX_PREFIXES && oldest !== undefined) byPrefix.delete(oldest);
    },
    /** Returns the fixed name and, if there is one, a name that the directory has found. Each call chooses another name. */
    pick(): readonly HandleName[] {
      const others = [...byPrefix.values()].filter((name) => name !== always);
      picks += 1;
      const other = others[picks % Math.max(1, others.length)];
      return other === undefined ? [always] : [always, other];
    },
  };
}

export type RecordRequest = UpstreamRequest<WireAnswer>;

export function recordRequest(name: HandleName, flags: Omit<ResolveOptions, 'signal'>): RecordRequest {
  const request = requestOf('handles', `${handlesTarget(name)}${queryOf(flags)}`, name);
  return PREFIX_RECORD.test(name) ? { ...request, isOptional: true } : request;
}

/** The record of a prefix is optional: a redirect also works without the locations in this record. */
const PREFIX_RECORD = /^0\.NA\//i;

/** Requests only values of the type HS_SERV. Most records have no such value, so the response is short. */
export function probeRequest(name: HandleName): RecordRequest {
  return requestOf('probe', `${handlesTarget(name)}?type=HS_SERV`, name);
}

function requestOf(endpoint: RecordRequest['endpoint'], path: string, name: HandleName): RecordRequest {
  return {
    endpoint,
    path,
    reader: jsonReader((response) => readOrFail(response, name)),
    reportsFailure: ({ responseCode }) => isOutOfOrder(responseCode),
  };
}

/** If the JSON has another shape, the HTTP status alone determines the failure. */
function readOrFail(response: JsonResponse, name: HandleName): WireAnswer {
  try {
    return readAnswer(response, name);
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw response.status === 200
      ? badResponse(error)
      : failureOfStatus(response.status, response.retryAfter);
  }
}

function readAnswer({ status, json }: JsonResponse, name: HandleName): WireAnswer {
  const answer = decodeAnswer(json);
  if (!fitsHttpStatus(answer.responseCode, status)) {
    throw badResponse(`response code ${answer.responseCode} came with HTTP status ${status}`);
  }
  if (!echoes(answer, name)) throw badResponse('the answer is about another name');
  return answer;
}

function queryOf({ auth, cert }: ResolveOptions): string {
  const on = [...(auth ? ['auth=true'] : []), ...(cert ? ['cert=true'] : [])];
  return on.length === 0 ? '' : `?${on.join('&')}`;
}
