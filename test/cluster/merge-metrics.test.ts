// The primary merges the metrics of fake workers.

import type { Worker } from 'node:cluster';
import { Counter, Gauge, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMetricsMerger, type MetricsSnapshot, type ToWorker } from '../../src/cluster/merge-metrics.ts';

interface FakeWorker extends Worker {
  readonly received: ToWorker[];
}

function fakeWorker(): FakeWorker {
  const received: ToWorker[] = [];
  return { received, send: (message: ToWorker) => received.push(message) } as unknown as FakeWorker;
}

async function snapshot(requests: number, open: number): Promise<MetricsSnapshot> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests', help: 'r', registers }).inc(requests);
  new Gauge({ name: 'open', help: 'o', aggregator: 'max', registers }).set(open);
  return registry.getMetricsAsJSON();
}

/** The last message to the worker, once it is a merged text. */
const textOf = ({ received }: FakeWorker) =>
  vi.waitUntil(() => {
    const last = received.at(-1);
    return last?.type === 'gateway:merged' && { text: last.text };
  }, 15_000);

const roundOf = ({ received }: FakeWorker): number => {
  const last = received.findLast(({ type }) => type === 'gateway:want-own');
  return last?.type === 'gateway:want-own' ? last.round : -1;
};

let now = 0;
let merger: ReturnType<typeof createMetricsMerger>;
let a: FakeWorker;
let b: FakeWorker;

beforeEach(() => {
  now = 0;
  merger = createMetricsMerger(() => now);
  a = fakeWorker();
  b = fakeWorker();
});

afterEach(() => {
  vi.useRealTimers();
});

async function roundWith(first: MetricsSnapshot, second: MetricsSnapshot): Promise<string | null> {
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), first);
  merger.take(b, roundOf(b), second);
  return (await textOf(a)).text;
}

test('the primary adds counters, and merges gauges by their aggregator', async () => {
  const text = await roundWith(await snapshot(3, 1), await snapshot(4, 1));
  expect(text).toMatch(/^requests 7$/m);
  expect(text).toMatch(/^open 1$/m);
});

test('a request during a round gets its result, and no worker gets a second message', async () => {
  void merger.merge(a, [a, b]);
  void merger.merge(b, [a, b]);
  expect(a.received).toHaveLength(1);
  merger.take(a, roundOf(a), await snapshot(1, 0));
  merger.take(b, roundOf(b), await snapshot(1, 0));
  expect((await textOf(b)).text).toBe((await textOf(a)).text);
});

test('a request within a second gets the last result, and no worker gets a message', async () => {
  const first = await roundWith(await snapshot(1, 0), await snapshot(1, 0));
  const messages = a.received.length;
  now = 999;
  void merger.merge(b, [a, b]);
  expect((await textOf(b)).text).toBe(first);
  expect(a.received).toHaveLength(messages);
  now = 1_000;
  void merger.merge(b, [a, b]);
  expect(a.received.at(-1)?.type).toBe('gateway:want-own');
});

test('if a worker does not reply in time, the primary returns no metrics instead of incomplete metrics', async () => {
  const own = await snapshot(1, 0);
  vi.useFakeTimers();
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), own);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(a.received.at(-1)).toEqual({ type: 'gateway:merged', text: null });
});

test('a late reply does not count in the next round', async () => {
  const own = await snapshot(1, 0);
  vi.useFakeTimers();
  void merger.merge(a, [a, b]);
  const late = roundOf(b);
  await vi.advanceTimersByTimeAsync(1_000);
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), own);
  merger.take(b, late, own);
  await vi.advanceTimersByTimeAsync(0);
  expect(a.received.at(-1)?.type).toBe('gateway:want-own');
  merger.take(b, roundOf(b), await snapshot(5, 0));
  vi.useRealTimers();
  expect((await textOf(a)).text).toMatch(/^requests 6$/m);
});

test('the primary does not wait for a worker that ends during a round', async () => {
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), await snapshot(1, 0));
  merger.workerEnded(b);
  expect((await textOf(a)).text).toMatch(/^requests 1$/m);
});

test('the counters of ended workers stay in the sum, but the gauges of ended workers do not', async () => {
  await roundWith(await snapshot(3, 0), await snapshot(4, 9));
  merger.workerEnded(b);
  const c = fakeWorker();
  now = 1_000;
  void merger.merge(c, [a, c]);
  merger.take(a, roundOf(a), await snapshot(3, 0));
  merger.take(c, roundOf(c), await snapshot(1, 0));
  const { text } = await textOf(c);
  expect(text).toMatch(/^requests 8$/m);
  expect(text).toMatch(/^open 0$/m);
});

test('without workers, the metrics are empty', async () => {
  void merger.merge(a, []);
  expect((await textOf(a)).text?.trim()).toBe('');
});
