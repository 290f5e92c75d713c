// A request and a response of the REST face, apart from node:http: the path is raw, nothing is collapsed.

import type { Loaders } from '../../loaders/loaders.ts';
import type { Query } from './query.ts';

export interface RestRequest {
  /** as it came, with its leading slash and without the query */
  readonly path: string;
  readonly query: Query;
  /** a request header, by its name in lower case */
  header(name: string): string | null;
  readonly loaders: Loaders;
  /** milliseconds since the epoch */
  readonly now: number;
}

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const JSON_TYPE = 'application/json;charset=utf-8';
export const HTML_TYPE = 'text/html;charset=utf-8';
