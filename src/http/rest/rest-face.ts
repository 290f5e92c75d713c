// The REST face: paths of the DOI proxy, and what is the same for all of them.

import type { Clock, Directory } from '../../directory/directory.ts';
import { escapeMarkup } from '../../doi/encoding-forms.ts';
import { withoutScheme } from '../../doi/recognise.ts';
import { ERROR_KINDS, GatewayError } from '../../errors.ts';
import { AUTHENTICATION_NEEDED, FAILURE } from '../../handle/response-codes.ts';
import { createAnswerExpiry } from '../../loaders/answer-expiry.ts';
import { createLoaders } from '../../loaders/request-loaders.ts';
import type { Log } from '../../log.ts';
import type { Soon } from '../../time.ts';
import { type Answer, attempt, type Handler, type HttpRequest } from '../request/exchange.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { answerApiHandles } from './api-handles.ts';
import { answerWhichRa } from './doi-ra.ts';
import { apiJson } from './json-or-jsonp.ts';
import { page, plain } from './page.ts';
import { parseQuery, type RestRequest } from './query.ts';
import { answerRedirection, type RedirectionOptions } from './redirection.ts';
import type { RestHeaders } from './rest-answer.ts';
import { shortDoiOfPath } from './short-doi-path.ts';
import { varyOfFailure } from './vary.ts';

export interface RestFaceOptions extends Omit<RedirectionOptions, 'hasMetadata'> {
  readonly directory: Directory;
  readonly log: Log;
  readonly clock: Clock;
  /** look-ups that one request may make */
  readonly maxLookups: number;
}

const METHODS = 'GET, HEAD, OPTIONS';

const API = /^\/api\/(?:handles(?:\/|%2F(?=\.\.?$)|$))?/i;
const WHICH_RA = /^\/(?:doiRA|ra)(?:\/|%2F(?=\.\.?$))/i;
/** The memory of one look-up of an agency, with everything that waits for it. */
const WHICH_RA_BYTES = 12_000;

/** Returns a handler that answers every path. */
export function createRestFace(given: RestFaceOptions): Handler {
  const { directory, log, clock, maxLookups } = given;
  const options = { ...given, hasMetadata: directory.describe !== undefined };

  return (asked) => {
    const { method } = asked;
    if (method !== 'GET' && method !== 'HEAD') {
      return plain(405, `${method} is not possible here: ${METHODS} are.`, { Allow: METHODS });
    }
    return attempt(
      () => {
        const waiting = admit(asked);
        return waiting === undefined ? route(asked) : waiting.then(() => route(asked));
      },
      (error) => failed(error, asked),
    );
  };

  function admit(asked: HttpRequest): Promise<void> | undefined {
    const { work, path } = asked;
    const names = WHICH_RA.test(path) ? path.split(',').length : 1;
    if (names === 1) return work.admitRequest(asked);
    return work.admitOperation({ heapBytes: names * WHICH_RA_BYTES, responseBytes: path.length }, asked);
  }

  function route(asked: HttpRequest): Soon<Answer> {
    const { path } = asked;
    const expiry = createAnswerExpiry();
    const { requester } = asked;
    const request: RestRequest = {
      asked,
      query: parseQuery(asked.query),
      loaders: createLoaders({
        directory,
        requester,
        signal: () => asked.signal,
        maxLookups,
        expiry,
        work: asked.work,
      }),
      expiry,
      now: clock(),
      reportUnexpected: (error) => report(error, asked),
    };
    const { refusal } = requester;
    const api = API.exec(path)?.[0];
    if (api !== undefined && refusal) return refusedApi(refusal, request);
    if (refusal) throw refusal;
    if (api?.toLowerCase() === '/api/') return noSuchApi(request);
    if (api !== undefined) {
      return answerApiHandles(path.slice(api.length), request);
    }
    const whichRa = WHICH_RA.exec(path)?.[0];
    if (whichRa !== undefined) return answerWhichRa(path.slice(whichRa.length), request);
    const name = path.slice(1);
    return answerRedirection(shortDoiOfPath(name) ?? withoutScheme(name), request, options);
  }

  /** Does not report errors of a client that left, because its look-ups were aborted. */
  function report(error: unknown, { signal }: HttpRequest): void {
    if (!signal.aborted) log.error({ err: error }, 'unexpected error');
  }

  function failed(error: unknown, asked: HttpRequest): Answer {
    if (error instanceof GatewayError) {
      const { httpStatus, message, details } = error;
      if (API.test(asked.path)) return failedApi(error, asked);
      return noAnswer(httpStatus, escapeMarkup(message), {
        ...failureHeaders(httpStatus, details),
        Vary: varyOfFailure(options),
      });
    }
    report(error, asked);
    return noAnswer(500, ERROR_KINDS.INTERNAL_SERVER_ERROR.message, failureHeaders(500));
  }
}

function noAnswer(status: number, words: string, headers: RestHeaders): Answer {
  return page(status, 'No answer', `<p>${words}</p>`, headers);
}

function refusedApi({ httpStatus, message }: GatewayError, { query }: RestRequest): Answer {
  const body = { responseCode: AUTHENTICATION_NEEDED, message };
  return apiJson(httpStatus, body, query, failureHeaders(httpStatus));
}

function failedApi({ httpStatus, message, details }: GatewayError, { query }: HttpRequest): Answer {
  const body = { responseCode: FAILURE, message };
  return apiJson(httpStatus, body, parseQuery(query), failureHeaders(httpStatus, details));
}

function noSuchApi({ query }: RestRequest): Answer {
  const body = { responseCode: 4, message: 'There is no such API here: /api/handles/ is.' };
  return apiJson(404, body, query, failureHeaders(404));
}
