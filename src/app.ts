// The composition root: builds every part once.

import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { Config } from './config.ts';
import type { Directory } from './directory/directory.ts';
import { createEmbeddedDirectory } from './directory/embedded.ts';
import { createProxyDirectory } from './directory/proxy.ts';
import type { RandomSource } from './handle/choose-location.ts';
import { createLog, type Log } from './log.ts';
import { createListener } from './server/listener.ts';
import { createRestFace } from './server/rest/face.ts';
import { createRestListener } from './server/rest/listener.ts';
import { createGraphqlServer } from './server/yoga.ts';

export interface App {
  /** answers a request to the GraphQL side in-process */
  readonly fetch: (request: Request) => Promise<Response>;
  /** the same for node:http, and the proxy's REST face, which needs paths as they come */
  readonly listener: RequestListener;
  readonly directory: Directory;
  readonly log: Log;
  /** lets go of everything that was opened */
  dispose(): Promise<void>;
}

/** What a test or an embedding program brings along instead of what the configuration would build. */
export interface AppParts {
  readonly directory?: Directory;
  readonly log?: Log;
  readonly random?: RandomSource;
}

/** Rejects with a DirectoryFileError when the embedded directory cannot be read. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<App> {
  const log = parts.log ?? createLog(config.LOG_LEVEL);
  const directory = parts.directory ?? (await createDirectory(config, log));
  const random = parts.random ?? Math.random;
  const server = createGraphqlServer({ config, directory, log, random });
  const rest = createRestFace({
    directory,
    log,
    random,
    clock: Date.now,
    publicUrl: config.PUBLIC_URL ?? '',
    countryHeader: config.COUNTRY_HEADER,
    localServices: config.LOCAL_SERVICES ?? [],
  });
  return {
    fetch: async (request) => server.fetch(request),
    listener: createListener((request, response) => void server(request, response), createRestListener(rest)),
    directory,
    log,
    async dispose() {
      await server.dispose();
      await directory.close();
    },
  };
}

async function createDirectory(config: Config, log: Log): Promise<Directory> {
  if (config.DOI_DIRECTORY_URL === null) {
    return createEmbeddedDirectory({
      recordsFile: config.DOI_DIRECTORY_FILE,
      agenciesFile: config.DOI_AGENCIES_FILE,
    });
  }
  return createProxyDirectory({
    baseUrl: config.DOI_DIRECTORY_URL,
    userAgent: userAgent(config.CONTACT),
    timeoutMs: config.DIRECTORY_TIMEOUT_MS,
    maxResponseBytes: config.DIRECTORY_MAX_RESPONSE_BYTES,
    maxConnections: config.DIRECTORY_CONNECTIONS,
    whichRa: { maxUrlBytes: config.WHICH_RA_MAX_URL_BYTES, maxNames: config.WHICH_RA_MAX_NAMES },
    log,
  });
}

function userAgent(contact: string | null): string {
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  return contact === null ? `doi-gateway/${version}` : `doi-gateway/${version} (+${contact})`;
}
