// npm run look-up-path: counts the files and functions that run for one uncached look-up, by the call counts of V8. Also
// counts the hops inside upstream/: the calls on the way from the directory's `resolve` to undici.

import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { createGatewayServer } from '../src/http/connection/gateway-server.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = process.argv.includes('--list');

/** Answers each look-up of a record. */
const directory = createServer((request, response) => {
  const handle = decodeURIComponent(/^\/api\/handles\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '');
  const value = {
    index: 1,
    type: 'URL',
    data: { format: 'string', value: 'https://example.org/' },
    ttl: 86_400,
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ responseCode: 1, handle, values: [value] }));
});
const portOf = async (server: Pick<typeof directory, 'listen' | 'address'>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const config = parseConfig({
  LOG_LEVEL: 'silent',
  DOI_DIRECTORY_URL: `http://127.0.0.1:${await portOf(directory)}`,
});
const app = await createApp(config);
const server = createGatewayServer(app.listener, { config, log: app.log, memoryAccount: app.memoryAccount });
const url = `http://127.0.0.1:${await portOf(server)}/graphql`;

async function lookUp(name: string): Promise<void> {
  const query = 'query ($name: String!) { doi(input: $name) { record { values { index } } } }';
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables: { name } });
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (!text.includes('"index":1')) throw new Error(`The look-up of ${name} failed: ${text}`);
}

/** `upstream/proxy.ts` for a URL or a path below src/. */
function fileOf(location: string): string | null {
  const path = location.startsWith('file:') ? fileURLToPath(location) : location;
  const inSrc = relative(`${ROOT}src`, path);
  return inSrc.startsWith('..') || !inSrc.endsWith('.ts') ? null : inSrc;
}

/** The functions of upstream/ on the way to undici, from the first call to the last. */
let way: string[] = [];
const { dispatch } = Client.prototype;
Client.prototype.dispatch = function watched(...args) {
  const calls = (new Error().stack ?? '').split('\n').flatMap((line) => {
    const [, path = '', position = ''] = /(?:file:\/\/)?(\/[^:]*):(\d+):\d+\)?$/.exec(line) ?? [];
    const file = fileOf(path);
    return file?.startsWith('upstream/') ? [`${file}:${position}`] : [];
  });
  way = calls.reverse();
  return dispatch.apply(this, args);
};
Error.stackTraceLimit = 200;

// The first look-ups make connections, and read what later look-ups remember.
for (const suffix of ['a', 'b', 'c']) await lookUp(`10.5555/${suffix}`);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await lookUp('10.5555/counted');
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();

const called = result.flatMap(({ url, functions }) => {
  const file = fileOf(url);
  // `__name` is a function of esbuild.
  const called = functions.filter((f) => f.functionName !== '__name' && (f.ranges[0]?.count ?? 0) > 0);
  const names = called.map(({ functionName }) => functionName);
  return file === null || names.length === 0 ? [] : [{ file, names }];
});
const ofUpstream = called.filter(({ file }) => file.startsWith('upstream/'));
const counts = (files: typeof called): string =>
  `${files.length} files, ${files.reduce((sum, { names }) => sum + names.length, 0)} functions`;
console.log(`${counts(called)}; inside upstream/ ${counts(ofUpstream)}, ${way.length - 1} hops`);
if (LIST) {
  for (const { file, names } of called.sort((one, other) => (one.file < other.file ? -1 : 1)))
    console.log(`${file}: ${names.map((name) => name || '(anonymous)').join(' ')}`);
  console.log(`the way: ${way.join(' → ')}`);
}
server.closeAllConnections();
server.close();
directory.closeAllConnections();
directory.close();
await app.dispose();
