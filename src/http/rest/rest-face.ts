// The handler of the REST API. It serves the paths of the DOI proxy: /api/handles/{name}, /doiRA/{names} and /{name}.

import { escapeMarkup } from 'doi-names/parts';
import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import { AUTHENTICATION_NEEDED, FAILURE, PROTOCOL_ERROR } from '../../handle/response-codes.ts';
import { AnswerExpiry } from '../../loaders/answer-expiry.ts';
import { TrackingLoaders } from '../../loaders/loaders.ts';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { Soon } from '../../time.ts';
import { attempt, type Handler, type HttpRequest, type HttpResponse } from '../request/exchange.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { answerApiHandles } from './api-handles.ts';
import { answerWhichRa } from './doi-ra.ts';
import { apiJson } from './json-or-jsonp.ts';
import { page, plain } from './page.ts';
import { answerRedirection, varyOfFailure } from './redirection.ts';
import { parseQuery, type RestFaceOptions, type RestRequest } from './rest-exchange.ts';

const METHODS = 'GET, HEAD, OPTIONS';

const API = /^\/api\/(?:handles(?:\/|%2F(?=\.\.?$)|$))?/i;
const WHICH_RA = /^\/(?:doiRA|ra)(?:\/|%2F(?=\.\.?$))/i;
/** The look-ups of more names take long, so these look-ups begin in a later turn of the event loop. */
const MANY_NAMES = 100;

export function createRestFace(options: RestFaceOptions): Handler {
  const { directory, log, clock, turns, maxLookups } = options;

  return (httpRequest) => {
    const { method } = httpRequest;
    if (method !== 'GET' && method !== 'HEAD') {
      return plain(405, `This path does not allow ${method}. It allows ${METHODS}.`, { Allow: METHODS });
    }
    return attempt(
      () => {
        const names = WHICH_RA.test(httpRequest.path) ? httpRequest.path.split(',').length : 1;
        const admission = admit(httpRequest, names);
        if (names > MANY_NAMES) return routeInTurn(httpRequest, admission);
        return admission === undefined ? route(httpRequest) : admission.then(() => route(httpRequest));
      },
      (error) => failure(error, httpRequest),
    );
  };

  function admit(httpRequest: HttpRequest, names: number): Promise<void> | undefined {
    const { reservation, path } = httpRequest;
    if (names === 1) return reservation.admitRequest(httpRequest);
    const need = { heapBytes: names * RESERVED_BYTES.whichRaName, responseBytes: path.length };
    return reservation.admitOperation(need, httpRequest);
  }

  async function routeInTurn(
    httpRequest: HttpRequest,
    admission: Promise<void> | undefined,
  ): Promise<HttpResponse> {
    await admission;
    await turns.next(httpRequest.requester.client.key);
    return route(httpRequest);
  }

  function route(httpRequest: HttpRequest): Soon<HttpResponse> {
    const { path, requester } = httpRequest;
    const expiry = new AnswerExpiry();
    const request: RestRequest = {
      http: httpRequest,
      options,
      query: parseQuery(httpRequest.query),
      loaders: new TrackingLoaders({
        directory,
        requester,
        signal: () => httpRequest.signal,
        maxLookups,
        expiry,
        reservation: httpRequest.reservation,
      }),
      expiry,
      now: clock(),
      reportUnexpected: (error) => report(error, httpRequest),
    };
    if (requester.refusal) throw requester.refusal;
    const api = API.exec(path)?.[0];
    if (api?.toLowerCase() === '/api/') {
      const message = 'The gateway has no such API. It has /api/handles/.';
      return apiJson(404, { responseCode: PROTOCOL_ERROR, message }, request.query, failureHeaders(404));
    }
    if (api !== undefined) return answerApiHandles(path.slice(api.length), request);
    const whichRa = WHICH_RA.exec(path)?.[0];
    if (whichRa !== undefined) return answerWhichRa(path.slice(whichRa.length), request);
    return answerRedirection(path.slice(1), { ...request, query: parseQuery(httpRequest.query, /[&;]/) });
  }

  /** If the client has aborted, does not log the error, because the error is probably a result of the abort. */
  function report(error: unknown, { signal }: HttpRequest): void {
    if (!signal.aborted) log.error({ err: error }, 'unexpected error');
  }

  function failure(error: unknown, httpRequest: HttpRequest): HttpResponse {
    if (!(error instanceof GatewayError)) {
      report(error, httpRequest);
      return noAnswer(500, ERROR_KINDS.INTERNAL_SERVER_ERROR.message, failureHeaders(500));
    }
    const { code, httpStatus, message, details } = error;
    const headers = failureHeaders(httpStatus, details);
    if (API.test(httpRequest.path)) {
      const responseCode = code === 'UNAUTHENTICATED' ? AUTHENTICATION_NEEDED : FAILURE;
      return apiJson(httpStatus, { responseCode, message }, parseQuery(httpRequest.query), headers);
    }
    return noAnswer(httpStatus, escapeMarkup(message), { ...headers, Vary: varyOfFailure(options) });
  }
}

function noAnswer(status: number, words: string, headers: HttpResponse['headers']): HttpResponse {
  return page(status, 'No answer', `<p>${words}</p>`, headers);
}
