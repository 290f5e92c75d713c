// Builds a response of the REST API: its headers, and its JSON.

import type { HttpResponse } from '../request/exchange.ts';

/** Escapes U+2028 and U+2029 for JSONP: they are legal in JSON, but end a line in older JavaScript. */
export function stringify(body: unknown, pretty = false): string {
  const json = JSON.stringify(body, null, pretty ? 2 : 0);
  if (!/[\u2028\u2029]/.test(json)) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export const JSON_TYPE = 'application/json;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';

/** A response must not run or load anything, because a record can contain any markup. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface RestHeaders {
  readonly 'Cache-Control'?: string | undefined;
  readonly Expires?: string | undefined;
  readonly ETag?: string | undefined;
  readonly Vary?: string | undefined;
  readonly Location?: string | undefined;
  readonly Link?: string | undefined;
  readonly Allow?: string | undefined;
  readonly 'Retry-After'?: string | undefined;
  readonly 'WWW-Authenticate'?: string | undefined;
  readonly 'Referrer-Policy'?: string | undefined;
}

/** @param policy the Content-Security-Policy */
export function restAnswer(
  status: number,
  contentType: string,
  headers: RestHeaders,
  body: string,
  policy = POLICY,
): HttpResponse {
  // Lists all members, because a spread is slower.
  const all = {
    'Cache-Control': headers['Cache-Control'],
    Expires: headers.Expires,
    ETag: headers.ETag,
    Vary: headers.Vary,
    Location: headers.Location,
    Link: headers.Link,
    Allow: headers.Allow,
    'Retry-After': headers['Retry-After'],
    'WWW-Authenticate': headers['WWW-Authenticate'],
    'Referrer-Policy': headers['Referrer-Policy'],
    'Content-Type': contentType,
    'Content-Security-Policy': policy,
  };
  return { status, headers: all, body };
}
