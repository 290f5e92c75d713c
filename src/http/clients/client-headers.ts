// What an answer's headers say because of who asked.

import type { Answer } from '../exchange.ts';
import type { RequestAsker } from './request-asker.ts';

type Headers = Answer['headers'];

/**
 * The headers with how the client's budget stands. What is sent to an API key is kept by its owner's caches alone,
 * and where there are keys, every answer says that it may be another with one.
 */
export function headersForClient(
  headers: Headers,
  status: number,
  { client, clients }: RequestAsker,
): Headers {
  // Whoever is redirected should follow at once, and not wait for a budget that is spent.
  const budget = status >= 300 && status < 400 ? undefined : client.budget?.headers;
  if (!clients.haveKeys) return { ...headers, ...budget };
  const { 'Cache-Control': control, Vary: vary } = headers;
  return {
    ...headers,
    ...budget,
    Vary: vary === undefined ? 'Authorization' : `${vary}, Authorization`,
    ...(client.hasKey && control?.startsWith('public,') && { 'Cache-Control': ownCopy(control) }),
  };
}

function ownCopy(control: string): string {
  return control.replace('public', 'private');
}
