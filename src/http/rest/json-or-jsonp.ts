// Bodies of the REST API in JSON, or in JSONP for pages that call the API with a script element.

import type { HttpResponse } from '../request/exchange.ts';
import { type Query, restResponse } from './rest-exchange.ts';

const JSON_TYPE = 'application/json;charset=utf-8';
const SCRIPT_TYPE = 'application/javascript;charset=utf-8';

/** Escapes U+2028 and U+2029 for JSONP: they are legal in JSON, but end a line in older JavaScript. */
export function stringify(body: unknown, pretty = false): string {
  const json = JSON.stringify(body, null, pretty ? 2 : 0);
  if (!/[\u2028\u2029]/.test(json)) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
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

/** Like `apiJson`, but `json` is text. */
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
