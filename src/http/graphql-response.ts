// The response to a GraphQL request that was executed.

import { type Written, type WrittenErrors, wholeAnswer } from '../graphql/pieces.ts';
import type { AnswerLife } from '../loaders/answer-expiry.ts';
import { cacheControl } from './caching.ts';
import type { Answer } from './exchange.ts';
import type { GraphqlRequest } from './graphql-request.ts';

export function writtenResponse(
  asked: GraphqlRequest,
  data: Written,
  errors: WrittenErrors,
  life: AnswerLife,
  now: number,
): Answer {
  const body = wholeAnswer(data, errors);
  if (errors.length === 0) return wholeResponse(asked, body, life, now);
  asked.ended(data === 'null' ? 'failed' : 'partial');
  return response(asked, 'no-store', body);
}

/** A response without errors. */
export function wholeResponse(
  asked: GraphqlRequest,
  body: Answer['body'],
  life: AnswerLife,
  now: number,
): Answer {
  asked.ended('ok');
  return response(asked, cacheControl(life, now), body);
}

function response({ contentType }: GraphqlRequest, control: string, body: Answer['body']): Answer {
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Cache-Control': control, Vary: 'Accept' },
    body,
  };
}
