// The response headers that depend on the client.

import type { Answer } from '../exchange.ts';
import type { HttpRequester } from './http-requester.ts';

type Headers = Answer['headers'];

/** The id of the request and the state of the client's budget, as alternating names and values. */
export function requestHeaders(
  requester: HttpRequester,
  status: number,
  isForClient: boolean,
): readonly string[] {
  const named = ['X-Request-Id', requester.requestId];
  // A redirect has no budget headers, because a client should follow it even if its budget is spent.
  if (!isForClient || !requester.clients.matter || (status >= 300 && status < 400)) return named;
  const { budget } = requester.client;
  return budget === null ? named : [...named, ...budget.headers];
}

/**
 * The headers if the gateway has API keys. Vary says that the response depends on the key. Only private caches may keep
 * the response to a client with a key.
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
