// The DOI proxy's own REST face: which path is whose, and what is the same for all of them.

import type { Clock, Directory } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/markup.ts';
import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import { createLoaders } from '../../loaders/loaders.ts';
import type { Log } from '../../log.ts';
import { answerApiHandles } from './api-handles.ts';
import { apiJson } from './api-json.ts';
import { answerWhichRa } from './doi-ra.ts';
import type { RestRequest, RestResponse } from './exchange.ts';
import { page, plain } from './page.ts';
import { parseQuery } from './query.ts';
import { answerRedirection, type RedirectionOptions } from './redirection.ts';

export interface RestFaceOptions extends RedirectionOptions {
  readonly directory: Directory;
  readonly log: Log;
  readonly clock: Clock;
  /** of one request */
  readonly maxLookups: number;
}

export interface RawRequest {
  readonly method: string;
  /** the request target exactly as it came: path and query */
  readonly target: string;
  header(name: string): string | null;
  /** aborted when whoever asked is gone */
  readonly signal: AbortSignal;
}

export type RestFace = (request: RawRequest) => Promise<RestResponse>;

/** Nothing in an answer may run or load anything: a record's markup is other people's. */
const COMMON_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const METHODS = 'GET, HEAD, OPTIONS';

/** Answers every path; never rejects. */
export function createRestFace(options: RestFaceOptions): RestFace {
  const { directory, log, clock } = options;
  return async (raw) => {
    const response = await answer(raw).catch(failed);
    return { ...response, headers: { ...COMMON_HEADERS, ...response.headers } };
  };

  async function answer({ method, target, header, signal }: RawRequest): Promise<RestResponse> {
    if (method === 'OPTIONS') return preflight();
    if (method !== 'GET' && method !== 'HEAD') {
      const { headers, ...rest } = plain(405, `${method} is not possible here: ${METHODS} are.`);
      return { ...rest, headers: { ...headers, Allow: METHODS } };
    }
    const [path = '', ...query] = target.split('?');
    const loaders = createLoaders({ directory, signal: () => signal, maxLookups: options.maxLookups });
    return route(path, { path, query: parseQuery(query.join('?')), header, loaders, now: clock() });
  }

  function route(path: string, request: RestRequest): RestResponse | Promise<RestResponse> {
    const api = /^\/api\/(?:handles(?:\/|$))?/i.exec(path)?.[0];
    if (api?.toLowerCase() === '/api/') return noSuchApi(request);
    if (api !== undefined) return answerApiHandles(path.slice(api.length), request, reportUnexpected);
    const whichRa = /^\/(?:doiRA|ra)\//i.exec(path)?.[0];
    if (whichRa !== undefined) return answerWhichRa(path.slice(whichRa.length), request);
    return answerRedirection(withoutScheme(path.slice(1)), request, options);
  }

  function reportUnexpected(error: unknown): void {
    log.error({ err: error }, 'unexpected error');
  }

  function failed(error: unknown): RestResponse {
    if (error instanceof GatewayError) {
      return page(ERROR_KINDS[error.code].httpStatus, 'No answer', `<p>${escapeMarkup(error.message)}</p>`);
    }
    reportUnexpected(error);
    return page(500, 'No answer', `<p>${ERROR_KINDS.INTERNAL_SERVER_ERROR.message}</p>`);
  }
}

/** The schemes the proxy takes before a name; in a URN the first `:` before any `/` divides. */
function withoutScheme(encoded: string): string {
  const scheme = /^(?:doi:|hdl:|info:doi\/|info:hdl\/|urn:doi:|urn:hdl:)/i.exec(encoded)?.[0] ?? '';
  const name = encoded.slice(scheme.length);
  return /^urn:/i.test(scheme) ? name.replace(/^([^:/]*):/, '$1/') : name;
}

function noSuchApi({ query }: RestRequest): RestResponse {
  return apiJson(404, { responseCode: 4, message: 'There is no such API here: /api/handles/ is.' }, query);
}

function preflight(): RestResponse {
  const headers = {
    'Access-Control-Allow-Methods': METHODS,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers, body: '' };
}
