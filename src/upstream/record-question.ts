// What is asked about one name, and what answers are believed.

import type { ResolveOptions } from '../directory/directory.ts';
import { handlesTarget } from '../doi/encoding-forms.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError, parseJson } from '../handle/json.ts';
import { decodeAnswer, echoes, type WireAnswer } from '../handle/record.ts';
import { fitsHttpStatus, isOutOfOrder } from '../handle/response-codes.ts';
import { type AnswerHead, type AnswerReader, single } from './http-answer.ts';
import type { Question } from './proxy-base.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';

// An answer of the directory that has to be JSON.

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

// Names that a probe asks for: they exist, and no one client has chosen all of them.

interface KnownNames {
  /** Takes in a name that the directory has just found. */
  found(name: HandleName): void;
  /** Two at the most, others from time to time. */
  pick(): readonly HandleName[];
}

/** One of each prefix, for the names of a prefix are kept by one server, which may hang by itself. */
const MAX_PREFIXES = 16;

/** @param always the name that is asked for every time, whatever clients ask for */
export function createKnownNames(always: HandleName): KnownNames {
  const byPrefix = new Map<string, HandleName>();
  let picks = 0;
  return {
    found(name) {
      const prefix = name.slice(0, name.indexOf('/') + 1).toLowerCase();
      byPrefix.delete(prefix);
      byPrefix.set(prefix, name);
      const [oldest] = byPrefix.keys();
      if (byPrefix.size > MAX_PREFIXES && oldest !== undefined) byPrefix.delete(oldest);
    },
    pick() {
      const lately = [...byPrefix.values()].filter((name) => name !== always);
      picks += 1;
      const one = lately[picks % Math.max(1, lately.length)];
      return one === undefined ? [always] : [always, one];
    },
  };
}

export type RecordQuestion = Question<WireAnswer>;

export function recordQuestion(name: HandleName, flags: Omit<ResolveOptions, 'signal'>): RecordQuestion {
  return questionOf('handles', `${handlesTarget(name)}${queryOf(flags)}`, name);
}

/** Asks whether the directory answers, for few of a record's values: of a type that servers alone have. */
export function probeQuestion(name: HandleName): RecordQuestion {
  return questionOf('probe', `${handlesTarget(name)}?type=HS_SERV`, name);
}

function questionOf(face: RecordQuestion['face'], path: string, name: HandleName): RecordQuestion {
  return {
    face,
    path,
    reader: jsonReader((response) => readOrFail(response, name)),
    isPoor: ({ responseCode }) => isOutOfOrder(responseCode),
  };
}

/** JSON that is not what was asked for says no more than its HTTP status does. */
function readOrFail(response: JsonResponse, asked: HandleName): WireAnswer {
  try {
    return readAnswer(response, asked);
  } catch (error) {
    if (!(error instanceof MalformedRecordError)) throw error;
    throw response.status === 200
      ? badResponse(error)
      : failureOfStatus(response.status, response.retryAfter);
  }
}

function readAnswer({ status, json }: JsonResponse, asked: HandleName): WireAnswer {
  const answer = decodeAnswer(json);
  if (!fitsHttpStatus(answer.responseCode, status)) {
    throw badResponse(`response code ${answer.responseCode} came with HTTP status ${status}`);
  }
  if (!echoes(answer, asked)) throw badResponse('the answer is about another name');
  return answer;
}

function queryOf({ auth, cert }: ResolveOptions): string {
  const on = [...(auth ? ['auth=true'] : []), ...(cert ? ['cert=true'] : [])];
  return on.length === 0 ? '' : `?${on.join('&')}`;
}
