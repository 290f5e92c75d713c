// Opens the gateway of a command. By default, it starts a gateway in this process, with the configuration of the environment.

import { NoGatewayError, type SendOperation } from '../gateway-client/send-operation.ts';
import { type CommandEnvironment, type Gateway, UsageError } from './command.ts';

export interface GatewayChoice {
  /** the base URL of a running gateway */
  readonly gateway: string | undefined;
  readonly live: boolean;
}

const LIVE_URL = 'https://doi.org';
/** Low default limits, because other organizations run the live DOI system. */
const LIVE_LIMITS = { DIRECTORY_RPS: '10', DIRECTORY_CONNECTIONS: '8' };

/** A gateway with one caller needs only a small cache. */
const SMALL_CACHE = { CACHE_MAX_BYTES: String(32 * 2 ** 20) };

/** A person waits for the result. If no connection opens in this time, the cause is usually the local network. */
const FIRST_CONNECTION_MS = 1_000;

/** Settings for a gateway with HTTP clients. The gateway of a command has no HTTP clients, so it ignores these settings. */
const IGNORED_SETTINGS = [
  'API_KEYS_FILE',
  'PUBLIC_ACCESS',
  'CLIENT_LOOKUPS_PER_SECOND',
  'PERSISTED_OPERATIONS',
  'PERSISTED_ONLY',
  'INTROSPECTION',
  'ACCESS_LOG',
  'JOBS_REDIS_URL',
  'JOBS_DIR',
  'ROLE',
];

/** Rejects with a UsageError for an invalid configuration, or with a NoGatewayError if a running gateway does not answer. */
export async function openGateway(choice: GatewayChoice, environment: CommandEnvironment): Promise<Gateway> {
  if (choice.gateway === undefined) return openHere(choice.live, environment);
  if (choice.live)
    throw new UsageError('--live uses https://doi.org, --gateway uses another gateway. Give only one.');
  return openRunning(choice.gateway, environment['DOI_API_KEY'] || undefined);
}

async function openHere(isLive: boolean, environment: CommandEnvironment): Promise<Gateway> {
  if (isLive && !environment['CONTACT']) {
    throw new UsageError(
      'To use the live DOI system, set CONTACT to your mail address, so that its operators can reach you:\n' +
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
    return {
      send: sendInProcess(app.fetch),
      maxLookups: config.MAX_LOOKUPS,
      isSample: app.directory.description.isSample ?? false,
      close: () => app.dispose(),
    };
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DirectoryFileError)
      throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

function environmentHere(isLive: boolean, environment: CommandEnvironment): CommandEnvironment {
  const used = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !IGNORED_SETTINGS.includes(name)),
  );
  const live = isLive ? { ...LIVE_LIMITS, ...used, DOI_DIRECTORY_URL: LIVE_URL } : used;
  return { ...SMALL_CACHE, ...live, LOG_LEVEL: 'silent' };
}

async function openRunning(address: string, apiKey: string | undefined): Promise<Gateway> {
  const { sendOverHttp } = await import('../gateway-client/send-operation.ts');
  const send = sendOverHttp(graphqlUrl(address), apiKey);
  return {
    send,
    maxLookups: null,
    // A running gateway does not report whether its embedded directory is the sample. So each counts as a sample.
    isSample: (await kindOfDirectory(send)) === 'EMBEDDED',
    async close() {},
  };
}

/** Example: `https://doi.example.org/graphql` for `https://doi.example.org`. */
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

const NO_DIRECTORY_NAMED =
  'The gateway does not say which directory it uses. Check that --gateway is the address of a DOI gateway.';

async function kindOfDirectory(send: SendOperation): Promise<string> {
  const { data, errors } = await send<{
    doiDirectory?: { readonly kind?: unknown; readonly baseUrls?: unknown } | null;
  }>('{ doiDirectory { kind baseUrls } }', {});
  const { kind, baseUrls } = data?.doiDirectory ?? {};
  if (typeof kind === 'string' && Array.isArray(baseUrls)) return kind;
  throw new NoGatewayError(errors[0]?.message ?? NO_DIRECTORY_NAMED);
}
