// A response of the REST face: its headers and its JSON.

import type { Answer } from '../request/exchange.ts';

/** Escapes U+2028 and U+2029. They are legal in JSON, but end a line in older JavaScript. */
export function stringify(body: unknown, pretty = false): string {
  const json = JSON.stringify(body, null, pretty ? 2 : 0);
  if (!/[\u2028\u2029]/.test(json)) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export const JSON_TYPE = 'application/json;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';

/** A response must not run or load anything, because a record may contain any markup. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Optional headers of a response. */
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

/** @param policy what the response may run or load */
export function restAnswer(
  status: number,
  contentType: string,
  headers: RestHeaders,
  body: string,
  policy = POLICY,
): Answer {
  // One literal with all members, because V8 makes it faster than a spread.
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
