// A directory in a process of its own: answers every name, after a while, and does as it is told over IPC. Names
// that begin with `silent-` are never answered, those with `reset-` have their connection reset. It is also Crossref's API.

import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { workOfCrossref } from './peers/works.mjs';

/** What the bench tells it. */
export interface Order {
  readonly latencyMs?: number;
  /** `ok`: answers; `429`: asks for fewer requests; `silent`: accepts and never responds; `gone`: stops listening and ends */
  readonly mode?: 'ok' | '429' | 'silent' | 'gone';
  /** of records, in seconds */
  readonly ttl?: number;
  /** tell how many requests have come since the last question */
  readonly count?: boolean;
}

/** Values by handle, of a file of JSON Lines; names that are not in it are made up. */
const stored = new Map<string, unknown>();
const file = process.argv[3];
for (const line of file === undefined ? [] : readFileSync(file, 'utf8').trimEnd().split('\n')) {
  const { handle, values } = JSON.parse(line) as { handle: string; values: unknown };
  stored.set(handle, values);
}

let latencyMs = 0;
let mode: Order['mode'] = 'ok';
let ttl = 86_400;
let records = 0;
let agencies = 0;
let connections = 0;

const server = createServer((request, response) => {
  const target = request.url ?? '';
  const isRecord = target.startsWith('/api/handles/');
  if (isRecord) records += 1;
  else agencies += 1;
  if (mode === 'silent' || target.includes('/silent-')) return;
  if (target.includes('/reset-')) {
    request.socket.resetAndDestroy();
    return;
  }
  setTimeout(() => {
    if (mode === '429') {
      response.writeHead(429, { 'retry-after': '1', 'content-type': 'text/html' }).end('slow down');
      return;
    }
    response.setHeader('content-type', 'application/json;charset=utf-8');
    if (target.startsWith('/works?'))
      answerWorks(response, new URLSearchParams(target.slice('/works?'.length)));
    else if (isRecord) {
      const handle = decodeURIComponent(target.slice('/api/handles/'.length).split('?')[0] ?? '');
      // The same in whatever case a name is asked for.
      const data = { format: 'string', value: `https://example.org/${handle.toLowerCase()}` };
      const made = [{ index: 1, type: 'URL', data, ttl, timestamp: '2026-01-01T00:00:00Z' }];
      const values = stored.get(handle) ?? made;
      response.end(JSON.stringify({ responseCode: 1, handle, values }));
    } else {
      const names = target.slice('/doiRA/'.length).split(',').map(decodeURIComponent);
      response.end(JSON.stringify(names.map((DOI) => ({ DOI, RA: 'Crossref' }))));
    }
  }, latencyMs);
});

/** A thousand requests a second, so that a bench begins soon. */
function answerWorks(response: ServerResponse, query: URLSearchParams): void {
  const names = (query.get('filter') ?? '').split(',').map((filter) => filter.replace('doi:', ''));
  response.setHeader('x-rate-limit-limit', '1000').setHeader('x-rate-limit-interval', '1s');
  response.end(JSON.stringify({ status: 'ok', message: { items: names.map(workOfCrossref) } }));
}

server.on('connection', () => {
  connections += 1;
});

process.on('message', (order: Order) => {
  latencyMs = order.latencyMs ?? latencyMs;
  mode = order.mode ?? mode;
  ttl = order.ttl ?? ttl;
  if (order.mode === 'gone') process.exit(0);
  const seen = { records, agencies, connections };
  if (order.count) {
    records = 0;
    agencies = 0;
    connections = 0;
  }
  process.send?.(seen);
});

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
