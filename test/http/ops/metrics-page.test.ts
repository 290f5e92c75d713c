// /metrics: requests and operations in the format of Prometheus.

import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { METRICS_AGE_MS, type ReadMetrics } from '../../../src/http/ops/ops-pages.ts';
import { requestParts } from '../../graphql/incremental/parts.ts';
import { createFakeDirectory } from '../../support/fake-directory.ts';
import { type ListeningGateway, startGateway } from '../../support/gateway.ts';
import { createHeldDirectory } from '../../support/held-directory.ts';
import { exchange, get, headerValues, post } from '../exchange.ts';

let gateway: ListeningGateway;

async function startMeasured(readMetrics?: ReadMetrics): Promise<ListeningGateway> {
  const directory = createFakeDirectory({
    records: { '10.5555/1': new GatewayError('UPSTREAM_UNAVAILABLE') },
  });
  const started = await startGateway({ directory, clock, ...(readMetrics && { readMetrics }) });
  onTestFinished(() => started.close());
  return started;
}

/** The time. It advances before each fetch, because the metrics are rendered at most once a second. */
let now = 0;
const clock = () => now;

beforeEach(async () => {
  gateway = await startMeasured();
});

/** The lines of `/metrics` that begin with this text, without the text. */
async function lines(start: string): Promise<string[]> {
  now += METRICS_AGE_MS;
  const { text } = await exchange(`${gateway.url}/metrics`);
  return text.split('\n').flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []));
}

const requests = () => lines('doi_gateway_http_request_seconds_count');
const inFlight = () => lines('doi_gateway_http_requests_in_flight');
const operations = () => lines('doi_gateway_graphql_operation_seconds_count');

describe('/metrics', () => {
  test('has the text format of Prometheus, and no cache stores it', async () => {
    const response = await exchange(`${gateway.url}/metrics`);
    expect(response.status).toBe(200);
    expect(headerValues(response, 'content-type')).toEqual(['text/plain; version=0.0.4; charset=utf-8']);
    expect(headerValues(response, 'cache-control')).toEqual(['no-store']);
    expect(response.text).toContain('# TYPE doi_gateway_http_request_seconds histogram\n');
  });

  test('allows GET and HEAD', async () => {
    const head = await exchange(`${gateway.url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const response = await exchange(`${gateway.url}/metrics`, { method: 'POST', body: 'x' });
    expect([response.status, headerValues(response, 'allow')]).toEqual([405, ['GET, HEAD']]);
  });

  test('counts a response in parts as in flight until its end', async () => {
    const directory = createHeldDirectory();
    gateway = await startGateway({ directory, clock });
    onTestFinished(() => gateway.close());
    const stream = await requestParts(gateway, '{ doi(input: "10.5555/1") { name ... @defer { exists } } }');
    await stream.next();
    expect(await inFlight()).toEqual(['{face="graphql"} 1', '{face="other"} 1']);
    directory.answer('10.5555/1');
    while ((await stream.next()) !== null);
    await expect.poll(inFlight).toContain('{face="graphql"} 0');
  });

  test('counts only the requests of its own app', async () => {
    await post(gateway, '{"query":"{ __typename }"}');
    gateway = await startMeasured();
    expect(await operations()).toEqual([]);
  });

  test('is rendered at most once a second, but also after the system clock goes back', async () => {
    let rendered = 0;
    gateway = await startMeasured(async () => {
      rendered += 1;
      return `# ${rendered}\n`;
    });
    const fetchText = async () => (await exchange(`${gateway.url}/metrics`)).text;
    expect(await Promise.all(Array.from({ length: 20 }, fetchText))).toEqual(Array(20).fill('# 1\n'));
    now += METRICS_AGE_MS - 1;
    expect(await fetchText()).toBe('# 1\n');
    now += 1;
    expect(await fetchText()).toBe('# 2\n');
    // The system clock goes back.
    now -= 3_600_000;
    expect(await fetchText()).toBe('# 3\n');
  });

  test('responds with 503 and without details if the metrics fail', async () => {
    gateway = await startMeasured(() => Promise.reject(new Error('secret')));
    const response = await exchange(`${gateway.url}/metrics`);
    expect([response.status, response.text]).toEqual([
      503,
      'This page has failed. The error has been logged.\n',
    ]);
  });
});

describe('a request', () => {
  test('is counted by face and class of status', async () => {
    await post(gateway, '{"query":"{ __typename }"}');
    await post(gateway, 'not JSON');
    await exchange(`${gateway.url}/10.5555/404`);
    await exchange(`${gateway.url}/api/handles/10.5555/404`);
    await exchange(`${gateway.url}/doiRA/10.5555`);
    await exchange(`${gateway.url}/healthz`);
    expect((await requests()).toSorted((a, b) => a.localeCompare(b))).toEqual([
      '{face="doiRA",status="2xx"} 1',
      '{face="graphql",status="2xx"} 1',
      '{face="graphql",status="4xx"} 1',
      '{face="handles",status="4xx"} 1',
      '{face="other",status="2xx"} 1',
      '{face="redirect",status="4xx"} 1',
    ]);
  });

  test('that its client aborts is counted without a status', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9'];
    socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'));
    // The server sends 100 after the head. The body never arrives.
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(requests).toContain('{face="graphql",status="none"} 1');
  });

  test.each([
    ['/graphql', 'graphql'],
    ['/graphql/', 'graphql'],
    ['/api/handles/10.1/2', 'handles'],
    ['/API/handles/10.1/2', 'handles'],
    ['/doiRA/10.1', 'doiRA'],
    ['/ra/10.1', 'doiRA'],
    ['/10.1000/182', 'redirect'],
    ['/graphql/10.1', 'redirect'],
    ['/metrics/10.1', 'redirect'],
    ['/', 'other'],
    ['/readyz', 'other'],
    ['/graphiql/graphiql.js', 'other'],
    ['/inspector/main.js', 'other'],
    ['/inspector', 'other'],
    ['/inspectors', 'redirect'],
  ])('to %s belongs to the face %s', async (path, face) => {
    await get(gateway, path);
    const line = expect.stringMatching(new RegExp(`face="${face}",status="[2-5]xx"`));
    await expect.poll(requests).toContainEqual(line);
  });
});

test.each([
  ['ok', '{"query":"{ __typename }"}'],
  ['partial', '{"query":"{ doi(input: \\"10.5555/1\\") { name exists } }"}'],
  ['failed', '{"query":"{ doi("}'],
  ['failed', '{"query":"{ nothing }"}'],
  ['failed', 'not JSON'],
])('an operation counts with the outcome %s: %s', async (outcome, body) => {
  await post(gateway, body);
  expect(await operations()).toEqual([`{outcome="${outcome}"} 1`]);
});
