// How answers are delivered, side by side in one run: npx tsx bench/delivery.ts

import type { ReadableStream } from 'node:stream/web';
import { endAll, names, print, startDirectory, startGateway } from './stage.ts';

const FIELDS = 'record { status } registrationAgency { name }';
const WHOLE = `query ($inputs: [String!]!) { dois(inputs: $inputs) { name ${FIELDS} } }`;
const deferred = (fields: string) =>
  `query ($inputs: [String!]!) { dois(inputs: $inputs) { name ... @defer { ${fields} } } }`;
const STREAMED = `query ($inputs: [String!]!) { dois(inputs: $inputs) @stream(initialCount: 0) { name record { status } } }`;
const RECORDS = `query ($inputs: [String!]!) { dois(inputs: $inputs) { name record { status } } }`;
const ENTITIES = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on DOI { name ${FIELDS} } } }`;

/** Milliseconds until the first record is there, and until all are. */
interface Delivery {
  readonly first: number;
  readonly all: number;
  readonly bytes: number;
}

async function delivery(
  url: string,
  query: string,
  inputs: readonly string[],
  accept: string,
): Promise<Delivery> {
  const start = performance.now();
  const response = await post(url, { query, variables: { inputs } }, accept);
  let first = Number.NaN;
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (Number.isNaN(first) && decoder.decode(chunk, { stream: true }).includes('SUCCESS')) {
      first = performance.now() - start;
    }
  }
  return { first, all: performance.now() - start, bytes };
}

function post(url: string, body: object, accept = 'application/json'): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept };
  return fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The middle one of several runs, in milliseconds. */
async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 9; run += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[4] ?? Number.NaN;
}

const ratio = (a: number, b: number): string => (a / b).toFixed(2);

try {
  const directory = await startDirectory({ latencyMs: 50 });
  const { url } = await startGateway({ DOI_DIRECTORY_URL: directory.url, DIRECTORY_CONNECTIONS: '8' });
  await delivery(url, RECORDS, names('warm-up', 200), 'application/json');

  const ways: readonly (readonly [string, string, string])[] = [
    ['whole', RECORDS, 'application/json'],
    ['@defer, multipart', deferred('record { status }'), 'multipart/mixed'],
    ['@defer, events', deferred('record { status }'), 'text/event-stream'],
    ['@stream, multipart', STREAMED, 'multipart/mixed'],
  ];
  const rows: (Delivery & { readonly way: string })[] = [];
  for (const [way, query, accept] of ways) {
    rows.push({ way, ...(await delivery(url, query, names(way.replace(/\W+/g, '-'), 200), accept)) });
  }
  const [whole] = rows;
  print(
    '200 cold names, 50 ms, 8 connections: 1250 ms ideal',
    rows.map(({ way, first, all, bytes }) => ({
      way,
      'first record, ms': Math.round(first),
      'all, ms': Math.round(all),
      'first ÷ whole': ratio(first, whole?.first ?? Number.NaN),
      'all ÷ whole': ratio(all, whole?.all ?? Number.NaN),
      'bytes ÷ whole': ratio(bytes, whole?.bytes ?? Number.NaN),
    })),
  );

  const inputs = names('warm', 1_000);
  const representations = inputs.map((name) => ({ __typename: 'DOI', name }));
  await directory.tell({ count: true });
  const cold = await post(url, { query: ENTITIES, variables: { representations } });
  const { errors } = (await cold.json()) as { errors?: unknown };
  if (errors) throw new Error('the entities have errors');
  const calls = await directory.tell({ count: true });
  const get = `${url}/graphql?${new URLSearchParams({ query: WHOLE, variables: JSON.stringify({ inputs: inputs.slice(0, 200) }) })}`;
  const etag = (await fetch(get)).headers.get('etag') ?? '';
  const text = (response: Response) => response.text();
  const dois = await median(() => post(url, { query: WHOLE, variables: { inputs } }).then(text));
  const times = {
    'dois(inputs:) of 1,000': dois,
    '_entities of 1,000': await median(() =>
      post(url, { query: ENTITIES, variables: { representations } }).then(text),
    ),
    '1,000 by @defer': await median(() => delivery(url, deferred(FIELDS), inputs, 'multipart/mixed')),
    'GET of 200': await median(() => fetch(get).then(text)),
    'GET of 200, not modified': await median(() =>
      fetch(get, { headers: { 'if-none-match': etag } }).then(text),
    ),
  };
  print(
    `Warm, median of 9; the 1,000 entities cost ${calls.records} + ${calls.agencies} requests to the directory when cold`,
    Object.entries(times).map(([what, ms]) => ({
      what,
      ms: ms.toFixed(1),
      '÷ dois(inputs:)': ratio(ms, dois),
    })),
  );
} finally {
  await endAll();
}
