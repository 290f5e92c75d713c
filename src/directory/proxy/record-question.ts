// What is asked about one name, and what answers are believed.

import { handlesTarget } from '../../doi/encoding-forms.ts';
import type { HandleName } from '../../doi/name.ts';
import { MalformedRecordError } from '../../handle/json.ts';
import { decodeAnswer, echoes, type WireAnswer } from '../../handle/record.ts';
import { fitsHttpStatus, isOutOfOrder } from '../../handle/response-codes.ts';
import type { ResolveOptions } from '../directory.ts';
import { type JsonResponse, jsonReader } from './json-answer.ts';
import type { Question } from './proxy-base.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';

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
