// The gateway that is fuzzed: a process of its own, with canaries in its environment, its files and their path.

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtGateway, gatewayDir, type ServerProcess, startServer } from '../node-process.ts';
import { CANARY, CANARY_ADDRESS, KEYS_FILE } from './canaries.ts';

/** What a gateway reads from beside its own folder. */
const BESIDE = ['data', 'inspector', 'node_modules', 'package.json'];

export interface Installation {
  /** a process that has not begun to answer anything */
  start(directoryUrl: string): Promise<FuzzedGateway>;
  remove(): void;
}

export interface FuzzedGateway extends ServerProcess {
  /** what it said since it was last asked that is a fault: anything on stderr, and errors in the log */
  complaints(): string[];
}

export function installGateway(): Installation {
  builtGateway();
  const folder = mkdtempSync(join(tmpdir(), `doi-fuzz-${CANARY}-`));
  cpSync(join(gatewayDir, 'dist'), join(folder, 'dist'), { recursive: true });
  for (const name of BESIDE) symlinkSync(join(gatewayDir, name), join(folder, name));
  const file = join(folder, 'dist/main.js');
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, KEYS_FILE);
  return {
    async start(directoryUrl) {
      const said: string[] = [];
      const server = await startServer({
        file,
        env: environment(directoryUrl, keysFile),
        nodeOptions: ['--max-old-space-size=512'],
        onOutput: (text) => said.push(text),
      });
      return { ...server, complaints: () => said.splice(0).filter((text) => text.trim() !== '') };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Short times, so that a case is over soon; small bounds, so that they are met. */
function environment(directoryUrl: string, keysFile: string): Record<string, string> {
  return {
    DOI_DIRECTORY_URL: directoryUrl,
    DIRECTORY_TIMEOUT_MS: '300',
    DIRECTORY_DEADLINE_MS: '1500',
    DIRECTORY_RETRIES: '1',
    DIRECTORY_MAX_RESPONSE_BYTES: '1000000',
    OPERATION_DEADLINE_MS: '5000',
    CACHE_MAX_BYTES: '8000000',
    MAX_RESPONSE_BYTES: '2000000',
    MAX_LOOKUPS: '50',
    WHICH_RA_MAX_NAMES: '5',
    LOCAL_SERVICES: 'http://library.example/open',
    COUNTRY_HEADER: 'x-country',
    CONTACT: `${CANARY}@example.org`,
    SECRET: CANARY,
    API_KEYS_FILE: keysFile,
    // Met now and then: a client that X-Forwarded-For makes up has a budget of its own.
    CLIENT_LOOKUPS_PER_SECOND: '20',
    TRUSTED_PROXIES: `127.0.0.0/8,${CANARY_ADDRESS}`,
    // Nobody listens there, so everything that waits for Redis goes on without.
    REDIS_URL: `redis://:${CANARY}@127.0.0.1:1`,
  };
}
