// The servers to compare: four peers, a gateway with the same records in memory, and a gateway that uses a directory.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedEnvironment } from '../command.ts';
import {
  buildGateway,
  type ServerProcess,
  type StartOptions,
  startDirectory,
  startServer,
} from '../node-process.ts';

export const PEERS = ['bare', 'mercurius', 'yoga', 'apollo'] as const;
/**
 * `ours` has its records in memory. `live` sends look-ups to a directory. `oursWithRaisedLimits` accepts ten thousand names
 * in one request. `otherBuild` is `ours` of another checkout.
 */
export type ServerName = (typeof PEERS)[number] | 'ours' | 'otherBuild' | 'live' | 'oursWithRaisedLimits';

export const TITLES: Readonly<Record<ServerName, string>> = {
  bare: 'bare node:http',
  mercurius: 'Mercurius + JIT',
  yoga: 'Yoga',
  apollo: 'Apollo Server 5',
  ours: 'ours',
  otherBuild: 'ours, the other build',
  live: 'ours, live',
  oursWithRaisedLimits: 'ours, raised limits',
};

const PEERS_DIR = fileURLToPath(new URL('../peers/', import.meta.url));

export interface Servers {
  readonly startOptions: Readonly<Record<ServerName, StartOptions>>;
  /** Returns a running server. The first call starts it. */
  get(name: ServerName): Promise<ServerProcess>;
}

/**
 * @param folder where the servers read their records
 * @param otherCheckout the folder of another built checkout, for `otherBuild`
 */
export async function createServers(folder: string, otherCheckout: string): Promise<Servers> {
  installPeers();
  const file = buildGateway();
  const env = embeddedEnvironment(folder);
  const directory = await startDirectory(0, env['DOI_DIRECTORY_FILE']);
  const crossref = await startDirectory();
  const live = { DOI_DIRECTORY_URL: directory.url, CROSSREF_API_URL: crossref.url, MAX_METADATA: '2000' };
  const peer = (name: string): StartOptions => ({ file: join(PEERS_DIR, `${name}.mjs`) });
  const startOptions: Servers['startOptions'] = {
    bare: peer('bare'),
    mercurius: peer('mercurius'),
    yoga: peer('yoga'),
    apollo: peer('apollo'),
    ours: { file, env },
    otherBuild: { file: resolve(otherCheckout, 'dist/main.js'), env },
    live: { file, env: live },
    oursWithRaisedLimits: { file, env: { ...env, MAX_LOOKUPS: '1000000', MAX_BODY_BYTES: '10000000' } },
  };
  const started = new Map<ServerName, Promise<ServerProcess>>();
  return {
    startOptions,
    get(name) {
      const server = started.get(name) ?? startServer(startOptions[name]);
      started.set(name, server);
      return server;
    },
  };
}

function installPeers(): void {
  if (existsSync(join(PEERS_DIR, 'node_modules'))) return;
  console.log('Installing the peers …');
  // Some packages of the peers declare a newer Node, but they also run on this version.
  const env = { ...process.env, npm_config_engine_strict: 'false' };
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: PEERS_DIR, env });
}
