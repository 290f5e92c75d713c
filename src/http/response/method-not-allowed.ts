import type { HttpResponse } from '../request/exchange.ts';

/** @param more additional headers */
export function methodNotAllowed(allow = 'GET, HEAD', more: HttpResponse['headers'] = {}): HttpResponse {
  const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 405, headers: { ...text, ...more, Allow: allow }, body: 'GET or HEAD.\n' };
}
