// Builds a response of the REST API: its headers, and its JSON or JSONP.

import type { HttpResponse } from '../request/exchange.ts';
import type { Query } from './rest-request.ts';

/** Escapes U+2028 and U+2029 for JSONP: they are legal in JSON, but end a line in older JavaScript. */
export function stringify(body: unknown, pretty = false): string {
  const json = JSON.stringify(body, null, pretty ? 2 : 0);
  if (!/[\u2028\u2029]/.test(json)) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

const JSON_TYPE = 'application/json;charset=utf-8';
const SCRIPT_TYPE = 'application/javascript;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';

/** A response must not run or load anything, because a record can contain any markup. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** @param policy the Content-Security-Policy */
export function restResponse(
  status: number,
  contentType: string,
  headers: HttpResponse['headers'],
  body: string,
  policy = POLICY,
): HttpResponse {
  const all = { ...headers, 'Content-Type': contentType, 'Content-Security-Policy': policy };
  return { status, headers: all, body };
}

/** JSON, or JSONP if the query has `callback`. With `pretty`, the JSON is indented by two spaces. */
export function apiJson(
  status: number,
  body: object,
  query: Query,
  headers: HttpResponse['headers'],
): HttpResponse {
  return apiText(status, stringify(body, query.isOn('pretty')), query, headers);
}

/** @param json already written, unlike the body of `apiJson` */
export function apiText(
  status: number,
  json: string,
  query: Query,
  headers: HttpResponse['headers'],
): HttpResponse {
  const callback = query.first('callback');
  return callback === null
    ? restResponse(status, JSON_TYPE, headers, json)
    : restResponse(status, SCRIPT_TYPE, headers, `${functionName(callback)}(${json});`);
}

/** Replaces characters that a function name cannot have with `_`, so that the callback is never other code. */
function functionName(callback: string): string {
  return callback.replace(/[^A-Za-z0-9_]/g, '_');
}
