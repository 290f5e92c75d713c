// Finds the handler of a path, and does what is the same for every request.

import type { RequestListener } from 'node:http';
import { GatewayError } from '../../errors.ts';
import type { Metrics } from '../../metrics.ts';
import type { Soon } from '../../time.ts';
import type { WorkAccount } from '../../work/account.ts';
import { gatewayBusy } from '../../work/admission-queue.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import {
  type AnswerRules,
  dropResponse,
  type FinishedAnswer,
  finishAnswer,
  flat,
  OPEN_HEADERS,
  sendAnswer,
} from '../response/send-response.ts';
import type { Clients } from './clients/clients.ts';
import { requestIdOf } from './counted-request.ts';
import { type Answer, attempt, type Handler, type HttpRequest } from './exchange.ts';
import { fromFetchRequest, toFetchResponse } from './fetch-request.ts';
import { NodeRequest } from './node-request.ts';
import { createMeasureRequest, type Face, type RequestObserver } from './observe-requests.ts';

export interface Route extends AnswerRules {
  readonly path: RegExp;
  readonly face: Face;
  readonly handler: Handler;
  /** The path for logs and traces. Its variable parts are in braces: `/api/handles/{name}`. */
  readonly pattern: string;
  /** the methods that a preflight request allows */
  readonly methods: string;
}

export type Routes = readonly [...Route[], Route];

export interface RouterOptions {
  /** The router takes the first route that matches. The last route matches every path. */
  readonly routes: Routes;
  /** The routes of requests from the network. Default: `routes`. */
  readonly heard?: Routes;
  readonly clients: Clients;
  readonly account: WorkAccount;
  readonly observe: RequestObserver | null;
  readonly metrics: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>;
  /** Logs an error that a handler should have handled. */
  readonly reportUnexpected: (error: unknown) => void;
}

export interface Router {
  readonly listener: RequestListener;
  /**
   * Answers a request of this process.
   * @param as identifies the client. Default: as for requests from the network.
   */
  readonly fetch: (request: Request, as?: Clients) => Promise<Response>;
}

export function createRouter(options: RouterOptions): Router {
  const { routes, heard = routes, clients, account, observe, metrics, reportUnexpected } = options;
  const measure = createMeasureRequest(metrics);

  function answer(request: HttpRequest, route: Route): Soon<FinishedAnswer> {
    try {
      const answered = request.method === 'OPTIONS' ? preflight(route) : route.handler(request);
      return answered instanceof Promise ? answered.then(finish, failed) : finish(answered);
    } catch (error) {
      return failed(error);
    }

    function finish(settled: Answer): Soon<FinishedAnswer> {
      return attempt(() => {
        const finished = finishAnswer(request, settled, route);
        return finished instanceof Promise ? finished.then(reserved) : reserved(finished);
      }, failed);
    }

    /** Reserves the bytes of the response until the client has read it. Without enough memory, refuses the request. */
    function reserved(finished: FinishedAnswer): FinishedAnswer {
      if (finished.bytes === null || request.work.settle(finished.bytes)) return finished;
      return refused(gatewayBusy(), request);
    }

    /** If the client left, the error is no fault of the gateway, so it is not reported. */
    function failed(error: unknown): FinishedAnswer {
      if (error instanceof GatewayError) return refused(error, request);
      if (!request.signal.aborted) reportUnexpected(error);
      return plainAnswer(500, 'Something went wrong in the gateway.', request.requester.requestId);
    }
  }

  return {
    listener(request, response) {
      if (!hasUsableHost(request.headers.host)) {
        const id = requestIdOf(request.headers['x-request-id']?.toString());
        void sendAnswer(response, plainAnswer(400, 'The Host header is not a host.', id));
        return;
      }
      const work = account.open();
      const httpRequest = new NodeRequest(request, response, clients, work);
      const route = routeOf(httpRequest.path, heard);
      const endMeasure = measure(route.face);
      // When a client leaves, the work may still run for a short time. Its memory is free only after that.
      let isWorking = true;
      const endWork = (): void => {
        isWorking = false;
        if (response.closed) work.close();
      };
      response.on('close', () => {
        endMeasure(response);
        if (!isWorking) work.close();
      });
      if (observe) {
        const { requester, method, path } = httpRequest;
        observe({
          requester,
          method,
          path: route.isSecret ? route.pattern : path,
          route: route.pattern,
          request,
          response,
        });
      }
      const answered = answer(httpRequest, route);
      if (answered instanceof Promise) void answered.then(send);
      else send(answered);

      function send(finished: FinishedAnswer): void {
        const sending = response.destroyed ? dropResponse(finished) : sendAnswer(response, finished);
        if (sending === undefined) endWork();
        else void sending.finally(endWork);
      }
    },

    async fetch(request, as = clients) {
      const work = account.open();
      const httpRequest = fromFetchRequest(request, as, work);
      const answered = await answer(httpRequest, routeOf(httpRequest.path, routes));
      const body = request.method === 'HEAD' ? null : answered.body;
      return toFetchResponse({ ...answered, body }, () => work.close());
    },
  };
}

function routeOf(path: string, routes: Routes): Route {
  for (const route of routes) if (route.path.test(path)) return route;
  return routes[routes.length - 1] as Route;
}

function preflight({ methods, isSecret }: Route): Answer {
  if (isSecret) return { status: 204, headers: { Allow: methods }, body: null };
  const headers = {
    'Access-Control-Allow-Methods': methods,
    // For a browser, `*` means every header except Authorization.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '86400',
  };
  return { status: 204, headers, body: null };
}

const PLAIN = { 'Content-Type': 'text/plain;charset=utf-8', 'Cache-Control': 'no-store' };

function refused({ httpStatus, message, details }: GatewayError, { requester }: HttpRequest): FinishedAnswer {
  return plainAnswer(httpStatus, message, requester.requestId, failureHeaders(httpStatus, details));
}

/** Returns a handler that begins when the account of work in hand has enough bytes for the request. */
export function admitted(handler: Handler): Handler {
  return (request) => {
    const waiting = request.work.admitRequest(request);
    return waiting ? waiting.then(() => handler(request)) : handler(request);
  };
}

function plainAnswer(
  status: number,
  words: string,
  id: string,
  more: Readonly<Record<string, string>> = {},
): FinishedAnswer {
  const headers = flat({ ...PLAIN, ...more }, [...OPEN_HEADERS, 'X-Request-Id', id]);
  return { status, headers, body: `${words}\n`, bytes: 0 };
}

/** The gateway writes the host into links and messages, so it must be valid. */
function hasUsableHost(host: string | undefined): boolean {
  return host === undefined || PLAIN_HOST.test(host) || URL.canParse(`http://${host}`);
}

const PLAIN_HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;
