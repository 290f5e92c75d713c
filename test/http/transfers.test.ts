// Who is too slow, and who goes first when all are too much.

import { describe, expect, test } from 'vitest';
import { createTransfers, type Progress } from '../../src/http/transfers.ts';

const LIMITS = { graceMs: 30_000, minBytesPerSecond: 16_000, maxHeldBytes: 1_000_000 };

function createBench() {
  let nowMs = 0;
  const progress = new Map<string, Progress>();
  const cut: string[] = [];
  const transfers = createTransfers<string>({
    limits: LIMITS,
    now: () => nowMs,
    progressOf: (client) => progress.get(client) ?? null,
    cut(client) {
      cut.push(client);
      progress.delete(client);
    },
  });
  return {
    cut,
    transfers,
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
    expect(bench.transfers.heldBytes).toBe(0);
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

describe('when all together are too much', () => {
  test('the slowest go, and only until the rest fits', () => {
    const bench = createBench();
    bench.tell('fast', 0, 300_000);
    bench.tell('slow', 0, 300_000);
    bench.tell('slower', 0, 300_000);
    bench.see('fast', 90_000, 300_000);
    bench.see('slow', 2_000, 300_000);
    bench.see('slower', 1_000, 300_000);
    bench.second();
    bench.tell('new', 0, 300_000);
    expect(bench.cut).toEqual(['slower']);
    bench.tell('newer', 0, 500_000);
    expect(bench.cut).toEqual(['slower', 'slow', 'new']);
    expect(bench.transfers.heldBytes).toBe(800_000);
  });

  test('of those as slow, the one that began first goes', () => {
    const bench = createBench();
    for (const client of ['a', 'b', 'c', 'd']) bench.tell(client, 0, 300_000);
    expect(bench.cut).toEqual(['a']);
  });

  test('what counts is the pace of late: whoever was fast once and stands still goes', () => {
    const bench = createBench();
    bench.tell('was fast', 0, 400_000);
    bench.tell('steady', 0, 400_000);
    bench.see('was fast', 10_000_000, 400_000);
    for (let second = 1; second <= 20; second += 1) {
      bench.see('steady', second * 20_000, 400_000);
      bench.second();
    }
    bench.tell('new', 0, 400_000);
    expect(bench.cut).toEqual(['was fast']);
  });

  test('one that has just begun is taken for faster than the least allowed, and for slower than a good one', () => {
    const bench = createBench();
    bench.tell('at the least', 0, 400_000);
    bench.tell('good', 0, 400_000);
    for (let second = 1; second <= 20; second += 1) {
      bench.see('at the least', second * 16_000, 400_000);
      bench.see('good', second * 100_000, 400_000);
      bench.second();
    }
    bench.tell('new', 0, 400_000);
    expect(bench.cut).toEqual(['at the least']);
    bench.tell('newer', 0, 400_000);
    expect(bench.cut).toEqual(['at the least', 'new']);
  });

  test('nobody goes where what was seen is no longer so', () => {
    const bench = createBench();
    bench.tell('a', 0, 900_000);
    bench.see('a', 890_000, 10_000);
    bench.tell('b', 0, 900_000);
    expect(bench.cut).toEqual([]);
    expect(bench.transfers.heldBytes).toBe(910_000);
  });

  test('one alone that is too much goes', () => {
    const bench = createBench();
    bench.tell('a', 0, 1_000_001);
    expect(bench.cut).toEqual(['a']);
  });

  test('those who hold nothing stay', () => {
    const bench = createBench();
    bench.tell('nothing', 0, 0);
    bench.tell('a', 0, 600_000);
    bench.tell('b', 0, 600_000);
    expect(bench.cut).toEqual(['a']);
  });
});
