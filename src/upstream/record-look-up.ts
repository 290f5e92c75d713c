// Makes the requests for the record of one name, and checks the responses.

import type { HandleName } from 'doi-names';
import { handlesTarget } from 'doi-names/parts';
import type { ResolveOptions } from '../directory/directory.ts';
import { MalformedRecordError, parseHandleJson } from '../handle/json.ts';
import { decodeAnswer, echoes, type WireAnswer } from '../handle/record.ts';
import { fitsHttpStatus, isDirectoryFault } from '../handle/response-codes.ts';
import type { UpstreamRequest } from './dispatch.ts';
import { failureOfHead, firstValue, type ResponseHead, type ResponseReader } from './response-body.ts';
import { badResponse } from './upstream-failure.ts';

/** @param read throws a MalformedRecordError if the JSON has another shape */
export function jsonReader<T>(read: (json: unknown, head: ResponseHead) => T): ResponseReader<T> {
  return {
    accept: 'application/json',
    // An HTML error page can have any status. So the content type decides whether the gateway reads the body.
    wantsBody(head) {
      if (isJson(head)) return true;
      throw failureOfHead(head);
    },
    parse(head, body) {
      const json = parseOrFail(head, decodeBody(body));
      return () => {
        try {
          return read(json, head);
        } catch (error) {
          throw failureOfBody(head, error);
        }
      };
    },
  };
}

export function isJson({ headers }: ResponseHead): boolean {
  const contentType = firstValue(headers['content-type']) ?? '';
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/** Parses JSON. Throws an UpstreamFailure if the text is malformed. */
export function parseOrFail(head: ResponseHead, text: string): unknown {
  // No closure may hold the text or the body: an error keeps the closures of its stack, and so their variables, in memory.
  try {
    return parseHandleJson(text);
  } catch (error) {
    throw failureOfBody(head, error);
  }
}

/** Turns a MalformedRecordError into a failure. Unless the status is a success, only the status determines the failure. */
export function failureOfBody(head: ResponseHead, error: unknown): unknown {
  if (!(error instanceof MalformedRecordError)) return error;
  return head.status >= 200 && head.status < 300 ? badResponse(error) : failureOfHead(head);
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

export function decodeBody(bytes: Buffer, decoder = UTF_8): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw badResponse(`the body is not ${decoder.encoding.toUpperCase()}`);
  }
}

/** The maximum number of names. Each has another prefix, because one server has all names of a prefix and can hang. */
const MAX_PREFIXES = 16;

/** Chooses the names that a probe looks up: `fixedName`, and names that clients have looked up with success. */
export function createProbeNames(fixedName: HandleName) {
  const byPrefix = new Map<string, HandleName>();
  let picks = 0;
  return {
    /** Must be called for each name that the directory has found. */
    found(name: HandleName): void {
      const prefix = name.slice(0, name.indexOf('/') + 1).toLowerCase();
      byPrefix.delete(prefix);
      byPrefix.set(prefix, name);
      const [oldest] = byPrefix.keys();
      if (byPrefix.size > MAX_PREFIXES && oldest !== undefined) byPrefix.delete(oldest);
    },
    /** Returns `fixedName` and, if possible, a name that the directory has found. Each call chooses another found name. */
    pick(): readonly HandleName[] {
      const others = [...byPrefix.values()].filter((name) => name !== fixedName);
      picks += 1;
      const other = others[picks % Math.max(1, others.length)];
      return other === undefined ? [fixedName] : [fixedName, other];
    },
  };
}

/** The record of a prefix is optional, because a redirect does not need the locations in this record. */
const PREFIX_RECORD = /^0\.NA\//i;

export function recordRequest(name: HandleName, flags: ResolveOptions): UpstreamRequest<WireAnswer> {
  const subject = handlesTarget(name);
  const request = requestOf('handles', `${subject}${queryOf(flags)}`, name);
  // With and without flags, the requests for one name have the same subject.
  return { ...request, subject, isOptional: PREFIX_RECORD.test(name) };
}

/** Requests only values of the type HS_SERV. Most records have no such value, so the response is short. */
export function probeRequest(name: HandleName): UpstreamRequest<WireAnswer> {
  return requestOf('probe', `${handlesTarget(name)}?type=HS_SERV`, name);
}

function requestOf(
  endpoint: 'handles' | 'probe',
  path: string,
  name: HandleName,
): UpstreamRequest<WireAnswer> {
  return {
    endpoint,
    path,
    reader: jsonReader((json, { status }) => readAnswer(json, status, name)),
    reportsFailure: ({ responseCode }) => isDirectoryFault(responseCode),
  };
}

function readAnswer(json: unknown, status: number, name: HandleName): WireAnswer {
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
