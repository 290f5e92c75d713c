// The process: configuration, listening, signals.

import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { type App, createApp } from './app.ts';
import { heapOfWorker, heapReport, memoryMiB } from './cluster/heap-limit.ts';
import { startWorkers } from './cluster/primary.ts';
import { joinCluster, type Membership } from './cluster/worker.ts';
import {
  type Config,
  ConfigError,
  configNotices,
  isHeapSet,
  parseConfig,
  removedVariables,
  unknownVariables,
} from './config.ts';
import { DirectoryFileError } from './directory/directory-file.ts';
import { OperationManifestError } from './graphql/persisted/operation-manifest.ts';
import { createGatewayServer } from './http/connection/gateway-server.ts';
import { prepareStop } from './http/connection/graceful-stop.ts';
import { ApiKeysError } from './http/request/clients/api-keys-file.ts';
import { JobsStartError } from './jobs/queue/queue-connection.ts';
import { createLog, type Log } from './log.ts';
import { collectProcessMetrics } from './metrics.ts';
import { safeText, stackOf } from './safe-text.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** On this signal, the gateway reads API_KEYS_FILE again. If API_KEYS_FILE is not set, the signal ends the process. */
const RELOAD_SIGNAL = 'SIGHUP';

/** After SHUTDOWN_DRAIN_MS and SHUTDOWN_TIMEOUT_MS, the primary waits this long for the workers. Then it kills them. */
const EXTRA_STOP_MS = 5_000;

/** After a stop, the process exits within this time, even if a collector of traces still holds a connection open. */
const EXIT_AFTER_MS = 1_000;

/** If more connections wait in the kernel, a further client tries again after a second. Linux allows up to 4,096. */
const MAX_UNACCEPTED = 4_096;

// The message of an error can contain text from outside. Node would print this text unescaped, but `fail` escapes it.
process.on('uncaughtException', fail);

try {
  const config = parseConfig();
  if (!cluster.worker) reportConfiguration(config);
  const count = config.WORKERS === 'auto' ? availableParallelism() : config.WORKERS;
  if (cluster.worker) await serve(config, joinCluster(cluster.worker));
  else if (count > 1) runPrimary(config, count);
  else await serve(config);
} catch (error) {
  fail(error);
}

/** Serves requests, as the only process or as a worker of a cluster. */
async function serve(config: Config, membership?: Membership): Promise<void> {
  const app = await createApp(config, membership && { readMetrics: membership.readMetrics });
  collectProcessMetrics(app.metrics);
  membership?.shareMetrics(app.metrics);
  const server = createGatewayServer(app.listener, {
    config,
    log: app.log,
    memoryAccount: app.memoryAccount,
  });
  const stop = prepareStop(server, {
    timeoutMs: config.SHUTDOWN_TIMEOUT_MS,
    ...(membership && { waitForAccept: membership.waitForHandover }),
    onStopping(drainMs, inFlight) {
      app.announceStop();
      if (drainMs > 0) app.log.info(`Draining for ${drainMs} ms, ${counted(inFlight, 'request')} in flight.`);
    },
  });
  const opsServer = await listenForOperators(app, config);
  server.once('error', fail);
  server.listen(config.PORT, config.HOST, MAX_UNACCEPTED, () => {
    const line = `${greeting(server, app, config)}${opsGreeting(opsServer)}`;
    if (membership) membership.reportListening(line);
    else app.log.info(heapReport(), line);
  });
  server.once('close', () => {
    opsServer?.close();
    opsServer?.closeAllConnections();
    app
      .dispose()
      .then(() => {
        if (membership) membership.leave();
        else app.log.info('DOI gateway stopped.');
        setTimeout(() => process.exit(), EXIT_AFTER_MS).unref();
      })
      .catch(fail);
  });
  if (config.API_KEYS_FILE !== null) process.on(RELOAD_SIGNAL, () => void app.reloadKeys().catch(fail));
  for (const signal of SIGNALS) {
    const drainMs = signal === 'SIGINT' ? 0 : config.SHUTDOWN_DRAIN_MS;
    const onSignal = () => void stop(drainMs).catch(fail);
    // The second signal ends a single process at once. A worker can get one Ctrl+C twice, from the terminal and from the
    // primary. So a second signal must not end a worker.
    if (membership) process.on(signal, onSignal);
    else process.once(signal, onSignal);
  }
}

/** The server at OPS_ADDRESS; null if OPS_ADDRESS is unset. All workers share this port, like PORT. */
async function listenForOperators(app: App, config: Config): Promise<Server | null> {
  if (config.OPS_ADDRESS === null) return null;
  const server = createGatewayServer(app.opsListener, {
    config,
    log: app.log,
    memoryAccount: app.memoryAccount,
  });
  server.once('error', fail);
  server.listen(config.OPS_ADDRESS);
  await once(server, 'listening');
  return server;
}

/** The primary process starts workers, replaces workers that die, and serves no requests. */
function runPrimary(config: Config, count: number): void {
  const log = createLog(config.LOG_LEVEL);
  const endWithinMs = config.SHUTDOWN_DRAIN_MS + config.SHUTDOWN_TIMEOUT_MS + EXTRA_STOP_MS;
  const workers = startWorkers({ count, heapMiB: workerHeap(config, count, log), endWithinMs, log });
  for (const signal of SIGNALS) process.once(signal, workers.stop);
  if (config.API_KEYS_FILE !== null) process.on(RELOAD_SIGNAL, workers.send);
  workers.ended
    .then((status) => {
      if (status === 0) log.info('DOI gateway stopped.');
      process.exitCode = status;
    })
    .catch(fail);
}

/** The heap limit of each worker. Null if the operator set a limit with an option of Node, which workers inherit. */
function workerHeap(config: Config, workers: number, log: Log): number | null {
  if (isHeapSet()) return null;
  const { heapMiB, warning } = heapOfWorker({ config, workers, memoryMiB: memoryMiB() });
  if (warning !== null) log.warn(warning);
  return heapMiB;
}

/** Logs unknown and removed variables, and notices. Only the primary calls it, so that each line is logged once. */
function reportConfiguration(config: Config): void {
  const log = createLog(config.LOG_LEVEL);
  for (const { name, suggestion } of unknownVariables()) {
    log.warn(`The gateway has no variable ${name}, and ignores it. Did you mean ${suggestion}?`);
  }
  for (const text of removedVariables()) log.warn(text);
  for (const { level, text } of configNotices(config)) log[level](text);
}

function greeting(server: Server, app: App, config: Config): string {
  const { kind, description } = app.directory.description;
  const advice = kind === 'EMBEDDED' ? ' For the live system set DOI_DIRECTORY_URL=https://doi.org.' : '';
  return `DOI gateway on ${originOf(server)}/graphql. ${description}${advice}${operationsGreeting(app, config)}`;
}

function opsGreeting(server: Server | null): string {
  return server === null ? '' : ` Metrics for operators on ${originOf(server)}/metrics.`;
}

function originOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

function operationsGreeting({ persistedOperations }: App, config: Config): string {
  if (config.PERSISTED_OPERATIONS === null) return '';
  const others = config.PERSISTED_ONLY ? 'nothing else is executed' : 'others are executed too';
  return ` ${counted(persistedOperations, 'operation')} from ${config.PERSISTED_OPERATIONS}; ${others}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function fail(error: unknown): void {
  process.stderr.write(`${safeText(messageOf(error), '\n')}\n`);
  process.exit(1);
}

/** Only the message if the operator can correct the error, else also the stack. */
function messageOf(error: unknown): string {
  const correctable = [ConfigError, DirectoryFileError, OperationManifestError, ApiKeysError, JobsStartError];
  if (error instanceof Error && correctable.some((kind) => error instanceof kind)) return error.message;
  const isAddressError =
    error instanceof Error && 'syscall' in error && /^(?:listen|bind|getaddrinfo)$/.test(`${error.syscall}`);
  return isAddressError
    ? `Cannot listen: ${error.message}. Set HOST and PORT, or OPS_ADDRESS, to another address.`
    : stackOf(error);
}
