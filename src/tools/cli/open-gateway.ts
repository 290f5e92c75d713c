// Opens the gateway of a command: in this process with the gateway's configuration, or a running one.

import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import { type Gateway, UsageError } from './command.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GatewayChoice {
  /** base URL of a running one */
  readonly gateway: string | undefined;
  readonly live: boolean;
}

const LIVE_URL = 'https://doi.org';
/** Defaults for the live system, which others run. */
const POLITE = { DIRECTORY_RPS: '10', DIRECTORY_CONNECTIONS: '8' };

/** Small, because there is only one caller. */
const SMALL = { CACHE_MAX_BYTES: String(32 * 2 ** 20) };

/** A person waits, and without any connection the cause is usually the local network. */
const FIRST_CONNECTION_MS = 1_000;

/** Settings for the clients of a listening gateway. Here there are none. */
const OF_CLIENTS = [
  'API_KEYS_FILE',
  'PUBLIC_ACCESS',
  'CLIENT_LOOKUPS_PER_SECOND',
  'PERSISTED_OPERATIONS',
  'PERSISTED_ONLY',
  'ACCESS_LOG',
  'JOBS_REDIS_URL',
  'JOBS_DIR',
  'ROLE',
];

/** Rejects with a UsageError if the configuration is invalid, and a NoGatewayError if a running gateway does not answer. */
export async function openGateway(choice: GatewayChoice, environment: Environment): Promise<Gateway> {
  if (choice.gateway === undefined) return openHere(choice.live, environment);
  if (choice.live)
    throw new UsageError('--live asks https://doi.org, --gateway another gateway: give one of them.');
  return openRunning(choice.gateway, environment['DOI_API_KEY'] || undefined);
}

async function openHere(isLive: boolean, environment: Environment): Promise<Gateway> {
  if (isLive && !environment['CONTACT']) {
    throw new UsageError(
      'Set CONTACT to your mail address to ask the live DOI system, so that its operators can reach you:\n' +
        '  CONTACT=you@example.org doi …',
    );
  }
  const { createApp } = await import('../../app.ts');
  const { ConfigError, parseConfig } = await import('../../config.ts');
  const { DirectoryFileError } = await import('../../directory/directory-file.ts');
  const { sendInProcess } = await import('../gateway-client/send-operation.ts');
  try {
    const config = parseConfig(environmentHere(isLive, environment));
    const app = await createApp(config, { firstConnectionMs: FIRST_CONNECTION_MS });
    const { baseUrls, isSample = false } = app.directory.description;
    return {
      ask: sendInProcess(app.fetch),
      maxLookups: config.MAX_LOOKUPS,
      isSample,
      directory: directoryTold(baseUrls),
      close: () => app.dispose(),
    };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DirectoryFileError)
      throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function environmentHere(isLive: boolean, environment: Environment): Environment {
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !OF_CLIENTS.includes(name)));
  const live = isLive ? { ...POLITE, ...rest, DOI_DIRECTORY_URL: LIVE_URL } : rest;
  return { ...SMALL, ...live, LOG_LEVEL: 'silent' };
}

async function openRunning(address: string, apiKey: string | undefined): Promise<Gateway> {
  const { sendOverHttp } = await import('../gateway-client/send-operation.ts');
  const ask = sendOverHttp({ url: graphqlUrl(address), apiKey });
  const { kind, baseUrls } = await askDirectory(ask);
  return {
    ask,
    maxLookups: null,
    // The gateway does not say whether these are the sample's records or an institution's own.
    isSample: kind === 'EMBEDDED',
    directory: directoryTold(baseUrls),
    async close() {},
  };
}

/** `https://doi.example.org` is `https://doi.example.org/graphql`. */
function graphqlUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search !== '') {
    throw new UsageError(
      '--gateway must be an http or https URL without password or query, such as https://doi.example.org.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/graphql') ? path : `${path}/graphql`;
  url.hash = '';
  return url.href;
}

interface DirectoryDescription {
  readonly kind: string;
  readonly baseUrls: readonly string[];
}

const NO_DIRECTORY_NAMED =
  'The gateway does not say which directory it looks names up in. Check that --gateway is the address of a DOI gateway.';

async function askDirectory(ask: SendOperation): Promise<DirectoryDescription> {
  const { data, errors } = await ask<{ doiDirectory?: Partial<DirectoryDescription> | null }>(
    '{ doiDirectory { kind baseUrls } }',
    {},
  );
  const { kind, baseUrls } = data?.doiDirectory ?? {};
  if (typeof kind === 'string' && Array.isArray(baseUrls)) return { kind, baseUrls: baseUrls.map(String) };
  throw new NoGatewayError(errors[0]?.message ?? NO_DIRECTORY_NAMED);
}

function directoryTold(baseUrls: readonly string[]): string {
  return baseUrls.length === 0 ? 'embedded' : baseUrls.map((url) => url.replace(/\/$/, '')).join(',');
}
