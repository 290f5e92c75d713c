// The rules are in docs/decisions/0013-the-circuit.md.

import { describe, expect, test } from 'vitest';
import {
  badResponse,
  deadlineExceeded,
  failureOfStatus,
  heldBack,
  tooLarge,
} from '../../src/upstream/upstream-failure.ts';
import {
  failNames,
  msUntilProbe,
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

describe('a closed circuit sends a probe', () => {
  test.each([
    ['resets', [RESET]],
    ['timeouts', [TIMED_OUT]],
    ['5xx', [SERVER_ERROR]],
    ['too large responses', [tooLarge('1 MB')]],
    ['failures of several kinds', [RESET, TIMED_OUT, SERVER_ERROR]],
  ])('after %s of five names in a row', async (_, kinds) => {
    const started = startCircuit();
    for (let index = 0; index < 5; index += 1) {
      expect(started.probes()).toBe(0);
      started.circuit.failed(kinds[index % kinds.length] ?? RESET, `/${index}`);
    }
    expect([started.probes(), started.circuit.isOpen()]).toEqual([1, false]);
  });

  test('after one failed connection', () => {
    const started = startCircuit();
    started.circuit.failed(REFUSED, '/0');
    expect([started.probes(), started.circuit.isOpen()]).toEqual([1, false]);
  });

  test.each([
    ['an answer', 0, ({ circuit }: Started) => circuit.answered()],
    ['a 404', 0, ({ circuit }: Started) => circuit.failed(failureOfStatus(404), '/x')],
    ['an unreadable response', 0, ({ circuit }: Started) => circuit.failed(badResponse('no JSON'), '/x')],
    ['a deadline', 1, ({ circuit }: Started) => circuit.failed(deadlineExceeded(1), '/x')],
    ['a request that was held back', 1, ({ circuit }: Started) => circuit.failed(heldBack('full'), '/x')],
  ])(
    'after four failed names, then %s, then four more failed names, the number of probes is %i',
    (_, probes, between) => {
      const started = startCircuit();
      failNames(started, RESET, 4);
      between(started);
      failNames(started, RESET, 4, 10);
      expect(started.probes()).toBe(probes);
    },
  );

  test.each([
    ['one name', RESET],
    ['deadlines', deadlineExceeded(1)],
    ['held back requests', heldBack('full')],
    ['403', failureOfStatus(403)],
    ['unreadable responses', badResponse('no JSON')],
  ])('but not after a hundred failures of %s', (what, failure) => {
    const started = startCircuit();
    for (let index = 0; index < 100; index += 1) {
      started.circuit.failed(failure, what === 'one name' ? '/same' : `/${index}`);
    }
    expect(started.probes()).toBe(0);
  });

  test('at most four times a second while names fail and the probes are answered', async () => {
    const started = startCircuit();
    for (let ms = 0; ms < 2_500; ms += 10) {
      failNames(started, RESET, 5, ms);
      await started.endProbe(null);
      started.time.advance(10);
    }
    expect(started.probes()).toBe(10);
    expect(started.changes).toEqual([]);
  });

  test('whose failure has no effect if another request is answered meanwhile', async () => {
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
    ['five failed names', (started: Started) => failNames(started, TIMED_OUT, 5), TIMED_OUT],
    ['a failed connection', ({ circuit }: Started) => circuit.failed(REFUSED, '/0'), REFUSED],
  ])('after %s if the probe fails too', async (_, fail, failure) => {
    const started = startCircuit();
    fail(started);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.changes).toEqual([failure.code]);
  });

  test.each([
    ['for its Retry-After', '7', 7_000],
    ['for at most a minute', '3600', 60_000],
    ['for a second without Retry-After', undefined, 1_000],
  ])('at once after a 429, %s', (_, retryAfter, ms) => {
    const started = startCircuit();
    started.circuit.failed(failureOfStatus(429, retryAfter), '/0');
    expect(started.circuit.isOpen()).toBe(true);
    expect(msUntilProbe(started)).toBe(ms);
  });

  test('but not after a 429 with Retry-After 0', () => {
    const started = startCircuit();
    started.circuit.failed(failureOfStatus(429, '0'), '/0');
    expect(started.circuit.isOpen()).toBe(false);
  });

  test('until the longest Retry-After ends if it gets several 429', () => {
    const started = startCircuit();
    for (const seconds of ['2', '9', '3']) started.circuit.failed(failureOfStatus(429, seconds), '/0');
    started.time.advance(5_000);
    expect(msUntilProbe(started)).toBe(4_000);
  });
});

describe('an open circuit', () => {
  test('throws UPSTREAM_UNAVAILABLE with the time until the next probe', async () => {
    const { circuit } = await startOpen();
    expect(() => circuit.throwIfOpen()).toThrow(
      expect.objectContaining({
        code: 'UPSTREAM_UNAVAILABLE',
        kind: 'HELD_BACK',
        details: { retryAfterSeconds: 1, heldBack: true },
      }),
    );
  });

  test('throws UPSTREAM_RATE_LIMITED with the seconds left if a 429 opened it', () => {
    const { circuit, time } = startCircuit();
    circuit.failed(failureOfStatus(429, '7'), '/0');
    time.advance(2_500);
    expect(() => circuit.throwIfOpen()).toThrow(
      expect.objectContaining({ code: 'UPSTREAM_RATE_LIMITED', details: { retryAfterSeconds: 5 } }),
    );
  });

  test('stays open during its probe, and closes when the probe is answered', async () => {
    const started = await startOpen();
    msUntilProbe(started);
    failNames(started, RESET, 20);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.circuit.holding()).toMatchObject({ nextProbeInMs: 0 });
    await started.endProbe(null);
    expect(started.circuit.isOpen()).toBe(false);
    expect(started.changes).toEqual(['UPSTREAM_UNAVAILABLE', null]);
  });

  test.each([
    ['a 5xx', SERVER_ERROR],
    ['an HTML page', failureOfStatus(200)],
    ['a reset', RESET],
  ])('stays open when the probe gets %s', async (_, failure) => {
    const started = await startOpen();
    msUntilProbe(started);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(true);
    expect(started.changes).not.toContain(null);
  });

  test('probes at intervals that double up to a maximum. A circuit that opens again begins with the first interval', async () => {
    const started = await startOpen();
    const intervals: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      intervals.push(msUntilProbe(started));
      await started.endProbe(RESET);
    }
    expect(intervals).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    msUntilProbe(started);
    await started.endProbe(null);
    started.circuit.failed(REFUSED, '/0');
    await started.endProbe(REFUSED);
    expect(msUntilProbe(started)).toBe(500);
  });

  test('waits for the Retry-After when its probe gets a 429', async () => {
    const started = await startOpen();
    msUntilProbe(started);
    await started.endProbe(failureOfStatus(429, '4'));
    expect(msUntilProbe(started)).toBe(4_000);
    expect(started.changes).toEqual(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_RATE_LIMITED']);
  });
});

describe('at the start', () => {
  test('the circuit is closed, and has no answer until the first probe is answered', async () => {
    const started = startCircuit();
    started.circuit.check();
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, false]);
    await started.endProbe(null);
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, true]);
  });

  test('a 5xx to the probe does not open the circuit, and the probe is repeated', async () => {
    const started = startCircuit();
    started.circuit.check();
    await started.endProbe(SERVER_ERROR);
    expect([started.circuit.isOpen(), started.circuit.hasAnswered]).toEqual([false, false]);
    expect(msUntilProbe(started)).toBe(500);
    await started.endProbe(SERVER_ERROR);
    expect(msUntilProbe(started)).toBe(1_000);
    started.circuit.answered();
    expect([started.isProbing(), started.circuit.hasAnswered]).toEqual([false, true]);
    started.circuit.failed(REFUSED, '/0');
    await started.endProbe(REFUSED);
    expect(msUntilProbe(started), 'intervals start again').toBe(500);
  });
});

test('an ended circuit sends no probe', async () => {
  const started = await startOpen();
  started.circuit.end();
  started.circuit.failed(failureOfStatus(429, '1'), '/0');
  started.time.advance(600_000);
  started.circuit.check();
  failNames(started, REFUSED, 20);
  expect(started.probes()).toBe(1);
});
