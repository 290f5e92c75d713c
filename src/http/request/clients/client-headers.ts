// The response headers that depend on the client.

import type { HttpResponse } from '../exchange.ts';
import type { HttpRequester } from './http-requester.ts';

type Headers = HttpResponse['headers'];

/** X-Request-Id, and the headers of the client's budget, as alternating names and values. */
export function requestHeaders(
  requester: HttpRequester,
  status: number,
  isForClient: boolean,
): readonly string[] {
  const named = ['X-Request-Id', requester.requestId];
  // A redirect has no budget headers. Some clients would not follow it if the headers say that no look-ups remain.
  if (!isForClient || !requester.clients.matter || (status >= 300 && status < 400)) return named;
  const { budget } = requester.client;
  return budget === null ? named : [...named, ...budget.headers];
}

/**
 * Changes the cache headers if the gateway has API keys. `Vary` says that the response depends on the key. The response
 * to a client with a key is `private`, so that shared caches do not keep it.
 */
export function headersForKeys(headers: Headers, { hasKey }: HttpRequester['client']): Headers {
  const { 'Cache-Control': control, Vary: vary } = headers;
  return {
    ...headers,
    Vary: vary === undefined ? 'Authorization' : `${vary}, Authorization`,
    ...(hasKey &&
      control?.startsWith('public,') && { 'Cache-Control': control.replace('public', 'private') }),
  };
}
