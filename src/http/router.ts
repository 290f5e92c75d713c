// Whose a path is, and what is the same for every request.

import type { RequestListener } from 'node:http';
import type { Metrics } from '../metrics.ts';
import { type FinishedAnswer, finishAnswer, sendAnswer } from './answer.ts';
import type { Answer, Handler, HttpRequest } from './exchange.ts';
import { fromFetchRequest, toFetchResponse } from './fetch-request.ts';
import { type Face, measureAnswer } from './measure-requests.ts';
import { NodeRequest } from './node-request.ts';

export interface Route {
  readonly path: RegExp;
  readonly face: Face;
  readonly handler: Handler;
  /** for preflight requests */
  readonly methods: string;
}

export interface RouterOptions {
  /** the first that matches counts; the last matches everything */
  readonly routes: readonly [...Route[], Route];
  readonly compresses: boolean;
  readonly metrics: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>;
  /** told of what a handler should have answered itself */
  readonly reportUnexpected: (error: unknown) => void;
}

export interface Router {
  readonly listener: RequestListener;
  /** answers in-process */
  readonly fetch: (request: Request) => Promise<Response>;
}

export function createRouter({ routes, compresses, metrics, reportUnexpected }: RouterOptions): Router {
  const last = routes[routes.length - 1] as Route;
  const measure = measureAnswer(metrics);

  function routeOf(path: string): Route {
    for (const route of routes) if (route.path.test(path)) return route;
    return last;
  }

  function answer(request: HttpRequest, route: Route): FinishedAnswer | Promise<FinishedAnswer> {
    try {
      const answered = request.method === 'OPTIONS' ? preflight(route) : route.handler(request);
      return answered instanceof Promise
        ? answered
            .then((settled) => finishAnswer(request, settled, compresses))
            .catch((error) => failed(error, request))
        : finishAnswer(request, answered, compresses);
    } catch (error) {
      return failed(error, request);
    }
  }

  /** Whoever has gone away ended the work: that is no fault, and nobody reads the answer. */
  function failed(error: unknown, { signal }: HttpRequest): FinishedAnswer {
    if (!signal.aborted) reportUnexpected(error);
    return { status: 500, headers: PLAIN, body: 'Something went wrong in the gateway.\n' };
  }

  return {
    listener(request, response) {
      if (!hasUsableHost(request.headers.host)) {
        sendAnswer(response, BAD_HOST);
        return;
      }
      const asked = new NodeRequest(request, response);
      const route = routeOf(asked.path);
      measure(route.face, response);
      const answered = answer(asked, route);
      if (!(answered instanceof Promise)) sendAnswer(response, answered);
      else void answered.then((settled) => response.destroyed || sendAnswer(response, settled));
    },

    async fetch(request) {
      const asked = fromFetchRequest(request);
      const answered = await answer(asked, routeOf(asked.path));
      return toFetchResponse(request.method === 'HEAD' ? { ...answered, body: null } : answered);
    },
  };
}

function preflight({ methods }: Route): Answer {
  const headers = {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers, body: null };
}

const PLAIN = ['Content-Type', 'text/plain;charset=utf-8', 'Cache-Control', 'no-store'];
const BAD_HOST: FinishedAnswer = { status: 400, headers: PLAIN, body: 'The Host header is no host.\n' };

/** Links and messages may repeat it. */
function hasUsableHost(host: string | undefined): boolean {
  return host === undefined || PLAIN_HOST.test(host) || URL.canParse(`http://${host}`);
}

const PLAIN_HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;
