// What Prometheus is told of requests and operations.

import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/errors.ts';
import { METRICS_AGE_MS, type ReadMetrics } from '../../../src/http/ops/ops-pages.ts';
import { askForParts } from '../../graphql/incremental/parts.ts';
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

/** Moves on by a second before the metrics are fetched, so that they are rendered. */
let now = 0;
const clock = () => now;

beforeEach(async () => {
  gateway = await startMeasured();
});

/** Lines of `/metrics` that start so, without that start. */
async function lines(start: string): Promise<string[]> {
  now += METRICS_AGE_MS;
  const { text } = await exchange(`${gateway.url}/metrics`);
  return text.split('\n').flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []));
}

const requests = () => lines('doi_gateway_http_request_seconds_count');
const inFlight = () => lines('doi_gateway_http_requests_in_flight');
const operations = () => lines('doi_gateway_graphql_operation_seconds_count');

describe('/metrics', () => {
  test("is Prometheus' text format, and no cache keeps it", async () => {
    const answer = await exchange(`${gateway.url}/metrics`);
    expect(answer.status).toBe(200);
    expect(headerValues(answer, 'content-type')).toEqual(['text/plain; version=0.0.4; charset=utf-8']);
    expect(headerValues(answer, 'cache-control')).toEqual(['no-store']);
    expect(answer.text).toContain('# TYPE doi_gateway_http_request_seconds histogram\n');
  });

  test('is for GET and HEAD', async () => {
    const head = await exchange(`${gateway.url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    const answer = await exchange(`${gateway.url}/metrics`, { method: 'POST', body: 'x' });
    expect([answer.status, headerValues(answer, 'allow')]).toEqual([405, ['GET, HEAD']]);
  });

  test('tells of a stream while it goes on', async () => {
    const directory = createHeldDirectory();
    gateway = await startGateway({ directory, clock });
    onTestFinished(() => gateway.close());
    const stream = await askForParts(gateway, '{ doi(input: "10.5555/1") { name ... @defer { exists } } }');
    await stream.next();
    expect(await inFlight()).toEqual(['{face="graphql"} 1', '{face="other"} 1']);
    directory.answer('10.5555/1');
    while ((await stream.next()) !== null);
    await expect.poll(inFlight).toContain('{face="graphql"} 0');
  });

  test('is of one app: another has counted nothing', async () => {
    await post(gateway, '{"query":"{ __typename }"}');
    gateway = await startMeasured();
    expect(await operations()).toEqual([]);
  });

  test('is rendered at most once a second, over however many connections it is fetched', async () => {
    let rendered = 0;
    gateway = await startMeasured(async () => {
      rendered += 1;
      return `# ${rendered}\n`;
    });
    const fetched = async () => (await exchange(`${gateway.url}/metrics`)).text;
    expect(await Promise.all(Array.from({ length: 20 }, fetched))).toEqual(Array(20).fill('# 1\n'));
    now += METRICS_AGE_MS - 1;
    expect(await fetched()).toBe('# 1\n');
    now += 1;
    expect(await fetched()).toBe('# 2\n');
  });

  test('is rendered again when the system clock was set back', async () => {
    let rendered = 0;
    gateway = await startMeasured(async () => {
      rendered += 1;
      return `# ${rendered}\n`;
    });
    await exchange(`${gateway.url}/metrics`);
    now -= 3_600_000;
    expect((await exchange(`${gateway.url}/metrics`)).text).toBe('# 2\n');
  });

  test('is a 503 that says nothing where the metrics cannot be had', async () => {
    gateway = await startMeasured(() => Promise.reject(new Error('secret')));
    const answer = await exchange(`${gateway.url}/metrics`);
    expect([answer.status, answer.text]).toEqual([503, 'This page has failed. The error has been logged.\n']);
  });
});

describe('requests', () => {
  test('are counted by face and class of status', async () => {
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

  test('whose client goes before there is an answer are counted as such', async () => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 9'];
    socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'));
    // The server says 100 when it has the head; the body never comes.
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
  ])('to %s are of the face %s', async (path, face) => {
    await get(gateway, path);
    const line = expect.stringMatching(new RegExp(`face="${face}",status="[2-5]xx"`));
    await expect.poll(requests).toContainEqual(line);
  });
});

describe('operations are counted by outcome', () => {
  test.each([
    ['ok', '{ __typename }'],
    ['partial', '{ doi(input: "10.5555/1") { name exists } }'],
    ['failed', '{ doi(input: "10.5555/1") '],
    ['failed', '{ nothing }'],
  ])('%s: %s', async (outcome, query) => {
    await post(gateway, JSON.stringify({ query }));
    expect(await operations()).toEqual([`{outcome="${outcome}"} 1`]);
  });

  test('failed: a body that cannot be read', async () => {
    await post(gateway, 'not JSON');
    expect(await operations()).toEqual(['{outcome="failed"} 1']);
  });
});
