// When a circuit opens, for how long, and how it closes: docs/decisions/0013-the-circuit.md has the rules.

import { describe, expect, test } from 'vitest';
import {
  badResponse,
  deadlineExceeded,
  failureOfStatus,
  heldBack,
} from '../../src/upstream/upstream-failure.ts';
import {
  failNames,
  pausesFor,
  REFUSED,
  RESET,
  SERVER_ERROR,
  type Started,
  startCircuit,
  TIMED_OUT,
} from './circuit-under-test.ts';

async function startOpen(by = REFUSED): Promise<Started> {
  const started = startCircuit();
  started.circuit.failed(by, '/0');
  await started.endProbe(by);
  return started;
}

describe('a circuit looks how the directory is', () => {
  test.each([
    ['resets', [RESET]],
    ['time-outs', [TIMED_OUT]],
    ['5xx', [SERVER_ERROR]],
    ['all of them', [RESET, TIMED_OUT, SERVER_ERROR]],
  ])('after five names failed one after the other: %s', async (_, kinds) => {
    const started = startCircuit();
    for (let index = 0; index < 5; index += 1) {
      expect(started.probes()).toBe(0);
      started.circuit.failed(kinds[index % kinds.length] ?? RESET, `/${index}`);
    }
    expect([started.probes(), started.circuit.isOpen()]).toEqual([1, false]);
  });

  test('once no connection can be made', () => {
    const started = startCircuit();
    started.circuit.failed(REFUSED, '/0');
    expect([started.probes(), started.circuit.isOpen()]).toEqual([1, false]);
  });

  test.each([
    ['an answer', 0, ({ circuit }: Started) => circuit.answered()],
    ['a 404', 0, ({ circuit }: Started) => circuit.failed(failureOfStatus(404), '/x')],
    ['a bad answer', 0, ({ circuit }: Started) => circuit.failed(badResponse('no JSON'), '/x')],
    ['a deadline', 1, ({ circuit }: Started) => circuit.failed(deadlineExceeded(1), '/x')],
    ['what was held back', 1, ({ circuit }: Started) => circuit.failed(heldBack('full'), '/x')],
  ])('after eight names with %s between them: %i times', (_, probes, between) => {
    const started = startCircuit();
    failNames(started, RESET, 4);
    between(started);
    failNames(started, RESET, 4, 10);
    expect(started.probes()).toBe(probes);
  });

  test.each([
    ['one name', RESET],
    ['deadlines', deadlineExceeded(1)],
    ['what was held back', heldBack('full')],
    ['403', failureOfStatus(403)],
  ])('not after any number of failures of %s', (what, failure) => {
    const started = startCircuit();
    for (let index = 0; index < 100; index += 1) {
      started.circuit.failed(failure, what === 'one name' ? '/same' : `/${index}`);
    }
    expect(started.probes()).toBe(0);
  });

  test('four times a second at the most, while the names of somebody fail and the probe is answered', async () => {
    const started = startCircuit();
    for (let ms = 0; ms < 2_500; ms += 10) {
      failNames(started, RESET, 5, ms);
      await started.endProbe(null);
      started.time.advance(10);
    }
    expect(started.probes()).toBe(10);
    expect(started.changes).toEqual([]);
  });

  test('for nothing, if anything else is answered meanwhile', async () => {
    const started = startCircuit();
    failNames(started, TIMED_OUT, 5);
    started.circuit.answered();
    expect(started.isProbing()).toBe(false);
    await started.endProbe(TIMED_OUT);
    expect(started.circuit.isOpen()).toBe(false);
  });
});

describe('a circuit opens', () => {
  test.each([
    ['five names', (started: Started) => failNames(started, TIMED_OUT, 5), TIMED_OUT],
    ['no connection', ({ circuit }: Started) => circuit.failed(REFUSED, '/0'), REFUSED],
  ])('when the probe after %s fails too', async (_, fail, failure) => {
    const started = startCircuit();
    fail(started);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.changes).toEqual([failure.code]);
  });

  test.each([
    ['for the time it names', '7', 7_000],
    ['for a minute at the most', '3600', 60_000],
    ['for a second, if it names none', undefined, 1_000],
  ])('at once by a 429, %s', (_, retryAfter, ms) => {
    const started = startCircuit();
    started.circuit.failed(failureOfStatus(429, retryAfter), '/0');
    expect(started.circuit.isOpen()).toBe(true);
    expect(pausesFor(started)).toBe(ms);
  });

  test('not by a 429 whose time is over', () => {
    const started = startCircuit();
    started.circuit.failed(failureOfStatus(429, '0'), '/0');
    expect(started.circuit.isOpen()).toBe(false);
  });

  test('for longer when another 429 says so, and not for less', () => {
    const started = startCircuit();
    for (const seconds of ['2', '9', '3']) started.circuit.failed(failureOfStatus(429, seconds), '/0');
    started.time.advance(5_000);
    expect(pausesFor(started)).toBe(4_000);
  });
});

describe('an open circuit', () => {
  test('refuses with UPSTREAM_UNAVAILABLE, and when to come again', async () => {
    const { circuit } = await startOpen();
    expect(() => circuit.throwIfOpen()).toThrow(
      expect.objectContaining({
        code: 'UPSTREAM_UNAVAILABLE',
        kind: 'HELD_BACK',
        details: { retryAfterSeconds: 1, heldBack: true },
      }),
    );
  });

  test('refuses with UPSTREAM_RATE_LIMITED and the seconds that are left, if a 429 opened it', () => {
    const { circuit, time } = startCircuit();
    circuit.failed(failureOfStatus(429, '7'), '/0');
    time.advance(2_500);
    expect(() => circuit.throwIfOpen()).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 5 } }),
    );
  });

  test('stays open during its probe, and is closed by an answer to it', async () => {
    const started = await startOpen();
    pausesFor(started);
    failNames(started, RESET, 20);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.circuit.holding()).toMatchObject({ nextProbeInMs: 0 });
    await started.endProbe(null);
    expect(started.circuit.isOpen()).toBe(false);
    expect(started.changes).toEqual(['UPSTREAM_UNAVAILABLE', null]);
  });

  test.each([
    ['a 5xx', SERVER_ERROR],
    ['a page', failureOfStatus(200)],
    ['a reset', RESET],
  ])('is not closed by %s', async (_, failure) => {
    const started = await startOpen();
    pausesFor(started);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.changes).not.toContain(null);
  });

  test('is probed after pauses that double up to the longest, and begin anew when it was closed', async () => {
    const started = await startOpen();
    const pauses: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      pauses.push(pausesFor(started));
      await started.endProbe(RESET);
    }
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    pausesFor(started);
    await started.endProbe(null);
    started.circuit.failed(REFUSED, '/0');
    await started.endProbe(REFUSED);
    expect(pausesFor(started)).toBe(500);
  });

  test('waits for the Retry-After of a 429 to its probe', async () => {
    const started = await startOpen();
    pausesFor(started);
    await started.endProbe(failureOfStatus(429, '4'));
    expect(pausesFor(started)).toBe(4_000);
    expect(started.changes).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_RATE_LIMITED']);
  });
});

describe('at the start', () => {
  test('one that is checked is closed, and has not answered before the probe is answered', async () => {
    const started = startCircuit();
    started.circuit.check();
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, false]);
    await started.endProbe(null);
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, true]);
  });

  test('a probe that fails for its name alone is sent again, and holds nothing back', async () => {
    const started = startCircuit();
    started.circuit.check();
    await started.endProbe(SERVER_ERROR);
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, false]);
    expect(pausesFor(started)).toBe(500);
    await started.endProbe(SERVER_ERROR);
    expect(pausesFor(started)).toBe(1_000);
    started.circuit.answered();
    expect([started.isProbing(), started.circuit.hasAnswered]).toEqual([false, true]);
    started.circuit.failed(REFUSED, '/0');
    await started.endProbe(REFUSED);
    expect(pausesFor(started), 'as if it had never failed').toBe(500);
  });

  test('a directory that nobody can connect to is held back from, and found later', async () => {
    const started = startCircuit();
    started.circuit.check();
    await started.endProbe(REFUSED);
    expect(started.circuit.isOpen()).toBe(true);
    pausesFor(started);
    await started.endProbe(null);
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, true]);
  });
});

test('one that has ended sends no probe any more', async () => {
  const started = await startOpen();
  started.circuit.end();
  started.circuit.failed(failureOfStatus(429, '1'), '/0');
  started.time.advance(600_000);
  started.circuit.check();
  failNames(started, REFUSED, 20);
  expect(started.probes()).toBe(1);
});
