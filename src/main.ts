// The process: configuration, listening, signals.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { type App, createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { DirectoryFileError } from './directory/directory-file.ts';
import { prepareStop } from './server/graceful-stop.ts';

try {
  const config = readConfig();
  const app = await createApp(config);
  const server = createServer(app.listener);
  const stop = prepareStop(server, config.SHUTDOWN_TIMEOUT_MS);
  server.once('error', fail);
  server.listen(config.PORT, config.HOST, () => announce(server, app));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop()
        .then(() => app.dispose())
        .then(() => app.log.info('DOI gateway stopped.'))
        .catch(fail);
    });
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

/** What the person at the keyboard can mend is said without a stack. */
function fail(error: unknown): void {
  process.stderr.write(`${explained(error)}\n`);
  process.exit(1);
}

function explained(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DirectoryFileError) return error.message;
  const isAddressError =
    error instanceof Error && 'syscall' in error && /^(?:listen|getaddrinfo)$/.test(`${error.syscall}`);
  return isAddressError
    ? `Cannot listen: ${error.message}. Set HOST or PORT to another address.`
    : inspect(error);
}
