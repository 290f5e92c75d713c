// There are limits on the event streams of a job, of a client, and of all clients. A stop ends all streams.

import { beforeEach, expect, test } from 'vitest';
import { GatewayError } from '../../src/errors.ts';
import type { HttpRequest } from '../../src/http/request/exchange.ts';
import {
  createEventStreams,
  createProgressReports,
  type EventStream,
} from '../../src/jobs/http/job-progress.ts';
import type { JobProgress } from '../../src/jobs/queue/job-fields.ts';
import { countsBy } from '../../src/tools/bulk/row-outcomes.ts';
import { newJobKey } from './job-folder.ts';

const LIMITS = { ofJob: 2, ofClient: 3, all: 5 };
let streams: ReturnType<typeof createEventStreams>;

beforeEach(() => {
  streams = createEventStreams(LIMITS);
});

function opened(client: string, job = newJobKey()): EventStream {
  const stream = streams.open(client, job);
  if (stream instanceof GatewayError) throw stream;
  return stream;
}

const refusal = (client: string, job = newJobKey()): string => {
  const stream = streams.open(client, job);
  return stream instanceof GatewayError ? `${stream.code}: ${stream.message}` : 'open';
};

test('all clients together can open a few streams of a job, and a new stream after a stream is closed', () => {
  const job = newJobKey();
  const first = opened('a', job);
  opened('b', job);
  expect(refusal('c', job)).toMatch(/^RATE_LIMITED: This job has/);
  first.close();
  first.close();
  opened('c', job);
  expect(refusal('a', job)).toMatch(/^RATE_LIMITED: This job has/);
});

test('a client can open only a few streams at a time', () => {
  const all = [opened('a'), opened('a'), opened('a')];
  expect(refusal('a')).toMatch(/^RATE_LIMITED: You have/);
  for (const stream of all) stream.close();
  expect(refusal('a')).toBe('open');
});

test('at the limit of all streams, a new stream closes the oldest stream of the client with most streams', () => {
  const [first, second] = [opened('a'), opened('a')];
  for (const client of ['a', 'b', 'c']) opened(client);
  const late = opened('d');
  expect([first.isOpen, second.isOpen, late.isOpen]).toEqual([false, true, true]);
  // Now no client has two streams more than another client.
  expect(refusal('b')).toMatch(/^GATEWAY_BUSY/);
});

const RUNNING: JobProgress = {
  state: 'running',
  createdAt: 1,
  endedAt: null,
  reason: null,
  rows: 2,
  rowsDone: 1,
  chunks: 1,
  ...countsBy(() => 0),
  found: 1,
};

test('a stop ends open streams at their next poll, and later requests get no stream', async () => {
  let wake = (): void => undefined;
  const reports = createProgressReports({
    progressOf: async () => RUNNING,
    keepMs: 1,
    base: '',
    sleep: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  });
  const request = {
    method: 'GET',
    header: (name: string) => (name === 'accept' ? 'text/event-stream' : undefined),
    requester: { client: { key: 'a' } },
    signal: new AbortController().signal,
  } as unknown as HttpRequest;
  const respond = () => reports.respond(request, 'id', newJobKey(), RUNNING);
  const events = (respond().body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  expect(String((await events.next()).value)).toMatch(/^event: progress\n/);
  const next = events.next();
  reports.stop();
  wake();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(respond().status).toBe(503);
});
