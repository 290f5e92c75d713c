// What an answer's headers say because of who asked.

import type { Answer } from '../exchange.ts';
import type { HttpRequester } from './http-requester.ts';

type Headers = Answer['headers'];

/** Names and values in turn: how the request is called, and how the client's budget stands. */
export function requestHeaders(
  requester: HttpRequester,
  status: number,
  isForClient: boolean,
): readonly string[] {
  const named = ['X-Request-Id', requester.requestId];
  // A redirected client should follow at once, and not wait because its budget is spent.
  if (!isForClient || !requester.clients.matter || (status >= 300 && status < 400)) return named;
  const { budget } = requester.client;
  return budget === null ? named : [...named, ...budget.headers];
}

/**
 * The headers where there are API keys: what is sent to one is kept by its owner's caches alone, and every answer says
 * that it may be another with a key.
 */
export function headersForKeys(headers: Headers, { hasKey }: HttpRequester['client']): Headers {
  const { 'Cache-Control': control, Vary: vary } = headers;
  return {
    ...headers,
    Vary: vary === undefined ? 'Authorization' : `${vary}, Authorization`,
    ...(hasKey && control?.startsWith('public,') && { 'Cache-Control': ownCopy(control) }),
  };
}

function ownCopy(control: string): string {
  return control.replace('public', 'private');
}
