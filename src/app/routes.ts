// The table of routes: which handler serves each path. Builds all handlers.

import type { RequestListener } from 'node:http';
import { createSecondChanceMap } from '../cache/memory-tier.ts';
import type { Config } from '../config.ts';
import type { Directory } from '../directory/directory.ts';
import type { ExecuteWithYoga } from '../graphql/incremental/yoga.ts';
import { createErrorMask, createGraphqlErrorMask } from '../graphql/mask-error.ts';
import { createOperations } from '../graphql/operation.ts';
import { createFindOperation, createRegisteredQueries } from '../graphql/persisted/find-operation.ts';
import type { OperationManifest } from '../graphql/persisted/operation-manifest.ts';
import { sha256 } from '../graphql/persisted/operation-manifest.ts';
import { createRememberedItems, type RememberedItem } from '../graphql/remembered-items.ts';
import type { RandomSource } from '../handle/choose-location.ts';
import { createGraphqlEndpoint } from '../http/graphql/graphql.ts';
import { createGraphiqlPage, graphiqlFiles, wantsGraphiql } from '../http/pages/graphiql.ts';
import { createInspector, inspectorDocuments } from '../http/pages/inspector.ts';
import { createProgramDocuments } from '../http/pages/program-documents.ts';
import { createRequestObserver } from '../http/request/access-log.ts';
import type { Clients } from '../http/request/clients/identify-client.ts';
import type { Handler, HttpResponse } from '../http/request/exchange.ts';
import { createRouter, type Route, type Router, type Routes, withAdmission } from '../http/request/router.ts';
import { createRestFace } from '../http/rest/rest-face.ts';
import { AnswerExpiry } from '../loaders/answer-expiry.ts';
import { TrackingLoaders } from '../loaders/loaders.ts';
import { followAliases, resolveName } from '../loaders/resolve-name.ts';
import type { Log } from '../log.ts';
import type { MemoryAccount } from '../memory/account.ts';
import type { CacheSizes } from '../memory/memory-sizes.ts';
import type { Metrics } from '../metrics.ts';
import type { Clock } from '../time.ts';
import { createMcpEndpoint } from '../tools/mcp/mcp-endpoint.ts';
import { TOOL_DOCUMENTS } from '../tools/mcp/tool-documents.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { TURNS } from '../turns.ts';
import type { Limits } from './limits.ts';
import { VERSION } from './version.ts';

export interface AppRouterParts {
  readonly config: Config;
  readonly limits: Limits;
  readonly directory: Directory;
  readonly clients: Clients;
  readonly memoryAccount: MemoryAccount;
  readonly caches: CacheSizes;
  readonly tracer: Tracer | null;
  readonly log: Log;
  readonly random: RandomSource;
  readonly clock: Clock['now'];
  readonly metrics: Metrics;
  readonly manifest: OperationManifest;
  readonly yogaExecutesAll: boolean;
  /** the routes of `/jobs`; empty if no job queue is configured */
  readonly jobs: readonly Route[];
  readonly ops: Readonly<Record<'health' | 'readiness' | 'metrics', Handler>>;
}

const notFound = (body: string): HttpResponse => ({
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body,
});
const NOT_ON_A_WORKER = notFound('This process only runs jobs. Send the request to a gateway.\n');
const NOT_ON_OPS_ADDRESS = notFound('Not found. This address serves only /healthz, /readyz and /metrics.\n');

export interface AppRouter extends Router {
  /** serves OPS_ADDRESS */
  readonly opsListener: RequestListener;
}

export function createAppRouter(parts: AppRouterParts): AppRouter {
  const { config, directory, clients, memoryAccount, tracer, log, random, clock, metrics, ops, jobs } = parts;
  const graphql = createGraphql(parts);
  const inspector = createInspector({
    publicUrl: config.PUBLIC_URL,
    hasMetrics: config.OPS_ADDRESS === null,
    directory: directory.description,
  });
  const rest = createRestFace({
    directory,
    log,
    random,
    clock,
    turns: TURNS,
    maxLookups: config.MAX_LOOKUPS,
    publicUrl: config.PUBLIC_URL ?? '',
    countryHeader: config.COUNTRY_HEADER,
    localServices: config.LOCAL_SERVICES ?? [],
  });
  const reportUnexpected = (error: unknown) => log.error({ err: error }, 'unexpected error');
  const mcp = createMcpEndpoint({
    graphql,
    isSample: directory.description.isSample ?? false,
    publicUrl: config.PUBLIC_URL,
    version: VERSION,
    maxLookups: config.MAX_LOOKUPS,
    maxBodyBytes: config.MAX_BODY_BYTES,
    turns: TURNS,
    reportUnexpected,
  });
  const documents = createProgramDocuments(config.PUBLIC_URL ?? '', VERSION);
  const pageRoute = (path: RegExp, pattern: string, handler: Handler): Route => ({
    path,
    pattern,
    face: 'other',
    methods: 'GET, HEAD',
    isForClient: false,
    handler: withAdmission(handler),
  });
  const restRoute = (path: RegExp, pattern: string, face: Route['face']): Route => ({
    path,
    pattern,
    face,
    methods: 'GET, HEAD, OPTIONS',
    isForClient: true,
    handler: rest,
  });
  const anyOtherPath = (response: HttpResponse) => pageRoute(/^/, '/{path}', () => response);
  // These pages reserve no memory. So they show the state of the gateway even if all its memory is in use.
  const opsRoute = (path: RegExp, pattern: string, handler: Handler): Route => ({
    ...pageRoute(path, pattern, handler),
    handler,
    isProbe: true,
  });
  const health = opsRoute(/^\/healthz$/, '/healthz', ops.health);
  const readiness = opsRoute(/^\/readyz$/, '/readyz', ops.readiness);
  const metricsPage = opsRoute(/^\/metrics$/, '/metrics', ops.metrics);
  const publicOps = config.OPS_ADDRESS === null ? [health, readiness, metricsPage] : [health, readiness];
  const workerRoutes: Routes = [...publicOps, anyOtherPath(NOT_ON_A_WORKER)];
  const routerParts = {
    clients,
    memoryAccount,
    observe: createRequestObserver({
      accessLog: config.ACCESS_LOG,
      log,
      tracer,
      clientUse: clients.haveKeys ? metrics.clientUse : null,
    }),
    metrics,
    reportUnexpected,
  };
  const graphiqlPage = withAdmission(createGraphiqlPage(config.INTROSPECTION));
  const opsRouter = createRouter({
    ...routerParts,
    routes: [health, readiness, metricsPage, anyOtherPath(NOT_ON_OPS_ADDRESS)],
  });
  const router = createRouter({
    ...routerParts,
    routes: [
      // First, because most requests are for such a path, and no other route begins like this.
      restRoute(/^\/10\./, '/{name}', 'redirect'),
      {
        path: /^\/graphql\/?$/,
        pattern: '/graphql',
        face: 'graphql',
        methods: 'GET, HEAD, POST',
        isForClient: true,
        handler: (request) => (wantsGraphiql(request) ? graphiqlPage(request) : graphql(request)),
      },
      restRoute(/^\/api\//i, '/api/handles/{name}', 'handles'),
      restRoute(/^\/(?:doiRA|ra)(?:\/|%2F\.\.?$)/i, '/doiRA/{names}', 'doiRA'),
      {
        path: /^\/mcp\/?$/,
        pattern: '/mcp',
        face: 'other',
        methods: 'POST',
        isForClient: true,
        handler: mcp,
      },
      pageRoute(/^\/$/, '/', inspector.home),
      pageRoute(/^\/inspector\/?$/, '/inspector', inspector.redirectHome),
      pageRoute(/^\/inspector\//, '/inspector/{file}', inspector.files),
      pageRoute(/^\/graphiql\//, '/graphiql/{file}', graphiqlFiles),
      pageRoute(/^\/schema\.graphql$/, '/schema.graphql', documents.schema),
      pageRoute(/^\/schema-with-costs\.graphql$/, '/schema-with-costs.graphql', documents.schemaWithCosts),
      pageRoute(/^\/openapi\.json$/, '/openapi.json', documents.openApi),
      pageRoute(/^\/llms\.txt$/, '/llms.txt', documents.llms),
      ...jobs,
      ...publicOps,
      restRoute(/^/, '/{name}', 'redirect'),
    ],
    ...(config.ROLE === 'worker' && { listenerRoutes: workerRoutes }),
  });
  return { ...router, opsListener: opsRouter.listener };
}

function createGraphql(parts: AppRouterParts): Handler {
  const { config, limits, directory, caches, log, random, clock, metrics, manifest } = parts;
  const mask = createErrorMask(log);
  let yoga: Promise<ExecuteWithYoga> | undefined;
  const registered = createRegisteredQueries(caches.registeredQueries);
  return createGraphqlEndpoint({
    // A query is registered only while its document is kept, so a short request with its hash never causes a parse.
    operations: createOperations(limits.queryTokens, caches.documents, {
      onDropped: (text) => registered.delete(sha256(text)),
      allowsIntrospection: config.INTROSPECTION,
    }),
    find: createFindOperation({
      registered,
      manifest,
      isManifestOnly: config.PERSISTED_ONLY,
      ownOperations: [...inspectorDocuments(), ...TOOL_DOCUMENTS],
    }),
    createContext(requester, signal, gate, reservation) {
      const expiry = new AnswerExpiry();
      const loaders = new TrackingLoaders({
        directory,
        requester,
        signal,
        maxLookups: config.MAX_LOOKUPS,
        maxMetadata: config.MAX_METADATA,
        expiry,
        gate,
        reservation,
      });
      return { loaders, followAliases, resolveName, expiry, directory: directory.description, random };
    },
    // Imported at first use, because Yoga loads as slowly as all other modules together.
    executeWithYoga() {
      yoga ??= import('../graphql/incremental/yoga.ts').then(({ createExecuteWithYoga }) =>
        createExecuteWithYoga(createGraphqlErrorMask(mask), limits.responseBytes),
      );
      return yoga;
    },
    yogaExecutesAll: parts.yogaExecutesAll,
    items: createRememberedItems(createSecondChanceMap<RememberedItem>(caches.items)),
    turns: TURNS,
    mask,
    clock,
    seconds: metrics.graphqlSeconds,
    maxBodyBytes: config.MAX_BODY_BYTES,
    maxResponseBytes: limits.responseBytes,
    maxComplexity: limits.complexity,
    deadlineMs: config.OPERATION_DEADLINE_MS,
  });
}
