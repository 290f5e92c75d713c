// Which transfers are too slow, alone and while requests wait for memory.

import { describe, expect, test } from 'vitest';
import { createTransferLimiter, type Progress } from '../../../src/http/connection/transfer-limiter.ts';

const LIMITS = { graceMs: 30_000, minBytesPerSecond: 16_000 };

function createBench() {
  let nowMs = 0;
  let isMemoryScarce = false;
  const progress = new Map<string, Progress>();
  const cut: string[] = [];
  const transfers = createTransferLimiter<string>({
    limits: LIMITS,
    now: () => nowMs,
    isMemoryScarce: () => isMemoryScarce,
    progressOf: (client) => progress.get(client) ?? null,
    cut(client) {
      cut.push(client);
      progress.delete(client);
    },
  });
  return {
    cut,
    transfers,
    requestsWait() {
      isMemoryScarce = true;
    },
    /** Says how far a client is; nobody need be told. */
    see(client: string, moved: number, held: number, start = 0) {
      progress.set(client, {
        heldBytes: held,
        movedBytes: moved,
        startBytes: start,
        endBytes: moved + held,
      });
    },
    /** The same, and tells it. */
    tell(client: string, moved: number, held: number, start = 0) {
      this.see(client, moved, held, start);
      transfers.update(client);
    },
    over(client: string) {
      progress.delete(client);
      transfers.update(client);
    },
    second(count = 1) {
      for (let second = 0; second < count; second += 1) {
        nowMs += 1_000;
        transfers.sweep();
      }
    },
  };
}

describe('the time for a transfer', () => {
  test('is 30 seconds and one for each 16 kB, and no more', () => {
    const bench = createBench();
    bench.tell('a', 0, 160_000);
    bench.second(40);
    expect(bench.cut).toEqual([]);
    bench.second();
    expect(bench.cut).toEqual(['a']);
  });

  test('grows with what is added, so that 16 kB a second suffice for ever', () => {
    const bench = createBench();
    bench.tell('enough', 0, 64_000);
    bench.tell('half of it', 0, 64_000);
    for (let second = 1; second <= 1_000; second += 1) {
      bench.see('enough', second * 16_000, 64_000);
      bench.see('half of it', second * 8_000, 64_000);
      bench.second();
    }
    expect(bench.cut).toEqual(['half of it']);
  });

  test('begins anew with the next transfer, which is given none for what was moved before', () => {
    const bench = createBench();
    bench.tell('a', 0, 10);
    bench.second(29);
    bench.over('a');
    bench.tell('a', 100_000_000, 10, 100_000_000);
    bench.second(30);
    expect(bench.cut).toEqual([]);
    bench.second();
    expect(bench.cut).toEqual(['a']);
  });
});

describe('while requests wait for memory', () => {
  test('a transfer that stands still ends after three seconds', () => {
    const bench = createBench();
    bench.requestsWait();
    bench.tell('a', 0, 300_000);
    bench.second(2);
    expect(bench.cut).toEqual([]);
    bench.second();
    expect(bench.cut).toEqual(['a']);
  });

  test('one that is faster than the least pace goes on', () => {
    const bench = createBench();
    bench.requestsWait();
    bench.tell('fast', 0, 300_000);
    bench.tell('slow', 0, 300_000);
    for (let second = 1; second <= 20; second += 1) {
      bench.see('fast', second * 17_000, 300_000);
      bench.see('slow', second * 15_000, 300_000);
      bench.second();
    }
    expect(bench.cut).toEqual(['slow']);
  });

  test('what counts is the last seconds: one that was fast and stands still ends', () => {
    const bench = createBench();
    bench.requestsWait();
    bench.tell('a', 0, 300_000);
    bench.see('a', 10_000_000, 300_000);
    bench.second(15);
    expect(bench.cut).toEqual(['a']);
  });

  test('one that holds little goes on', () => {
    const bench = createBench();
    bench.requestsWait();
    bench.tell('a', 0, 63_999);
    bench.second(20);
    expect(bench.cut).toEqual([]);
  });
});
