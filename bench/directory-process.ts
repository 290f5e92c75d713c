// A DOI directory in a separate process, which also plays Crossref's API. It responds after a latency, with a record from
// a file of JSON Lines or with an invented record. The start of a suffix may select a behaviour of the directory: its
// response for `10.5555/endless-1` never ends.

import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { foundNames, hostileMembers } from '../checks/attack/hostile-items.ts';
import { text, value } from '../checks/attack/hostile-records.ts';
import { list } from '../checks/attack/requests.ts';
import type { DirectoryCounts } from './node-process.ts';
import { handleValues, workOfCrossref } from './peers/data.mjs';

export type Behaviour = keyof typeof BEHAVIOURS | 'ordinary';

/** Sends a response for a handle. */
type Responder = (response: ServerResponse, handle: string) => void;

const other = (json: string): string =>
  `{"index":1,"type":"X","data":{"format":"x","value":${json}},"ttl":86400}`;

const send = (response: ServerResponse, body: string | Buffer): void => {
  response.setHeader('content-type', 'application/json;charset=utf-8');
  response.end(body);
};
const record = (handle: string, values: string): string =>
  `{"responseCode":1,"handle":${JSON.stringify(handle)},"values":[${values}]}`;
/** Sends a record with values that are the same for all handles, or that a function makes. */
const values =
  (json: string | ((handle: string) => string)): Responder =>
  (response, handle) =>
    send(response, record(handle, typeof json === 'string' ? json : json(handle)));
/** Sends the same bytes again and again on the socket, without Node's HTTP writer. */
const flood =
  (head: string, piece: string): Responder =>
  ({ socket }) => {
    if (!socket) return;
    const pieces = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)), 'latin1');
    const more = (): void => {
      while (!socket.destroyed && socket.write(pieces));
    };
    socket.on('drain', more);
    socket.on('error', () => undefined);
    socket.write(head);
    more();
  };
const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const CHUNKED = `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n`;
const jsonOf = (...items: unknown[]): string => items.map((item) => JSON.stringify(item)).join(',');

const SLOW_MS = 400;
const LISTS = other(`[${'[],'.repeat(300_000)}[]]`);
const KEYS = other(
  JSON.stringify(list(20_000, (n) => Object.fromEntries(list(10, (m) => [`k${n}-${m}`, 0])))),
);
const SPACES = value(1, 'X', 'base64', 'A '.repeat(1_900_000));
const ODD_DATES = { ttl: '2040-366T240000', timestamp: '2020-W05-3T10:00:00,123-02:30' };
const TEMPLATE = `<locations><location href_template="https://example.org/${'{hdl}'.repeat(40_000)}"/></locations>`;
const GZIPPED = gzipSync(Buffer.alloc(50_000_000));

const BEHAVIOURS = {
  large: values(jsonOf(text(1, 'NOTE', 'x'.repeat(3_900_000)))),
  values: values(
    jsonOf(...list(20_000, (n) => text(n + 1, n % 2 ? 'URL' : `T${n}`, `https://example.org/${n}`))),
  ),
  deep: values(other('['.repeat(100_000) + ']'.repeat(100_000))),
  lists: values(LISTS),
  wide: values(other(JSON.stringify(Object.fromEntries(list(200_000, (n) => [`k${n}`, n]))))),
  deepest: values(other('['.repeat(3_900_000))),
  keys: values(KEYS),
  spaces: values(jsonOf({ ...SPACES, timestamp: undefined })),
  dates: values(jsonOf(...list(24_000, (n) => ({ ...text(n, 'X', ''), ...ODD_DATES })))),
  filler: values(jsonOf(...list(8, (n) => text(n + 1, n === 0 ? 'URL' : `T${n}`, 'x'.repeat(3_000))))),
  proto: values(other('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1}')),
  template: values(jsonOf(text(1, '10320/loc', TEMPLATE))),
  alias: values((handle) => jsonOf(text(1, 'HS_ALIAS', `${handle}a`))),
  other: (response) => send(response, record('10.1/another', jsonOf(text(1, 'URL', 'https://example.org/')))),
  wrong: (response, handle) =>
    send(response, record(handle, '{"index":"1","type":[],"data":{"format":7}},null,[],{"index":-1}')),
  garbage: (response) => send(response, 'x'.repeat(100_000)),
  html: (response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'.repeat(5_000)),
  gzip: (response) => send(response.setHeader('content-encoding', 'gzip'), GZIPPED),
  redirect: (response, handle) => response.writeHead(302, { location: `/api/handles/${handle}` }).end(),
  unavailable: (response) => response.writeHead(503).end('down'.repeat(10_000)),
  headers: (response, handle) => {
    for (let n = 0; n < 100; n += 1) response.setHeader(`x-${n}`, 'x'.repeat(100));
    send(response, record(handle, jsonOf(text(1, 'URL', 'https://example.org/'))));
  },
  half(response) {
    response.setHeader('content-length', '1000');
    response.write('{"responseCode":1,');
    setTimeout(() => response.destroy(), 20);
  },
  endless(response) {
    response.setHeader('content-type', 'application/json');
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  hints: flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  lines: flood(JSON_HEAD, 'a:\r\n'),
  trailers: flood(`${CHUNKED}2\r\n{}\r\n0\r\n`, 'a:\r\n'),
  extensions: flood(`${CHUNKED}2`, ';a=b'),
  crumbs: flood(CHUNKED, '1\r\n \r\n'),
  slow(response, handle) {
    setTimeout(() => send(response, record(handle, jsonOf(...handleValues(handle)))), SLOW_MS);
  },
  drip(response) {
    response.setHeader('content-type', 'application/json');
    const timer = setInterval(() => response.write(' '), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  silent() {
    // It never responds.
  },
  reset: ({ socket }) => socket?.resetAndDestroy(),
} satisfies Record<string, Responder>;

const [latencyMs, file] = process.argv.slice(2);
const NOTHING = { records: 0, connections: 0 };
let counts = { ...NOTHING };

/** Values by handle. Other names get invented values. */
const stored = new Map<string, unknown[]>();
for (const line of file ? readFileSync(file, 'utf8').trimEnd().split('\n') : []) {
  const { handle, values } = JSON.parse(line) as { handle: string; values: unknown[] };
  stored.set(handle, values);
}

const RECORDS = '/api/handles/';
const server = createServer(async ({ url = '' }, response) => {
  response.on('error', () => undefined);
  const [path = '', query] = url.split('?');
  if (path.startsWith(RECORDS)) counts.records += 1;
  if (Number(latencyMs) > 0 && !path.includes('/reset-')) await pause(Number(latencyMs));
  if (path === '/works') sendWorks(response, new URLSearchParams(query));
  else if (path.startsWith('/works/')) sendWork(response, decodeURIComponent(path.slice('/works/'.length)));
  else if (path === '/dois') send(response, '{"data":[]}');
  else if (path.startsWith(RECORDS)) sendRecord(response, decodeURIComponent(path.slice(RECORDS.length)));
  else sendAgencies(response, path.slice('/doiRA/'.length).split(',').map(decodeURIComponent));
});

function sendRecord(response: ServerResponse, handle: string): void {
  const start = /^10\.5555\/([a-z]+)-/i.exec(handle)?.[1] ?? '';
  const respond: Responder = Object.hasOwn(BEHAVIOURS, start)
    ? BEHAVIOURS[start as keyof typeof BEHAVIOURS]
    : values(jsonOf(...(stored.get(handle) ?? handleValues(handle.toLowerCase()))));
  respond(response, handle);
}

function sendAgencies(response: ServerResponse, names: readonly string[]): void {
  const [first = ''] = names;
  if (first.includes('/agencies-')) send(response, `[${KEYS},${LISTS}]`);
  else if (first.includes('/agency-')) send(response, '[{"DOI":1},null,{"RA":{}}]');
  else send(response, JSON.stringify(names.map((DOI) => ({ DOI, RA: 'Crossref' }))));
}

/**
 * States a limit of 1,000 requests per second. From the first response on, the gateway uses this limit. Without the
 * headers it would keep its own much lower limit, which would delay the requests of a bench.
 */
function sendWorks(response: ServerResponse, query: URLSearchParams): void {
  const words = query.get('query.bibliographic');
  const named = (query.get('filter') ?? '').split(',').map((filter) => filter.replace('doi:', ''));
  const names = words === null ? named : foundNames(words);
  sendOfCrossref(response, { items: names.map(workOf) });
}

function sendWork(response: ServerResponse, name: string): void {
  sendOfCrossref(response, workOf(name));
}

function sendOfCrossref(response: ServerResponse, message: object): void {
  response.setHeader('x-rate-limit-limit', '1000').setHeader('x-rate-limit-interval', '1s');
  send(response, JSON.stringify({ status: 'ok', message }));
}

const workOf = (name: string): object => ({ ...workOfCrossref(name), ...hostileMembers(name) });

server.on('connection', () => {
  counts.connections += 1;
});
process.on('message', () => {
  process.send?.(counts satisfies DirectoryCounts);
  counts = { ...NOTHING };
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
