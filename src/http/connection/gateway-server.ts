// The server: node:http with limits for connections, for slow clients, and for many requests at once.

import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { MemoryAccount } from '../../memory/account.ts';
import { MAX_HEADERS } from '../../memory/memory-sizes.ts';
import { type Clock, steadyClock } from '../../time.ts';
import { TURNS } from '../../turns.ts';
import { hasBody, IncomingRequest } from '../request/incoming-request.ts';
import { requestIdOf } from '../request/request-id.ts';
import { failureHeaders } from '../response/failure-headers.ts';
import { type ConnectionLimits, type EndReason, limitConnections } from './limit-connections.ts';
import { readInTurns } from './read-in-turns.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

/** Maximum number of open connections of one process. At this number, a new connection replaces idle connections. */
const MAX_CONNECTIONS = 10_000;

/** Parts of the log line. Each part follows a number: `3 idle, to make room for new connections`. */
const WORDS: Readonly<Record<EndReason, string>> = {
  refused: `refused, because ${MAX_CONNECTIONS} were open and none of them was idle`,
  idle: 'idle, to make room for new connections',
  unreadAnswer: 'whose client read a response too slowly',
  slowBody: 'whose client sent a request body too slowly',
  heads: 'of clients that sent too many heads of requests, and did not complete the requests',
  pipelined: 'whose client sent too many requests before it read a response',
};

function createEndedReport(log: Log) {
  const counts = new Map<EndReason, number>();
  return {
    count(why: EndReason): void {
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

interface GatewayServerOptions {
  readonly config: Pick<
    Config,
    'MAX_BODY_BYTES' | 'JOBS_REDIS_URL' | 'MAX_JOB_BYTES' | 'OPERATION_DEADLINE_MS'
  >;
  readonly memoryAccount: Pick<MemoryAccount, 'isMemoryScarce' | 'heads'>;
  readonly log: Log;
  /** replaces some of the usual limits */
  readonly limits?: Partial<ConnectionLimits>;
  readonly ticker?: Pick<Clock, 'now' | 'every'>;
}

/**
 * The gateway closes a connection that is idle for this time. Balancers close idle connections after a minute or
 * earlier. If the gateway closed them first, a balancer could send a request at the same moment.
 */
const KEEP_ALIVE_MS = 65_000;

/** The time for the head of a request. A body or a response has this time and one more second for each 16 kB. */
const GRACE_MS = 30_000;
const MIN_BYTES_PER_SECOND = 16_000;

/** Node checks these times at this interval. */
const CHECK_MS = 5_000;

/** After this time without data, TCP checks whether the client is still there. */
const PROBE_MS = 60_000;

const REPORT_MS = 60_000;

/** Most clients wait for a response before the next request. Few clients send ten or twenty requests at once. */
const MAX_PIPELINED = 32;

export function createGatewayServer(listener: RequestListener, options: GatewayServerOptions): Server {
  const { log, config, memoryAccount, ticker = steadyClock } = options;
  const hasJobs = config.JOBS_REDIS_URL !== null;
  const limits: ConnectionLimits = {
    transfers: { graceMs: GRACE_MS, minBytesPerSecond: MIN_BYTES_PER_SECOND },
    isMemoryScarce: () => memoryAccount.isMemoryScarce,
    heads: memoryAccount.heads,
    maxBodyBytes: config.MAX_BODY_BYTES,
    uploads: hasJobs ? { maxBodyBytes: config.MAX_JOB_BYTES, isUpload: isJobUpload } : null,
    maxConnections: MAX_CONNECTIONS,
    maxPipelined: MAX_PIPELINED,
    ...options.limits,
  };
  const largestBytes = Math.max(limits.maxBodyBytes, limits.uploads?.maxBodyBytes ?? 0);
  // The time for the largest body. `limitConnections` gives smaller bodies less time.
  const bodyMs = GRACE_MS + (largestBytes / MIN_BYTES_PER_SECOND) * 1_000;
  const server = createServer<typeof IncomingRequest>(
    {
      IncomingMessage: IncomingRequest,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: GRACE_MS,
      // Includes the deadline of an operation: a body can wait that long for memory before the gateway reads the body.
      requestTimeout: Math.ceil(GRACE_MS + bodyMs + config.OPERATION_DEADLINE_MS),
      connectionsCheckingInterval: CHECK_MS,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_MS,
      // `refuseMalformed` refuses requests without Host. Node would refuse them without an event, so nothing could count them.
      requireHostHeader: false,
    },
    refuseManyHeaders(runOneByOne(refuseMalformed(listener))),
  );
  // Node drops further headers. One header above the limit shows that a request has too many.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const reads = readInTurns(server);
  refuseUnreadable(server);
  const report = createEndedReport(log);
  const stopReports = ticker.every(REPORT_MS, report.write);
  server.once('close', () => {
    stopReports();
    report.write();
  });
  limitConnections(server, { limits, reads, onEnded: report.count, ticker });
  return server;
}

/** Refuses a request with too many headers, and reads nothing further from its connection. */
function refuseManyHeaders(listener: RequestListener): RequestListener {
  return function (this: Server, request, response) {
    if (request.rawHeaders.length <= 2 * MAX_HEADERS) listener(request, response);
    else this.emit('clientError', MANY_HEADERS, request.socket);
  };
}

const MANY_HEADERS = { code: 'HPE_HEADER_OVERFLOW' };

function isJobUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /^\/jobs\/?(?:\?|$)/.test(url);
}

/**
 * Begins each request of a connection when the response to the request before is sent. Otherwise Node would process
 * thousands of requests together, and keep all responses in memory until the first is sent. A request that had to wait is
 * a large task, because more requests can wait behind it: all these requests of an address together are like one client, so
 * that they do not make its other connections wait. Others are small tasks: of the address if the connection is new, because
 * a client can open thousands, else of the connection. A request with a body begins at once, and waits for its body.
 */
function runOneByOne(listener: RequestListener): RequestListener {
  const used = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    const isNew = !used.has(socket);
    used.add(socket);
    const begin = (): void => {
      if (!socket.destroyed) listener(request, response);
    };
    if (!response.socket) response.once('socket', () => void TURNS.next(socket.remoteAddress).then(begin));
    else if (hasBody(request)) begin();
    else void TURNS.run(begin, () => (isNew ? socket.remoteAddress : socket));
  };
}

/**
 * Refuses requests that a server of HTTP/1.1 must refuse (RFC 9112, section 3.2; RFC 9110, section 10.1.1), and heads for
 * which no memory is free.
 */
function refuseMalformed(listener: RequestListener): RequestListener {
  return (request, response) => {
    const status = refusalStatusOf(request);
    if (status === null) listener(request, response);
    else {
      const id = requestIdOf(request.headers['x-request-id']?.toString());
      const headers = { ...failureHeaders(status), Connection: 'close', 'X-Request-Id': id };
      response.writeHead(status, headers).end(status === 503 ? NO_MEMORY : undefined);
    }
  };
}

const NO_MEMORY = 'The gateway has too little memory for requests with large headers. Try again.\n';

function refusalStatusOf(request: IncomingMessage): 400 | 417 | 503 | null {
  if (request instanceof IncomingRequest && request.isRefused) return 503;
  const {
    httpVersion,
    headers: { host, expect },
  } = request;
  if (httpVersion !== '1.1') return null;
  if (host === undefined) return 400;
  return expect === undefined || /(?:^|\W)100-continue(?:$|\W)/i.test(expect) ? null : 417;
}
