// Starts the gateway under test as a process. Its environment, its files and their paths contain secret texts, the canaries
// (canaries.ts). No response may contain a canary.

import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGateway, gatewayDir, type ServerProcess, startServer } from '../../bench/node-process.ts';
import { type Limits, limitsOf } from '../../src/app/limits.ts';
import { parseConfig } from '../../src/config.ts';
import { words } from './arbitraries.ts';
import { CANARY, CANARY_ADDRESS, KEYS_FILE, outputFaults, PASSWORD } from './canaries.ts';
import type { FuzzDirectory } from './directory.ts';

/** The files and folders next to `dist` that a gateway reads. */
const NEXT_TO_DIST = words('data graphiql inspector jobs-page node_modules package.json schema.graphql');

export interface Installation {
  /** Starts another process of the gateway. */
  start(directory: FuzzDirectory): Promise<FuzzedGateway>;
}

export interface FuzzedGateway extends ServerProcess {
  /**
   * Returns the faulty lines that the gateway wrote since the last call: anything on stderr, errors in the log, and
   * lines with a secret. @param secrets other texts that the log must not contain, besides LOG_SECRETS (canaries.ts)
   */
  newOutputFaults(secrets: readonly string[]): string[];
}

/** @param jobs the environment of a gateway with jobs, or `{}` */
export function installGateway(parent: string, jobs: Readonly<Record<string, string>>): Installation {
  buildGateway();
  const folder = join(parent, CANARY);
  mkdirSync(folder);
  cpSync(join(gatewayDir, 'dist'), join(folder, 'dist'), { recursive: true });
  const limits = `export const limitsOf = () => (${JSON.stringify(HASTY_LIMITS)});\n`;
  writeFileSync(join(folder, 'dist/app/limits.js'), limits);
  for (const name of NEXT_TO_DIST) symlinkSync(join(gatewayDir, name), join(folder, name));
  const file = join(folder, 'dist/main.js');
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, KEYS_FILE);
  return {
    async start(directory) {
      let output = '';
      const server = await startServer({
        file,
        env: { ...hastyEnvironment(directory), ...secretEnvironment(keysFile), ...jobs },
        nodeOptions: ['--max-old-space-size=512'],
        onOutput: (text) => {
          output += text;
        },
      });
      return {
        ...server,
        newOutputFaults(secrets) {
          const wholeLines = output.slice(0, output.lastIndexOf('\n') + 1);
          output = output.slice(wholeLines.length);
          return outputFaults(wholeLines, secrets);
        },
      };
    },
  };
}

/**
 * Times are short, so that a case ends soon. Limits of look-ups and responses are small, so that cases reach them. Limits of
 * jobs are large, because one client sends nearly all uploads.
 */
export const HASTY_LIMITS: Limits = {
  ...limitsOf(parseConfig({})),
  attemptMs: 300,
  lookUpMs: 1_500,
  retries: 1,
  upstreamBytes: 1_000_000,
  whichRa: { maxUrlBytes: 4_000, maxNames: 5 },
  responseBytes: 2_000_000,
  jobsOfClient: 10_000,
  jobsOfAll: 10_000,
  jobBytesOfClient: 200_000_000,
};

export function hastyEnvironment({ url, agencyHost }: FuzzDirectory): Record<string, string> {
  return {
    DOI_DIRECTORY_URL: url,
    METADATA: 'yes',
    METADATA_HOSTS: agencyHost,
    OPERATION_DEADLINE_MS: '5000',
    CACHE_MAX_BYTES: '8000000',
    MAX_LOOKUPS: '50',
    LOCAL_SERVICES: 'http://library.example/open',
    COUNTRY_HEADER: 'x-country',
    // Some cases reach this limit. But a request with a new address in X-Forwarded-For counts as a new client with its
    // own budget.
    CLIENT_LOOKUPS_PER_SECOND: '20',
    TRUSTED_PROXIES: `127.0.0.0/8,${CANARY_ADDRESS}`,
  };
}

/** Variables with canaries and secrets. The gateway logs every request, and the fuzzer reports each secret in the log. */
function secretEnvironment(keysFile: string): Record<string, string> {
  return {
    LOG_LEVEL: 'info',
    ACCESS_LOG: 'yes',
    CONTACT: `${CANARY}@example.org`,
    SECRET: CANARY,
    API_KEYS_FILE: keysFile,
    // No process listens on this port, so the gateway runs without its Redis cache.
    REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:1`,
  };
}

export function jobsEnvironment(queueUrl: string, folder: string): Record<string, string> {
  return {
    JOBS_REDIS_URL: queueUrl,
    JOBS_DIR: folder,
    MAX_JOB_BYTES: '1000000',
    JOBS_LOOKUPS_PER_SECOND: '2000',
    JOBS_MAX_BYTES: '400000000',
  };
}
