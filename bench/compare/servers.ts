// The servers to compare: four peers, a gateway with the same records in memory, and a gateway that uses a directory.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildGateway,
  endServers,
  type ServerProcess,
  type StartOptions,
  startDirectory,
  startServer,
} from '../node-process.ts';
import { agenciesFile, directoryFile } from '../peers/data.mjs';

export const PEERS = ['bare', 'mercurius', 'yoga', 'apollo'] as const;
export type PeerName = (typeof PEERS)[number];
/**
 * `ours` has its records in memory. `live` sends look-ups to a directory. `oursWithRaisedLimits` accepts ten thousand names
 * in one request. `otherBuild` is `ours` of another checkout.
 */
export type GatewayName = 'ours' | 'otherBuild' | 'live' | 'oursWithRaisedLimits';
export type ServerName = PeerName | GatewayName;

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

const RAISED_LIMITS = { MAX_LOOKUPS: '1000000', MAX_BODY_BYTES: '10000000' };

export interface Servers {
  /** Returns a running server. The first call starts it. */
  get(name: ServerName): Promise<ServerProcess>;
  /** Returns how to start a server with its records. */
  startOptions(name: ServerName): Promise<StartOptions>;
  end(): Promise<void>;
}

/** @param otherCheckout the folder of another built checkout; null: there is no other */
export function createServers(otherCheckout: string | null): Servers {
  installPeers();
  const gateway = buildGateway();
  const folder = mkdtempSync(join(tmpdir(), 'doi-bench-'));
  const records = join(folder, 'records.jsonl');
  const agencies = join(folder, 'agencies.json');
  writeFileSync(records, directoryFile());
  writeFileSync(agencies, agenciesFile());
  const embedded = { DOI_DIRECTORY_FILE: records, DOI_AGENCIES_FILE: agencies };
  const started = new Map<ServerName, Promise<ServerProcess>>();
  let live: Promise<Readonly<Record<string, string>>> | undefined;

  async function startOptions(name: ServerName): Promise<StartOptions> {
    if (name === 'ours') return { file: gateway, env: embedded };
    if (name === 'otherBuild') return { file: join(otherCheckout ?? '', 'dist/main.js'), env: embedded };
    if (name === 'oursWithRaisedLimits') return { file: gateway, env: { ...embedded, ...RAISED_LIMITS } };
    if (name !== 'live') return { file: join(PEERS_DIR, `${name}.mjs`) };
    live ??= startLive(records);
    return { file: gateway, env: await live };
  }

  return {
    startOptions,
    get(name) {
      const server = started.get(name) ?? startOptions(name).then((options) => startServer(options));
      started.set(name, server);
      return server;
    },
    async end() {
      await endServers();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a directory and Crossref's API. Returns the environment of a gateway that uses them. */
async function startLive(records: string): Promise<Readonly<Record<string, string>>> {
  const [directory, crossref] = await Promise.all([startDirectory(0, records), startDirectory()]);
  return {
    DOI_DIRECTORY_URL: directory.url,
    CROSSREF_API_URL: crossref.url,
    MAX_METADATA: '2000',
  };
}

function installPeers(): void {
  if (existsSync(join(PEERS_DIR, 'node_modules'))) return;
  console.log('Installing the peers …');
  // Some packages of the peers declare a newer Node, but they also run on this version.
  const env = { ...process.env, npm_config_engine_strict: 'false' };
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: PEERS_DIR, env });
}
