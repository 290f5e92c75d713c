// Finds the route of each request, calls its handler, and sends the response. Also reserves memory and counts requests.

import type { RequestListener, ServerResponse } from 'node:http';
import { GatewayError, gatewayBusy } from '../../errors.ts';
import type { MemoryAccount } from '../../memory/account.ts';
import type { Metrics } from '../../metrics.ts';
import { mapSoon, type Soon } from '../../time.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { finishResponse, flatten, OPEN_HEADERS, type ResponseRules } from '../response/finish-response.ts';
import { dropResponse, type FinishedResponse, sendResponse } from '../response/send-response.ts';
import type { RequestObserver } from './access-log.ts';
import type { Clients } from './clients/identify-client.ts';
import { attempt, type Handler, type HttpRequest, type HttpResponse } from './exchange.ts';
import { fromFetchRequest, toFetchResponse } from './in-process-request.ts';
import { NodeRequest } from './node-request.ts';
import { requestIdOf } from './request-id.ts';

/** The label `face` of metrics: GraphQL, one of the three kinds of paths of the REST API, or `other`. */
type Face = 'graphql' | 'handles' | 'doiRA' | 'redirect' | 'other';

export interface Route extends ResponseRules {
  readonly path: RegExp;
  readonly face: Face;
  readonly handler: Handler;
  /** the name of the route in logs and traces, such as `/api/handles/{name}` */
  readonly pattern: string;
  /** Whether orchestrators and Prometheus request the route all the time. Default: false. */
  readonly isProbe?: boolean;
  /** the methods that a preflight request allows */
  readonly methods: string;
}

export type Routes = readonly [...Route[], Route];

export interface RouterOptions {
  /** The first route that matches serves the request. The last route must match every path. */
  readonly routes: Routes;
  /** the routes of `listener`, if they differ from the routes of `fetch` */
  readonly listenerRoutes?: Routes;
  readonly clients: Clients;
  readonly memoryAccount: Pick<MemoryAccount, 'open'>;
  readonly observe: RequestObserver | null;
  readonly metrics: Pick<Metrics, 'httpSeconds' | 'httpInFlight'>;
  /** logs a fault of the gateway: an error that no handler expected */
  readonly reportUnexpected: (error: unknown) => void;
}

export interface Router {
  /** for node:http */
  readonly listener: RequestListener;
  /**
   * Serves a request of this process.
   * @param as identifies the client of the request; default: the `clients` of the router
   */
  readonly fetch: (request: Request, as?: Clients) => Promise<Response>;
}

export function createRouter(options: RouterOptions): Router {
  const { routes, listenerRoutes = routes, clients, memoryAccount, observe, reportUnexpected } = options;
  const { httpSeconds, httpInFlight } = options.metrics;

  /** Begins to measure a request. Call the returned function when the response is closed. */
  function measure(face: Face): (response: ServerResponse) => void {
    const startMs = performance.now();
    const addInFlight = (added: number) => httpInFlight.set(face, (httpInFlight.get(face) ?? 0) + added);
    addInFlight(1);
    return (response) => {
      httpSeconds.observe((performance.now() - startMs) / 1000, face, statusClass(response));
      addInFlight(-1);
    };
  }

  function respond(request: HttpRequest, route: Route): Soon<FinishedResponse> {
    return attempt(() => {
      const handled = request.method === 'OPTIONS' ? preflight(route) : route.handler(request);
      return mapSoon(handled, (response) => mapSoon(finishResponse(request, response, route), reserveMemory));
    }, responseToError);

    /** Reserves memory until the client has read the response. If too little memory is free, refuses the request. */
    function reserveMemory(finished: FinishedResponse): FinishedResponse {
      if (finished.bytes === null || request.reservation.settle(finished.bytes)) return finished;
      return refusal(gatewayBusy(), request);
    }

    /** If the client has aborted, does not report the error, because the error is probably a result of the abort. */
    function responseToError(error: unknown): FinishedResponse {
      if (error instanceof GatewayError) return refusal(error, request);
      if (!request.signal.aborted) reportUnexpected(error);
      return plainResponse(500, 'Something went wrong in the gateway.', request.requester.requestId);
    }
  }

  return {
    listener(request, response) {
      if (!isUsableHost(request.headers.host)) {
        const id = requestIdOf(request.headers['x-request-id']?.toString());
        void sendResponse(response, plainResponse(400, 'The Host header is not a valid host.', id));
        return;
      }
      const reservation = memoryAccount.open();
      const httpRequest = new NodeRequest(request, response, clients, reservation);
      const route = routeOf(httpRequest.path, listenerRoutes);
      const endMeasure = measure(route.face);
      // Frees the reserved memory when the response is closed and its handling has ended, which can be later.
      let isHandling = true;
      const endHandling = (): void => {
        isHandling = false;
        if (response.closed) reservation.close();
      };
      response.on('close', () => {
        endMeasure(response);
        if (!isHandling) reservation.close();
      });
      observe?.(httpRequest, route, response);
      void mapSoon(respond(httpRequest, route), send);

      function send(finished: FinishedResponse): void {
        const sending = response.destroyed ? dropResponse(finished) : sendResponse(response, finished);
        if (sending === undefined) endHandling();
        else void sending.finally(endHandling);
      }
    },

    async fetch(request, as = clients) {
      const reservation = memoryAccount.open();
      const httpRequest = fromFetchRequest(request, as, reservation);
      const finished = await respond(httpRequest, routeOf(httpRequest.path, routes));
      const body = request.method === 'HEAD' ? null : finished.body;
      return toFetchResponse({ ...finished, body }, () => reservation.close());
    },
  };
}

function routeOf(path: string, routes: Routes): Route {
  for (const route of routes) if (route.path.test(path)) return route;
  return routes[routes.length - 1] as Route;
}

const CLASSES = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** `none` if the client aborted before the gateway sent a status. */
function statusClass({ headersSent, statusCode }: ServerResponse): string {
  return headersSent ? (CLASSES[Math.trunc(statusCode / 100)] ?? 'none') : 'none';
}

function preflight({ methods, isSecret }: Route): HttpResponse {
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

function refusal(
  { httpStatus, message, details }: GatewayError,
  { requester }: HttpRequest,
): FinishedResponse {
  return plainResponse(httpStatus, message, requester.requestId, failureHeaders(httpStatus, details));
}

/** Returns a handler that waits until the gateway has memory for the request, and then calls `handler`. */
export function withAdmission(handler: Handler): Handler {
  return (request) => {
    const admission = request.reservation.admitRequest(request);
    return admission ? admission.then(() => handler(request)) : handler(request);
  };
}

function plainResponse(
  status: number,
  message: string,
  id: string,
  more: Readonly<Record<string, string>> = {},
): FinishedResponse {
  const headers = flatten([...OPEN_HEADERS, 'X-Request-Id', id], { ...PLAIN, ...more });
  return { status, headers, body: `${message}\n`, bytes: 0 };
}

/** The gateway refuses an invalid Host header, because it writes the host into links. */
function isUsableHost(host: string | undefined): boolean {
  return host === undefined || PLAIN_HOST.test(host) || URL.canParse(`http://${host}`);
}

const PLAIN_HOST = /^[A-Za-z0-9.-]+(?::\d{1,5})?$/;
