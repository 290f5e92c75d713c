// The gateway that is fuzzed: a process of its own, with canaries in its environment, its files and their path.

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Limits, limitsOf } from '../../src/app/limits.ts';
import { parseConfig } from '../../src/config.ts';
import { type RedisServer, startRedisServer, withoutRedis } from '../../test/support/redis-server.ts';
import { builtGateway, gatewayDir, type ServerProcess, startServer } from '../node-process.ts';
import { CANARY, CANARY_ADDRESS, complaintsIn, KEYS_FILE, PASSWORD } from './canaries.ts';
import type { FuzzDirectory } from './directory.ts';

/** What a gateway reads from beside its own folder. */
const BESIDE = ['data', 'inspector', 'jobs-page', 'node_modules', 'package.json', 'schema.graphql'];

export interface Installation {
  /** a process that has not begun to answer anything */
  start(directory: FuzzDirectory): Promise<FuzzedGateway>;
  remove(): void;
}

export interface FuzzedGateway extends ServerProcess {
  /**
   * What it said since it was last asked that is a fault: anything on stderr, errors in the log, and lines that hold a
   * secret. @param secrets beside those that are always looked for
   */
  complaints(secrets: readonly string[]): string[];
}

/** @param queueUrl a Redis for the queue of jobs; null: there are none */
export function installGateway(queueUrl: string | null): Installation {
  builtGateway();
  const folder = mkdtempSync(join(tmpdir(), `doi-fuzz-${CANARY}-`));
  cpSync(join(gatewayDir, 'dist'), join(folder, 'dist'), { recursive: true });
  const limits = `export const limitsOf = () => (${JSON.stringify(HASTY_LIMITS)});\n`;
  writeFileSync(join(folder, 'dist/app/limits.js'), limits);
  for (const name of BESIDE) symlinkSync(join(gatewayDir, name), join(folder, name));
  const file = join(folder, 'dist/main.js');
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, KEYS_FILE);
  const jobs = queueUrl === null ? {} : jobsEnvironment(queueUrl, join(folder, 'jobs'));
  return {
    async start(directory) {
      let said = '';
      const server = await startServer({
        file,
        env: { ...hastyEnvironment(directory), ...secretEnvironment(keysFile), ...jobs },
        nodeOptions: ['--max-old-space-size=512'],
        onOutput: (text) => {
          said += text;
        },
      });
      return {
        ...server,
        complaints(secrets) {
          const whole = said.slice(0, said.lastIndexOf('\n') + 1);
          said = said.slice(whole.length);
          return complaintsIn(whole, secrets);
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Short times, so that a case ends soon; small limits, so that cases reach them. */
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
    // Met now and then: a client that X-Forwarded-For makes up has a budget of its own.
    CLIENT_LOOKUPS_PER_SECOND: '20',
    TRUSTED_PROXIES: `127.0.0.0/8,${CANARY_ADDRESS}`,
  };
}

/** What may stand in no answer and in no line of the log. */
function secretEnvironment(keysFile: string): Record<string, string> {
  return {
    LOG_LEVEL: 'info',
    ACCESS_LOG: 'yes',
    CONTACT: `${CANARY}@example.org`,
    SECRET: CANARY,
    API_KEYS_FILE: keysFile,
    // Nobody listens there, so everything that waits for Redis goes on without.
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

// The Redis that the fuzzed gateway has its jobs in.

interface FuzzQueue {
  /** null where no redis-server is installed: then there are no jobs */
  readonly url: string | null;
  close(): Promise<void>;
}

export async function startFuzzQueue(): Promise<FuzzQueue> {
  if (withoutRedis('the jobs')) return { url: null, close: async () => undefined };
  const redis: RedisServer = await startRedisServer();
  await redis.client.config('SET', 'requirepass', PASSWORD);
  return { url: redis.url.replace('//', `//:${PASSWORD}@`), close: () => redis.close() };
}
