import type { Answer } from '../exchange.ts';

export const JSON_TYPE = 'application/json;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';

/** Nothing in an answer may run or load anything: a record's markup is other people's. */
const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export type Headers = Readonly<Record<string, string>>;

/** @param headers may take the place of those that every answer of this face has */
export function restAnswer(status: number, contentType: string, headers: Headers, body: string): Answer {
  return {
    status,
    headers: { 'Content-Security-Policy': POLICY, 'Content-Type': contentType, ...headers },
    body,
  };
}
