// The process: configuration, listening, signals.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { type App, createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { DirectoryFileError } from './directory/directory-file.ts';

try {
  const config = readConfig();
  const app = await createApp(config);
  const server = createServer(app.listener);
  server.once('error', fail);
  server.listen(config.PORT, config.HOST, () => announce(server, app));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => stop(server, app, config.SHUTDOWN_TIMEOUT_MS).catch(fail));
  }
} catch (error) {
  fail(error);
}

function announce(server: Server, app: App): void {
  const { address, family, port } = server.address() as AddressInfo;
  const host = address === '127.0.0.1' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  const { kind, description } = app.directory.description;
  const advice = kind === 'EMBEDDED' ? ' For the live system set DOI_DIRECTORY_URL=https://doi.org.' : '';
  app.log.info(`DOI gateway on http://${host}:${port}/graphql. ${description}${advice}`);
}

/** Takes no new connections, lets requests in flight finish, and ends those that do not in time. */
async function stop(server: Server, app: App, timeoutMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const deadline = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(deadline);
  await app.dispose();
  app.log.info('DOI gateway stopped.');
}

/** What the person at the keyboard can mend is said without a stack. */
function fail(error: unknown): void {
  const isExpected =
    error instanceof ConfigError || error instanceof DirectoryFileError || isListenError(error);
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
  process.exit();
}

function isListenError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}
