// Reads the configuration from the environment, checks it as a whole, and freezes it.

import type { z } from 'zod';
import { JOB_VARIABLES } from './config-variables/job-variables.ts';
import { METADATA_VARIABLES } from './config-variables/metadata-variables.ts';
import { LISTENING_VARIABLES, PROCESS_VARIABLES } from './config-variables/process-variables.ts';
import { REMOVED_VARIABLES } from './config-variables/removed-variables.ts';
import { CLIENT_VARIABLES, REQUEST_VARIABLES } from './config-variables/request-variables.ts';
import { SOURCE_VARIABLES } from './config-variables/source-variables.ts';
import type { Variable } from './config-variables/variable-types.ts';
import { editDistance } from './edit-distance.ts';

/** All variables that the gateway reads, in the order of docs/configuration.md. */
export const VARIABLES = {
  ...LISTENING_VARIABLES,
  ...SOURCE_VARIABLES,
  ...METADATA_VARIABLES,
  ...REQUEST_VARIABLES,
  ...CLIENT_VARIABLES,
  ...JOB_VARIABLES,
  ...PROCESS_VARIABLES,
} as const satisfies Record<string, Variable>;

/** The message is for the operator. It names each wrong variable on its own line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

type Variables = typeof VARIABLES;

type ValueOf<V extends Variable> = z.output<V['type']> | (V extends { default: string } ? never : null);

/** Null for a variable that is unset and has no default. */
export type Config = { readonly [Name in keyof Variables]: ValueOf<Variables[Name]> };

/** Throws one ConfigError for all wrong variables. Does not open files. Treats an empty variable as unset. */
export function parseConfig(environment: Environment = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries<Variable>(VARIABLES).map(([name, variable]) => {
    const text = environment[name] || environment[variable.alias ?? name] || variable.default;
    if (text === undefined) return [name, null];
    const parsed = variable.type.safeParse(text);
    if (!parsed.success) {
      const reasons = parsed.error.issues.map(({ message }) => message).join(', ');
      const { redact = withoutPasswords } = variable;
      problems.push(`${name}="${redact(text)}": ${reasons}`);
    }
    return [name, parsed.data];
  });
  const config = Object.freeze(Object.fromEntries(entries)) as Config;
  problems.push(...contradictionsIn(config));
  if (problems.length > 0) {
    throw new ConfigError(
      `The configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return config;
}

const LEVELS_ABOVE_INFO: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent']);

function contradictionsIn(config: Config): string[] {
  const { JOBS_REDIS_URL: redis, JOBS_DIR: directory, DIRECTORY_RPS: rps } = config;
  const { JOBS_LOOKUPS_PER_SECOND: jobRate, LOG_LEVEL: level } = config;
  const rules: (readonly [boolean, string])[] = [
    [
      config.PERSISTED_ONLY && config.PERSISTED_OPERATIONS === null,
      'PERSISTED_ONLY="yes": there are no operations without PERSISTED_OPERATIONS',
    ],
    [
      config.ACCESS_LOG !== 'no' && LEVELS_ABOVE_INFO.has(level),
      `LOG_LEVEL="${level}": the lines of ACCESS_LOG are of level info`,
    ],
    [
      !config.PUBLIC_ACCESS && config.API_KEYS_FILE === null,
      'PUBLIC_ACCESS="no": no client has access without API_KEYS_FILE',
    ],
    [
      (redis === null) !== (directory === null),
      `${redis === null ? 'JOBS_REDIS_URL' : 'JOBS_DIR'}="": set both JOBS_REDIS_URL and JOBS_DIR, or neither`,
    ],
    [config.ROLE === 'worker' && redis === null, 'ROLE="worker": a worker needs JOBS_REDIS_URL'],
    [
      redis !== null && rps !== null && jobRate >= rps,
      `JOBS_LOOKUPS_PER_SECOND="${jobRate}": must be less than DIRECTORY_RPS (${rps}), because other clients need a part of it`,
    ],
  ];
  return rules.flatMap(([holds, text]) => (holds ? [text] : []));
}

/** Whether the process was started with an option for the size of the heap. */
export function isHeapSet(environment: Environment = process.env, options = process.execArgv): boolean {
  return [environment['NODE_OPTIONS'] ?? '', ...options].some((text) => HEAP_OPTION.test(text));
}

const HEAP_OPTION = /--max[-_](?:old[-_]space|heap)[-_]size/;

/** Lines for the log at the start. Unlike a ConfigError, they do not stop the gateway. */
export function configNotices(config: Config) {
  const { DOI_DIRECTORY_URL: baseUrls, HTTPS_PROXY: proxy } = config;
  const notices: (readonly [boolean, 'info' | 'warn', string])[] = [
    [
      config.REDIS_URL !== null && baseUrls === null,
      'warn',
      'REDIS_URL has no effect without DOI_DIRECTORY_URL: the embedded directory needs no cache.',
    ],
    [
      config.CONTACT === null && (baseUrls ?? []).some(isPublicProxy),
      'warn',
      'Requests go to the live DOI system without CONTACT: set it to your mail address, so that its operators can reach you.',
    ],
    [
      proxy !== null && baseUrls !== null,
      'info',
      `Requests over https go through the proxy ${proxy?.origin}. The gateway does not check the IP addresses that the proxy connects to.`,
    ],
  ];
  return notices.filter(([holds]) => holds).map(([, level, text]) => ({ level, text }));
}

/** Whether the URL belongs to the live DOI system, and not to a mirror or a test server. */
export function isPublicProxy({ hostname }: URL): boolean {
  return /^(?:.+\.)?(?:doi\.org|handle\.net)$/.test(hostname);
}

/** A message for each removed variable that is set. */
export function removedVariables(environment: Environment = process.env): readonly string[] {
  return Object.entries(REMOVED_VARIABLES)
    .filter(([name]) => environment[name] && !Object.hasOwn(VARIABLES, name))
    .map(([name, replacement]) => `The gateway no longer reads ${name}. ${replacement}`);
}

/** Beginnings that only names of the gateway's variables have. No other known program reads such variables. */
const GATEWAY_PREFIXES =
  /^(?:DOI_DIRECTORY|DOI_AGENC|DIRECTORY_|WHICH_RA_|CACHE_MAX|MAX_(?:BODY|QUERY|COMPLEXITY|LOOKUP)|SHUTDOWN_|PERSISTED_|AGENCY_|TRUSTED_PROX|CLIENT_LOOKUPS|API_KEYS|JOBS_|MAX_JOB|PUBLIC_ACCESS)/;

/**
 * How many characters may differ between two names, if the shorter name has this length. Short names may differ less,
 * because other programs have similar names: `PATH` and `PORT`, `POST` and `HOST`, `CONTENT` and `CONTACT`.
 */
function allowedDistance(length: number): number {
  if (length < 6) return 0;
  return length < 8 ? 1 : 2;
}

/** Names that `unknownVariables` ignores: aliases such as `https_proxy`, removed variables, names of other programs. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...Object.values<Variable>(VARIABLES).flatMap(({ alias }) => alias ?? []),
  ...Object.keys(REMOVED_VARIABLES),
  'HTTP_PROXY',
  'http_proxy',
]);

/**
 * Variables that the gateway does not have, but whose names look like its variables. They are probably misspelled.
 * `suggestion`: the most similar variable of the gateway.
 */
export function unknownVariables(environment: Environment = process.env) {
  return Object.keys(environment)
    .filter((name) => !Object.hasOwn(VARIABLES, name) && !KNOWN_NAMES.has(name))
    .flatMap((name) => {
      const upper = name.toUpperCase();
      const { suggestion, distance } = mostSimilar(upper);
      const isSimilar = distance <= allowedDistance(Math.min(name.length, suggestion.length));
      return isSimilar || GATEWAY_PREFIXES.test(upper) ? [{ name, suggestion }] : [];
    });
}

function mostSimilar(name: string) {
  const suggestions = Object.keys(VARIABLES).map((suggestion) => ({
    suggestion,
    distance: editDistance(name, suggestion),
  }));
  return suggestions.reduce((best, next) => (next.distance < best.distance ? next : best));
}

/** Hides user names and passwords in one URL, or in several URLs with commas between them. */
function withoutPasswords(text: string): string {
  return text.replace(/\/\/(?:(?!,\s*[a-z]+:\/\/).)*@/gis, '//***@');
}
