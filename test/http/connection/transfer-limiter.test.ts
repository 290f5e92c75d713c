import { describe, expect, test } from 'vitest';
import { createTransferLimiter, type Progress } from '../../../src/http/connection/transfer-limiter.ts';

const LIMITS = { graceMs: 30_000, minBytesPerSecond: 16_000 };

function createTransfers() {
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
    makeMemoryScarce() {
      isMemoryScarce = true;
    },
    /** Sets the progress of a client. */
    move(client: string, moved: number, held: number, start = 0) {
      progress.set(client, {
        heldBytes: held,
        movedBytes: moved,
        startBytes: start,
        endBytes: moved + held,
      });
    },
    /** Sets the progress of a client, and measures it at once. */
    update(client: string, moved: number, held: number, start = 0) {
      this.move(client, moved, held, start);
      transfers.update(client);
    },
    finish(client: string) {
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
  test('is 30 seconds and one second for each 16 kB', () => {
    const limiter = createTransfers();
    limiter.update('a', 0, 160_000);
    limiter.second(40);
    expect(limiter.cut).toEqual([]);
    limiter.second();
    expect(limiter.cut).toEqual(['a']);
  });

  test('grows with the transfer, so that 16 kB a second are always enough', () => {
    const limiter = createTransfers();
    limiter.update('enough', 0, 64_000);
    limiter.update('half', 0, 64_000);
    for (let second = 1; second <= 1_000; second += 1) {
      limiter.move('enough', second * 16_000, 64_000);
      limiter.move('half', second * 8_000, 64_000);
      limiter.second();
    }
    expect(limiter.cut).toEqual(['half']);
  });

  test('starts again with the next transfer, and the bytes of earlier transfers do not count', () => {
    const limiter = createTransfers();
    limiter.update('a', 0, 10);
    limiter.second(29);
    limiter.finish('a');
    limiter.update('a', 100_000_000, 10, 100_000_000);
    limiter.second(30);
    expect(limiter.cut).toEqual([]);
    limiter.second();
    expect(limiter.cut).toEqual(['a']);
  });
});

describe('while requests wait for memory', () => {
  test('a transfer without progress ends after three seconds', () => {
    const limiter = createTransfers();
    limiter.makeMemoryScarce();
    limiter.update('a', 0, 300_000);
    limiter.second(2);
    expect(limiter.cut).toEqual([]);
    limiter.second();
    expect(limiter.cut).toEqual(['a']);
  });

  test('a transfer of more than 16 kB a second continues, and a slower transfer ends', () => {
    const limiter = createTransfers();
    limiter.makeMemoryScarce();
    limiter.update('fast', 0, 300_000);
    limiter.update('slow', 0, 300_000);
    for (let second = 1; second <= 20; second += 1) {
      limiter.move('fast', second * 17_000, 300_000);
      limiter.move('slow', second * 15_000, 300_000);
      limiter.second();
    }
    expect(limiter.cut).toEqual(['slow']);
  });

  test('a fast transfer that stops ends, because only the pace of the last seconds counts', () => {
    const limiter = createTransfers();
    limiter.makeMemoryScarce();
    limiter.update('a', 0, 300_000);
    limiter.move('a', 10_000_000, 300_000);
    limiter.second(15);
    expect(limiter.cut).toEqual(['a']);
  });

  test('a transfer that holds few bytes continues', () => {
    const limiter = createTransfers();
    limiter.makeMemoryScarce();
    limiter.update('a', 0, 63_999);
    limiter.second(20);
    expect(limiter.cut).toEqual([]);
  });
});
