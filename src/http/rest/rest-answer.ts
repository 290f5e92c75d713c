// A response of the REST face: its headers, and the JSON that it holds.

import type { Answer } from '../request/exchange.ts';

/** U+2028 and U+2029 are legal in JSON but were line ends to older JavaScript. */
export function stringify(body: unknown, pretty = false): string {
  const json = JSON.stringify(body, null, pretty ? 2 : 0);
  if (!/[\u2028\u2029]/.test(json)) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export const JSON_TYPE = 'application/json;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';

/** Nothing in an answer may run or load anything: a record's markup is other people's. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What an answer of this face may say beside what it is. */
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

/** @param policy what the answer may run or load */
export function restAnswer(
  status: number,
  contentType: string,
  headers: RestHeaders,
  body: string,
  policy = POLICY,
): Answer {
  // One shape for all, which V8 makes at once: to spread an object and add to it, it goes member by member.
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
