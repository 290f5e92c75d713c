// The response to a method that a path does not allow.

import type { Answer } from '../request/exchange.ts';

/** @param more headers of the path */
export function methodNotAllowed(allow = 'GET, HEAD', more: Answer['headers'] = {}): Answer {
  const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 405, headers: { ...text, ...more, Allow: allow }, body: 'GET or HEAD.\n' };
}
