// A directory in a separate process, which is also Crossref's API: answers every name after a while. Names that begin
// with `silent-` get no response, those with `reset-` have their connection reset.

import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Seen } from './node-process.ts';
import { workOfCrossref } from './peers/works.mjs';

const [latencyMs, file] = process.argv.slice(2);
const NOTHING = { records: 0, connections: 0 };
let seen = { ...NOTHING };

/** Values by handle, of a file of JSON Lines; names that are not in it are made up. */
const stored = new Map<string, unknown>();
for (const line of file ? readFileSync(file, 'utf8').trimEnd().split('\n') : []) {
  const { handle, values } = JSON.parse(line) as { handle: string; values: unknown };
  stored.set(handle, values);
}

const server = createServer(async (request, response) => {
  const target = request.url ?? '';
  const isRecord = target.startsWith('/api/handles/');
  if (isRecord) seen.records += 1;
  if (target.includes('/silent-')) return;
  if (target.includes('/reset-')) {
    request.socket.resetAndDestroy();
    return;
  }
  await setTimeout(Number(latencyMs));
  response.setHeader('content-type', 'application/json;charset=utf-8');
  if (target.startsWith('/works?'))
    answerWorks(response, new URLSearchParams(target.slice('/works?'.length)));
  else if (isRecord) {
    const handle = decodeURIComponent(target.slice('/api/handles/'.length).split('?')[0] ?? '');
    // The same in whatever case a name is asked for.
    const data = { format: 'string', value: `https://example.org/${handle.toLowerCase()}` };
    const made = [{ index: 1, type: 'URL', data, ttl: 86_400, timestamp: '2026-01-01T00:00:00Z' }];
    response.end(JSON.stringify({ responseCode: 1, handle, values: stored.get(handle) ?? made }));
  } else {
    const names = target.slice('/doiRA/'.length).split(',').map(decodeURIComponent);
    response.end(JSON.stringify(names.map((DOI) => ({ DOI, RA: 'Crossref' }))));
  }
});

/** A thousand requests a second, so that a bench begins soon. */
function answerWorks(response: ServerResponse, query: URLSearchParams): void {
  const names = (query.get('filter') ?? '').split(',').map((filter) => filter.replace('doi:', ''));
  response.setHeader('x-rate-limit-limit', '1000').setHeader('x-rate-limit-interval', '1s');
  response.end(JSON.stringify({ status: 'ok', message: { items: names.map(workOfCrossref) } }));
}

server.on('connection', () => {
  seen.connections += 1;
});

process.on('message', () => {
  process.send?.(seen satisfies Seen);
  seen = { ...NOTHING };
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
