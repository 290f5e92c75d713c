// A collector that is down, refuses or hangs costs one line of the log and bounded memory, and no request.

import { afterEach, expect, test, vi } from 'vitest';
import { createOpenTelemetryTracer } from '../../src/tracing/open-telemetry.ts';
import { keepLog } from '../support/log-lines.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const LOST = 'Traces are lost: the collector does not accept them.';

/** The spans that the SDK sends at once, and the largest number of spans that it keeps while it waits. */
const BATCH = 512;
const QUEUE = 2_048;

function createTraced(collector: string) {
  const kept = keepLog();
  const tracer = createOpenTelemetryTracer({ endpoint: new URL(collector), version: '1', log: kept.log });
  const trace = (requests: number) => {
    for (let count = 0; count < requests; count += 1) {
      tracer.startRequest('GET /', { traceparent: undefined, tracestate: undefined }, {})?.end();
    }
  };
  return { ...kept, trace, close: tracer.close };
}

test('for a collector that refuses, the log has one line without the response of the collector', async () => {
  const collector = await startTraceCollector((response) => response.writeHead(400).end('a secret'));
  closing.push(collector.close);
  const { trace, close, until, of, lines } = createTraced(collector.url);
  trace(BATCH);
  await until(LOST, 1);
  trace(BATCH);
  await close();
  expect(collector.paths).toHaveLength(2);
  expect(of(LOST)).toEqual([
    expect.objectContaining({
      level: 40,
      collector: new URL(collector.url).host,
      reason: expect.any(String),
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('the log reports a collector that accepts spans again, and the next failure', async () => {
  let status = 400;
  const collector = await startTraceCollector((response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
  );
  closing.push(collector.close);
  const { trace, close, until, of } = createTraced(collector.url);
  trace(BATCH);
  await until(LOST, 1);
  status = 200;
  trace(BATCH);
  await until('The collector accepts traces again.', 1);
  status = 400;
  trace(BATCH);
  await close();
  expect(of(LOST)).toHaveLength(2);
});

test('for a collector that hangs, the gateway keeps a limited number of spans and stops in limited time', async () => {
  // Longer than the time limit of a test: only the limit of the stop ends it.
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '600000');
  const collector = await startTraceCollector(() => {});
  closing.push(collector.close);
  const { trace, close } = createTraced(collector.url);
  trace(BATCH);
  trace(20_000);
  await close();
  expect(collector.spans).toHaveLength(BATCH + QUEUE);
});
