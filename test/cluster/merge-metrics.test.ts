// The sums of the primary, with workers whose messages the test makes.

import type { Worker } from 'node:cluster';
import { Counter, Gauge, Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMetricsMerger, type MetricsSnapshot, type ToWorker } from '../../src/cluster/merge-metrics.ts';

interface FakeWorker extends Worker {
  readonly told: ToWorker[];
}

function fakeWorker(): FakeWorker {
  const told: ToWorker[] = [];
  return { told, send: (message: ToWorker) => told.push(message) } as unknown as FakeWorker;
}

async function snapshot(requests: number, open: number): Promise<MetricsSnapshot> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests', help: 'r', registers }).inc(requests);
  new Gauge({ name: 'open', help: 'o', aggregator: 'max', registers }).set(open);
  return registry.getMetricsAsJSON();
}

/** What the worker was told last, once it has been told a merged text. */
const textOf = ({ told }: FakeWorker) =>
  vi.waitUntil(() => {
    const last = told.at(-1);
    return last?.type === 'gateway:merged' && { text: last.text };
  }, 15_000);

const roundOf = ({ told }: FakeWorker): number => {
  const last = told.findLast(({ type }) => type === 'gateway:want-own');
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

test('counters are summed, gauges merged as they say', async () => {
  const text = await roundWith(await snapshot(3, 1), await snapshot(4, 1));
  expect(text).toMatch(/^requests 7$/m);
  expect(text).toMatch(/^open 1$/m);
});

test('a request during a round gets its result, and no worker gets a second message', async () => {
  void merger.merge(a, [a, b]);
  void merger.merge(b, [a, b]);
  expect(a.told).toHaveLength(1);
  merger.take(a, roundOf(a), await snapshot(1, 0));
  merger.take(b, roundOf(b), await snapshot(1, 0));
  expect((await textOf(b)).text).toBe((await textOf(a)).text);
});

test('a request within a second gets the last result, and no worker gets a message', async () => {
  const first = await roundWith(await snapshot(1, 0), await snapshot(1, 0));
  const asked = a.told.length;
  now = 999;
  void merger.merge(b, [a, b]);
  expect((await textOf(b)).text).toBe(first);
  expect(a.told).toHaveLength(asked);
  now = 1_000;
  void merger.merge(b, [a, b]);
  expect(a.told.at(-1)?.type).toBe('gateway:want-own');
});

test('a worker that does not answer in time makes no answer rather than half of one', async () => {
  const own = await snapshot(1, 0);
  vi.useFakeTimers();
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), own);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(a.told.at(-1)).toEqual({ type: 'gateway:merged', text: null });
});

test('an answer to a round that is over is not taken for one to the next', async () => {
  const own = await snapshot(1, 0);
  vi.useFakeTimers();
  void merger.merge(a, [a, b]);
  const late = roundOf(b);
  await vi.advanceTimersByTimeAsync(1_000);
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), own);
  merger.take(b, late, own);
  await vi.advanceTimersByTimeAsync(0);
  expect(a.told.at(-1)?.type).toBe('gateway:want-own');
  merger.take(b, roundOf(b), await snapshot(5, 0));
  vi.useRealTimers();
  expect((await textOf(a)).text).toMatch(/^requests 6$/m);
});

test('a worker that ends during a round is not waited for', async () => {
  void merger.merge(a, [a, b]);
  merger.take(a, roundOf(a), await snapshot(1, 0));
  merger.workerEnded(b);
  expect((await textOf(a)).text).toMatch(/^requests 1$/m);
});

test('the counters of ended workers stay in the sum; their gauges do not', async () => {
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

test('without workers, the sum is empty', async () => {
  void merger.merge(a, []);
  expect((await textOf(a)).text?.trim()).toBe('');
});
