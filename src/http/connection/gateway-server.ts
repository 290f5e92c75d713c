// The server of the gateway: node:http with limits for connections.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { WorkAccount } from '../../work/account.ts';
import { CountedRequest, requestIdOf } from '../request/counted-request.ts';
import { boundConnections, type ConnectionLimits, type Ended } from './bound-connections.ts';
import { inSlices } from './connection.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import { systemTicker, type Ticker } from './transfers.ts';

/** The most connections of clients to one process. When all are open, a new connection ends the longest idle ones. */
const MAX_CONNECTIONS = 10_000;

const WORDS: Readonly<Record<Ended, string>> = {
  refused: `refused, as ${MAX_CONNECTIONS} were open and none of them was idle`,
  idle: 'the longest idle, to make room for others',
  unreadAnswer: 'whose answer was not read, or too slowly',
  slowBody: 'whose request body came too slowly',
  pipelined: 'with too many requests before their first answer',
};

function createEndedReport(log: Log) {
  const counts = new Map<Ended, number>();
  return {
    count(why: Ended): void {
      counts.set(why, (counts.get(why) ?? 0) + 1);
    },
    /** Logs the counts since the last line, if there are any. */
    write(): void {
      if (counts.size === 0) return;
      const parts = [...counts].map(([why, count]) => `${count} ${WORDS[why]}`);
      log.warn({ ended: Object.fromEntries(counts) }, `Connections were ended: ${parts.join('; ')}.`);
      counts.clear();
    },
  };
}

export interface GatewayServerOptions {
  readonly config: Pick<
    Config,
    'MAX_BODY_BYTES' | 'JOBS_REDIS_URL' | 'MAX_JOB_BYTES' | 'OPERATION_DEADLINE_MS'
  >;
  /** the account of work in hand */
  readonly account: Pick<WorkAccount, 'isMemoryScarce'>;
  readonly log: Log;
  /** These replace the limits that follow from the configuration. */
  readonly limits?: Partial<ConnectionLimits>;
  readonly ticker?: Ticker;
}

/**
 * How long a connection may be idle. Balancers keep idle connections for up to a minute. With a shorter time here, a
 * balancer may send a request while the gateway closes the connection.
 */
const KEEP_ALIVE_MS = 65_000;

/** Time for the head of a request. A body or a response gets this time plus a second for each 16 kB. */
const GRACE_MS = 30_000;
const MIN_BYTES_PER_SECOND = 16_000;

/** How often Node looks for requests that take too long. */
const CHECK_MS = 5_000;

/** After this time without data, TCP probes whether the client is still there. */
const PROBE_MS = 60_000;

const REPORT_MS = 60_000;

/** Few clients send a request before the response to the last one. These clients send ten or twenty. */
const MAX_PIPELINED = 32;

export function createGatewayServer(listener: RequestListener, options: GatewayServerOptions): Server {
  const { log, config, ticker = systemTicker } = options;
  const limits = { ...limitsOf(options), ...options.limits };
  const largestBytes = Math.max(limits.maxBodyBytes, limits.uploads?.maxBodyBytes ?? 0);
  // The time of the largest body. A smaller body gets less time, by its size.
  const bodyMs = GRACE_MS + (largestBytes / MIN_BYTES_PER_SECOND) * 1_000;
  const server = createServer<typeof CountedRequest>(
    {
      IncomingMessage: CountedRequest,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: GRACE_MS,
      // Includes the deadline of an operation, because the gateway may wait so long before it reads a body.
      requestTimeout: Math.ceil(GRACE_MS + bodyMs + config.OPERATION_DEADLINE_MS),
      connectionsCheckingInterval: CHECK_MS,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_MS,
      // False, because Node would refuse such requests without an event, and the gateway could not count them.
      requireHostHeader: false,
    },
    inTurn(inSlices(wellFormed(listener))),
  );
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  refuseUnreadable(server);
  const report = createEndedReport(log);
  const stopReports = ticker.every(REPORT_MS, report.write);
  server.once('close', () => {
    stopReports();
    report.write();
  });
  boundConnections(server, limits, report.count, ticker);
  return server;
}

function limitsOf({ config, account }: GatewayServerOptions): ConnectionLimits {
  const times = { graceMs: GRACE_MS, minBytesPerSecond: MIN_BYTES_PER_SECOND };
  return {
    answers: times,
    bodies: times,
    isMemoryScarce: () => account.isMemoryScarce,
    maxBodyBytes: config.MAX_BODY_BYTES,
    uploads:
      config.JOBS_REDIS_URL === null ? null : { maxBodyBytes: config.MAX_JOB_BYTES, isUpload: isJobUpload },
    maxConnections: MAX_CONNECTIONS,
    maxPipelined: MAX_PIPELINED,
  };
}

function isJobUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /^\/jobs\/?(?:\?|$)/.test(url);
}

/**
 * Processes the requests of a connection one after the other. Each begins when the client has read the response before.
 * Node alone would process thousands together, and keep all responses in memory until the first is sent.
 */
function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (response.socket) listener(request, response);
    else response.once('socket', () => listener(request, response));
  };
}

/** Refuses requests that a server of HTTP/1.1 must refuse (RFC 9112, section 3.2; RFC 9110, section 10.1.1). */
function wellFormed(listener: RequestListener): RequestListener {
  return (request, response) => {
    const status = refusalOf(request);
    if (status === null) listener(request, response);
    else {
      const id = requestIdOf(request.headers['x-request-id']?.toString());
      response.writeHead(status, { Connection: 'close', 'X-Request-Id': id }).end();
    }
  };
}

function refusalOf({ httpVersion, headers: { host, expect } }: IncomingMessage): 400 | 417 | null {
  if (httpVersion !== '1.1') return null;
  if (host === undefined) return 400;
  return expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect) ? null : 417;
}
