// Writes a response of /api/handles like the DOI proxy: JSON, or JSONP if the query has `callback`.

import type { HttpResponse } from '../request/exchange.ts';
import type { Query } from './query.ts';
import { JSON_TYPE, type RestHeaders, restAnswer, stringify } from './rest-answer.ts';

/** With `pretty`, the JSON is indented by two spaces. */
export function apiJson(status: number, body: unknown, query: Query, headers: RestHeaders): HttpResponse {
  return apiText(status, stringify(body, query.isOn('pretty')), query, headers);
}

/** @param json already written, unlike the body of `apiJson` */
export function apiText(status: number, json: string, query: Query, headers: RestHeaders): HttpResponse {
  const callback = query.first('callback');
  return callback === null
    ? restAnswer(status, JSON_TYPE, headers, json)
    : restAnswer(status, SCRIPT_TYPE, headers, `${functionName(callback)}(${json});`);
}

const SCRIPT_TYPE = 'application/javascript;charset=utf-8';

/**
 * Replaces all other characters with `_`, so that the callback is always the name of a function, and never other code.
 */
function functionName(callback: string): string {
  return callback.replace(/[^A-Za-z0-9_]/g, '_');
}
