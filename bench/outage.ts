// A directory that stops, that never responds, that is slow, and one that was never there: how long look-ups take to
// fail, and what fails at all. npx tsx bench/outage.ts; uses redis-server where there is one.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { endAll, names, print, startDirectory, startGateway, timed } from './stage.ts';

interface Ended {
  readonly at: number;
  readonly ms: number;
  /** null: answered */
  readonly code: string | null;
  readonly message: string;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (ms: number): number => +(ms / 1_000).toFixed(2);

async function look(url: string, inputs: readonly string[]): Promise<Ended> {
  const at = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($inputs: [String!]!) { dois(inputs: $inputs) { record { status } } }',
      variables: { inputs },
    }),
  });
  const { errors } = (await response.json()) as {
    errors?: { message: string; extensions: { code: string } }[];
  };
  const [error] = errors ?? [];
  return {
    at,
    ms: performance.now() - at,
    code: error?.extensions.code ?? null,
    message: error?.message ?? '',
  };
}

/** One look-up of a new name every 100 ms, and one when it begins. */
function startLoad(url: string, prefix: string) {
  let stopped = false;
  const looks: Promise<Ended>[] = [];
  const running = (async () => {
    for (let index = 0; !stopped; index += 1) {
      looks.push(look(url, names(`${prefix}-${index}`, 1)));
      await pause(100);
    }
  })();
  return {
    async stop(): Promise<Ended[]> {
      stopped = true;
      await running;
      return Promise.all(looks);
    },
  };
}

async function readyz(url: string) {
  const response = await fetch(`${url}/readyz`);
  const { status, directory } = (await response.json()) as {
    status: string;
    directory: { available: boolean; problem?: string };
  };
  return { code: response.status, status, ...directory };
}

async function openedAt(url: string): Promise<number> {
  while ((await readyz(url)).available) await pause(20);
  return performance.now();
}

async function outage(mode: 'gone' | 'silent'): Promise<Record<string, unknown>> {
  const directory = await startDirectory({ latencyMs: 20 });
  const gateway = await startGateway({ DOI_DIRECTORY_URL: directory.url });
  const known = names('known', 100);
  await look(gateway.url, known);
  await directory.tell({ mode });
  const begun = performance.now();
  const load = startLoad(gateway.url, `load-${mode}`);
  const opened = await openedAt(gateway.url);
  await pause(12_000);
  const mixed = await look(gateway.url, [...known, '10.5555/cold']);
  await pause(Math.max(0, opened + 20_000 - performance.now()));
  if (mode === 'silent') await directory.tell({ mode: 'ok' });
  else await startDirectory({ latencyMs: 20 }, directory.port);
  const first = await look(gateway.url, names(`first-${mode}`, 100));
  const looks = await load.stop();
  const failed = looks.filter(({ code }) => code !== null);
  const groupAt = Math.min(...failed.map(({ at, ms }) => at + ms));
  const end = ({ at, ms }: Ended): number => at + ms;
  // What was sent just before may have arrived just after.
  const isOfGroup = ({ at }: Ended): boolean => at < groupAt - 250;
  const group = failed.filter(isOfGroup);
  const later = failed.filter((one) => !isOfGroup(one));
  await endAll();
  return {
    directory: mode,
    'noticed after s': seconds(opened - begun),
    'first group': group.length,
    'ended s after opening': seconds(Math.max(...group.map(end)) - opened),
    'later ones': later.length,
    'waited s at most': seconds(Math.max(...later.map(({ ms }) => ms))),
    '100 known and 1 cold, s': seconds(mixed.ms),
    'first 100 new names': `${first.code ?? 'all answered'}, ${seconds(first.ms)} s`,
  };
}

/** Three times 20 s of load on a directory that always takes so long, one of them after a fast minute. */
async function slow(latencyMs: number, fastBefore: boolean): Promise<Record<string, unknown>> {
  const directory = await startDirectory({ latencyMs: fastBefore ? 20 : latencyMs });
  const gateway = await startGateway({ DOI_DIRECTORY_URL: directory.url });
  if (fastBefore) await look(gateway.url, names('fast', 500));
  await directory.tell({ latencyMs });
  let opened = 0;
  let wasOpen = false;
  const watch = setInterval(async () => {
    const isOpen = await readyz(gateway.url).then(
      ({ available }) => !available,
      () => wasOpen,
    );
    if (isOpen && !wasOpen) opened += 1;
    wasOpen = isOpen;
  }, 50);
  const load = startLoad(gateway.url, `slow-${latencyMs}`);
  await pause(30_000);
  const looks = await load.stop();
  clearInterval(watch);
  await endAll();
  const ms = looks.map((each) => each.ms).sort((a, b) => a - b);
  return {
    'latency s': latencyMs / 1_000,
    before: fastBefore ? '20 ms' : 'nothing',
    'look-ups': looks.length,
    failed: looks.filter(({ code }) => code !== null).length,
    'circuit opened': opened,
    'median s': seconds(ms[ms.length >> 1] ?? 0),
    'most s': seconds(ms.at(-1) ?? 0),
  };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function atTheStart(): Promise<Record<string, unknown>[]> {
  const redis = await startRedis();
  const page = createServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')),
  ).listen(0, '127.0.0.1');
  await once(page, 'listening');
  const silent = await startDirectory({ mode: 'silent' });
  const urls = {
    refused: `http://127.0.0.1:${await closedPort()}`,
    'never responds': silent.url,
    'no such host': 'http://directory.invalid',
    'a page': `http://127.0.0.1:${(page.address() as AddressInfo).port}`,
  };
  const rows: Record<string, unknown>[] = [];
  for (const [directory, url] of Object.entries(urls)) {
    const env = { DOI_DIRECTORY_URL: url, ...(redis && { REDIS_URL: redis.url }) };
    const gateway = await startGateway(env);
    await pause(1_500);
    const { code, status, problem } = await readyz(gateway.url);
    const first = await look(gateway.url, ['10.5555/first']);
    rows.push({
      directory,
      'shared cache': redis ? 'up' : 'off',
      '/readyz': `${code} ${status}`,
      problem,
      'look-up failed after s': seconds(first.ms),
      message: first.message,
    });
    gateway.process.kill('SIGKILL');
  }
  page.close();
  redis?.process.kill('SIGKILL');
  await endAll();
  return rows;
}

async function startRedis(): Promise<{ readonly url: string; readonly process: ChildProcess } | null> {
  const port = await closedPort();
  const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'];
  const redis = spawn('redis-server', args);
  const failed = once(redis, 'error').then(() => null);
  const started = (async () => {
    for await (const line of redis.stdout) if (String(line).includes('Ready to accept')) break;
    redis.stdout.resume();
    return { url: `redis://127.0.0.1:${port}`, process: redis };
  })();
  return Promise.race([started, failed]);
}

/** Where `doi show` has a directory in its own process, it shows what the start of the command takes. */
async function show(env: Readonly<Record<string, string>>) {
  const doi = fileURLToPath(new URL('../src/tools/cli/doi.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', doi, 'show', '10.1000/182'], {
    env: { PATH: process.env['PATH'], ...env },
  });
  const exited = once(child, 'close');
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  await exited;
  const failure = text.split('\n').find((line) => line.includes('not known'));
  return { exit: child.exitCode, says: failure?.replace('not known', '').trim() ?? '' };
}

async function offline(): Promise<Record<string, unknown>[]> {
  const environments = {
    'the sample': {},
    refused: { DOI_DIRECTORY_URL: `http://127.0.0.1:${await closedPort()}` },
    'no such host': { DOI_DIRECTORY_URL: 'http://directory.invalid' },
  };
  const rows: Record<string, unknown>[] = [];
  for (const [directory, env] of Object.entries(environments)) {
    const { ms, result } = await timed(() => show(env));
    rows.push({ directory, s: seconds(ms), ...result });
  }
  return rows;
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  outage: async () => print('an outage of 20 s', [await outage('gone'), await outage('silent')]),
  slow: async () =>
    print('30 s of load on a slow directory', [
      await slow(3_000, false),
      await slow(3_000, true),
      await slow(8_000, false),
      await slow(8_000, true),
    ]),
  start: async () => print('a start without the directory', await atTheStart()),
  offline: async () => print('the command line', await offline()),
};

try {
  const asked = process.argv.slice(2);
  for (const [name, part] of Object.entries(PARTS))
    if (asked.length === 0 || asked.includes(name)) await part();
} finally {
  await endAll();
}
