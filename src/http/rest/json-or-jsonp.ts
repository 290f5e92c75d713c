// Responses of the API: JSON, or JSONP where the request names a callback.

import type { Answer } from '../request/exchange.ts';
import type { Query } from './query.ts';
import { JSON_TYPE, type RestHeaders, restAnswer, stringify } from './rest-answer.ts';

// JSON as the DOI proxy writes it, and wraps it where a script asks for it.

/** Compact, or with two spaces where `pretty` is on; wrapped where there is a `callback`. */
export function apiJson(status: number, body: unknown, query: Query, headers: RestHeaders): Answer {
  return apiText(status, stringify(body, query.isOn('pretty')), query, headers);
}

/** The same of JSON that is text already. */
export function apiText(status: number, json: string, query: Query, headers: RestHeaders): Answer {
  const callback = query.first('callback');
  return callback === null
    ? restAnswer(status, JSON_TYPE, headers, json)
    : restAnswer(status, SCRIPT_TYPE, headers, `${functionName(callback)}(${json});`);
}

const SCRIPT_TYPE = 'application/javascript;charset=utf-8';

/** What is no letter, digit or `_` becomes `_`, so that nothing but a name can stand before the bracket. */
function functionName(callback: string): string {
  return callback.replace(/[^A-Za-z0-9_]/g, '_');
}
