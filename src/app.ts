// The composition root: builds every part once.

import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { createCachedDirectory } from './cache/cached-directory.ts';
import { systemClock } from './cache/clock.ts';
import { createMemoryTier } from './cache/memory-tier.ts';
import { connectRedis } from './cache/redis-connection.ts';
import { createRedisTier } from './cache/redis-tier.ts';
import { NO_SHARED_TIER } from './cache/shared-tier.ts';
import type { Config } from './config.ts';
import type { Clock, Directory } from './directory/directory.ts';
import { DirectoryFileError } from './directory/directory-file.ts';
import { createEmbeddedDirectory } from './directory/embedded.ts';
import { createProxyDirectory, type ProxyDirectoryOptions } from './directory/proxy/proxy.ts';
import { documentFault } from './graphql/document.ts';
import type { AskYoga } from './graphql/incremental/yoga.ts';
import { createErrorMask, createErrorTeller } from './graphql/mask-error.ts';
import { createOperations } from './graphql/operation.ts';
import { createFindOperation } from './graphql/persisted/find-operation.ts';
import {
  loadOperationManifest,
  NO_MANIFEST,
  type OperationManifest,
  OperationManifestError,
} from './graphql/persisted/operation-manifest.ts';
import { createRememberedItems } from './graphql/remembered-items.ts';
import { createTurns } from './graphql/turns.ts';
import type { RandomSource } from './handle/choose-location.ts';
import type { Handler } from './http/exchange.ts';
import { createGraphqlEndpoint } from './http/graphql.ts';
import { createHealthPage } from './http/ops/health-page.ts';
import { createMetricsPage, type ReadMetrics } from './http/ops/metrics-page.ts';
import { createReadinessPage, type Readiness } from './http/ops/readiness-page.ts';
import { createGraphiqlPage, wantsGraphiql } from './http/pages/graphiql.ts';
import { createGraphiqlFiles } from './http/pages/graphiql-files.ts';
import { createInspector } from './http/pages/inspector.ts';
import { inspectorDocuments } from './http/pages/inspector-documents.ts';
import { createRestFace } from './http/rest/rest-face.ts';
import { createRouter, type Route } from './http/router.ts';
import { createAnswerLife } from './loaders/answer-expiry.ts';
import { createLoaders } from './loaders/loaders.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics, type Metrics, watchCache } from './metrics.ts';

export interface App {
  /** answers a request to the GraphQL side in-process */
  readonly fetch: (request: Request) => Promise<Response>;
  /** the same for node:http, and the proxy's REST face, which needs paths as they come */
  readonly listener: RequestListener;
  readonly directory: Directory;
  /** how many ids the manifest has */
  readonly persistedOperations: number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** lets readiness fall, before the server stops */
  announceStop(): void;
  /** lets go of everything that was opened */
  dispose(): Promise<void>;
}

/** What a test or an embedding program brings along instead of what the configuration would build. */
export interface AppParts {
  readonly directory?: Directory;
  readonly log?: Log;
  readonly random?: RandomSource;
  /** by which answers are told how long they may be kept */
  readonly clock?: Clock;
  readonly readiness?: Readiness;
  /** what /metrics answers in place of this app's own metrics */
  readonly readMetrics?: ReadMetrics;
}

/** What answers, and what is known of its cache. */
interface Source {
  readonly directory: Directory;
  readonly cache: Readiness['cache'];
}

const NO_CACHE: Readiness['cache'] = () => ({ entries: 0, shared: 'off' });

/** Rejects with a DirectoryFileError or an OperationManifestError when a file cannot be used. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<App> {
  const log = parts.log ?? createLog(config.LOG_LEVEL);
  const random = parts.random ?? Math.random;
  const clock = parts.clock ?? Date.now;
  const metrics = createMetrics();
  // Before anything is opened that would have to be closed again.
  const manifest = await loadManifest(config);
  const { directory, cache } = parts.directory
    ? { directory: parts.directory, cache: NO_CACHE }
    : await createSource(config, log, metrics);
  const readMetrics = parts.readMetrics ?? (() => metrics.registry.metrics());
  const readiness = parts.readiness ?? { directory: () => directory.status(), cache };
  let stopping = false;
  const router = createFaces({
    config,
    directory,
    log,
    random,
    clock,
    metrics,
    manifest,
    ops: {
      health: createHealthPage(log),
      readiness: createReadinessPage(readiness, () => stopping, log),
      metrics: createMetricsPage(metrics, readMetrics, log),
    },
  });
  return {
    fetch: router.fetch,
    listener: router.listener,
    directory,
    persistedOperations: manifest.size,
    log,
    metrics,
    announceStop() {
      stopping = true;
    },
    dispose: () => directory.close(),
  };
}

interface Parts {
  readonly config: Config;
  readonly directory: Directory;
  readonly log: Log;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly manifest: OperationManifest;
  readonly ops: Readonly<Record<'health' | 'readiness' | 'metrics', Handler>>;
}

const GRAPHQL_PATH = '/graphql';
const REMEMBERED_BYTES = 32_000_000;

function createFaces(parts: Parts) {
  const { config, directory, log, random, clock, metrics, ops } = parts;
  const graphql = createGraphql(parts);
  const graphiql = createGraphiqlPage({ endpoint: GRAPHQL_PATH });
  const inspector = createInspector({
    endpoint: GRAPHQL_PATH,
    publicUrl: config.PUBLIC_URL,
    directory: directory.description,
  });
  const rest = createRestFace({
    directory,
    log,
    random,
    clock,
    maxLookups: config.MAX_LOOKUPS,
    publicUrl: config.PUBLIC_URL ?? '',
    countryHeader: config.COUNTRY_HEADER,
    localServices: config.LOCAL_SERVICES ?? [],
  });
  const page = (path: RegExp, handler: Handler): Route => ({
    path,
    face: 'other',
    methods: 'GET, HEAD',
    handler,
  });
  const rested = (path: RegExp, face: Route['face']): Route => ({
    path,
    face,
    methods: 'GET, HEAD, OPTIONS',
    handler: rest,
  });
  return createRouter({
    routes: [
      {
        path: /^\/graphql\/?$/,
        face: 'graphql',
        methods: 'GET, HEAD, POST',
        handler: (request) => (wantsGraphiql(request) ? graphiql(request) : graphql(request)),
      },
      rested(/^\/api\//i, 'handles'),
      rested(/^\/(?:doiRA|ra)\//i, 'doiRA'),
      page(/^\/$/, inspector.home),
      page(/^\/inspector\/?$/, inspector.guessed),
      page(/^\/inspector\//, inspector.files),
      page(/^\/graphiql\//, createGraphiqlFiles()),
      page(/^\/healthz$/, ops.health),
      page(/^\/readyz$/, ops.readiness),
      page(/^\/metrics$/, ops.metrics),
      rested(/^/, 'redirect'),
    ],
    compresses: config.COMPRESSION,
    metrics,
    reportUnexpected: (error) => log.error({ err: error }, 'unexpected error'),
  });
}

function createGraphql({ config, directory, log, random, clock, metrics, manifest }: Parts): Handler {
  const tell = createErrorTeller(log);
  let yoga: Promise<AskYoga> | undefined;
  return createGraphqlEndpoint({
    operations: createOperations(config.MAX_QUERY_TOKENS),
    find: createFindOperation({
      manifest,
      only: config.PERSISTED_ONLY,
      ownOperations: inspectorDocuments(),
    }),
    createContext(signal, { schedule }) {
      const life = createAnswerLife();
      const loaders = createLoaders({ directory, signal, maxLookups: config.MAX_LOOKUPS, life, schedule });
      return { loaders, life, directory: directory.description, random };
    },
    // Loaded when somebody first needs it: it takes as long as everything else together.
    askYoga() {
      yoga ??= import('./graphql/incremental/yoga.ts').then(({ createAskYoga }) =>
        createAskYoga(createErrorMask(tell), config.MAX_RESPONSE_BYTES),
      );
      return yoga;
    },
    isDirect: config.FAST_PATH,
    items: createRememberedItems(REMEMBERED_BYTES),
    turns: createTurns(),
    tell,
    clock,
    seconds: metrics.graphqlSeconds,
    maxBodyBytes: config.MAX_BODY_BYTES,
    maxResponseBytes: config.MAX_RESPONSE_BYTES,
    maxComplexity: config.MAX_COMPLEXITY,
    deadlineMs: config.OPERATION_DEADLINE_MS,
  });
}

async function loadManifest(config: Config): Promise<OperationManifest> {
  const { PERSISTED_OPERATIONS: file, PERSISTED_ONLY: only } = config;
  if (file === null) return NO_MANIFEST;
  const manifest = await loadOperationManifest(file, documentFault(config.MAX_QUERY_TOKENS));
  if (only && manifest.size === 0) {
    throw new OperationManifestError(file, [
      'the file has no operations, and PERSISTED_ONLY executes no others',
    ]);
  }
  return manifest;
}

async function createSource(config: Config, log: Log, metrics: Metrics): Promise<Source> {
  if (config.DOI_DIRECTORY_URL === null) {
    const directory = await createEmbeddedDirectory({
      recordsFile: config.DOI_DIRECTORY_FILE,
      agenciesFile: config.DOI_AGENCIES_FILE,
    }).catch((error: unknown) => {
      throw withVariable(error, config);
    });
    return { directory, cache: NO_CACHE };
  }
  const memory = createMemoryTier(config.CACHE_MAX_BYTES);
  watchCache(metrics, memory);
  const shared =
    config.REDIS_URL === null ? NO_SHARED_TIER : createRedisTier({ url: config.REDIS_URL, log, metrics });
  const rateClient =
    config.REDIS_URL === null || config.DIRECTORY_RPS === null ? null : connectRedis(config.REDIS_URL);
  rateClient?.on('error', (error) => log.debug({ err: error }, 'shared rate'));
  const directory = createCachedDirectory({
    directory: createProxy(config, config.DOI_DIRECTORY_URL, { log, metrics, redis: rateClient }),
    memory,
    shared,
    clock: systemClock,
    random: Math.random,
    metrics,
    agenciesByPrefix: config.AGENCY_BY_PREFIX,
  });
  const sharedState = (): 'off' | 'up' | 'down' => (config.REDIS_URL === null ? 'off' : shared.state);
  return {
    directory: {
      ...directory,
      async close() {
        await directory.close();
        rateClient?.disconnect();
      },
    },
    cache: () => ({ entries: memory.entries, shared: sharedState() }),
  };
}

/** What is wrong with a file is said of the variable that names it. */
function withVariable(error: unknown, config: Config): unknown {
  if (!(error instanceof DirectoryFileError)) return error;
  const variables = ['DOI_DIRECTORY_FILE', 'DOI_AGENCIES_FILE'] as const;
  const variable = variables.find((name) => error.message.startsWith(`${config[name]}:`));
  return variable ? new DirectoryFileError(`${variable}: ${error.message}`, { cause: error }) : error;
}

function createProxy(
  config: Config,
  baseUrls: NonNullable<Config['DOI_DIRECTORY_URL']>,
  parts: Pick<ProxyDirectoryOptions, 'log' | 'metrics' | 'redis'>,
): Directory {
  return createProxyDirectory({
    ...parts,
    baseUrls,
    userAgent: userAgent(config.CONTACT),
    timeoutMs: config.DIRECTORY_TIMEOUT_MS,
    maxResponseBytes: config.DIRECTORY_MAX_RESPONSE_BYTES,
    maxConnections: config.DIRECTORY_CONNECTIONS,
    requestsPerSecond: config.DIRECTORY_RPS,
    deadlineMs: config.DIRECTORY_DEADLINE_MS,
    retries: config.DIRECTORY_RETRIES,
    whichRa: { maxUrlBytes: config.WHICH_RA_MAX_URL_BYTES, maxNames: config.WHICH_RA_MAX_NAMES },
  });
}

function userAgent(contact: string | null): string {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  return contact === null ? `doi-gateway/${version}` : `doi-gateway/${version} (+${contact})`;
}
