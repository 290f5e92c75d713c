// Responses of the API, as the DOI proxy writes them: JSON, or JSONP if the request names a callback.

import type { Answer } from '../request/exchange.ts';
import type { Query } from './query.ts';
import { JSON_TYPE, type RestHeaders, restAnswer, stringify } from './rest-answer.ts';

/** Compact JSON, or indented by two spaces for `pretty`. With a `callback`, wrapped in a call. */
export function apiJson(status: number, body: unknown, query: Query, headers: RestHeaders): Answer {
  return apiText(status, stringify(body, query.isOn('pretty')), query, headers);
}

/** Like `apiJson`, for JSON that is already text. */
export function apiText(status: number, json: string, query: Query, headers: RestHeaders): Answer {
  const callback = query.first('callback');
  return callback === null
    ? restAnswer(status, JSON_TYPE, headers, json)
    : restAnswer(status, SCRIPT_TYPE, headers, `${functionName(callback)}(${json});`);
}

const SCRIPT_TYPE = 'application/javascript;charset=utf-8';

/** Replaces all characters except letters, digits and `_` with `_`, so that the callback can only be a name. */
function functionName(callback: string): string {
  return callback.replace(/[^A-Za-z0-9_]/g, '_');
}
