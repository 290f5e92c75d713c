// How long look-ups wait in an outage, and how late or missing responses change the circuit.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureOfStatus } from '../../src/upstream/upstream-failure.ts';
import {
  advanceFor,
  REFUSED,
  RESET,
  SERVER_ERROR,
  type Started,
  startCircuit,
  TIMED_OUT,
} from './circuit-under-test.ts';

const MAX_INTERVAL_MS = 2_000;

async function startOpen(options: Parameters<typeof startCircuit>[0] = {}): Promise<Started> {
  const started = startCircuit({ maxIntervalMs: MAX_INTERVAL_MS, ...options });
  started.circuit.failed(REFUSED, '/0');
  await started.endProbe(REFUSED);
  expect(started.circuit.isOpen()).toBe(true);
  return started;
}

describe('in an outage', () => {
  test('all look-ups fail when a probe fails more than 5 s after the circuit opened', async () => {
    const started = await startOpen();
    await advanceFor(started, 6_000, REFUSED);
    expect(started.probedAt()).toEqual([0, 500, 1_500, 3_500, 5_500]);
    expect(started.givenUp).toEqual([{ at: 5_500, begunBy: 5_500 }]);
  });

  test('later look-ups fail when a probe fails that started after they began', async () => {
    const started = await startOpen();
    await advanceFor(started, 5_500, REFUSED);
    await advanceFor(started, 4_500, null);
    expect(started.probedAt().slice(-2)).toEqual([7_500, 9_500]);
    expect(started.givenUp.slice(1)).toEqual([{ at: 8_500, begunBy: 7_500 }]);
  });

  test('later look-ups do not fail when a probe fails that started before the first look-ups failed', async () => {
    const started = await startOpen({ maxIntervalMs: 1_000, random: () => 0 });
    await advanceFor(started, 4_000, REFUSED);
    await advanceFor(started, 2_500, null);
    expect(started.probedAt().filter((at) => at > 4_000)).toEqual([4_250, 4_750, 5_250, 5_750, 6_250]);
    expect(started.givenUp).toEqual([
      { at: 5_250, begunBy: 5_250 },
      { at: 5_750, begunBy: 5_250 },
      { at: 6_250, begunBy: 5_250 },
    ]);
  });

  test('look-ups wait 5 s again when the circuit closed and opened again', async () => {
    const started = await startOpen();
    await advanceFor(started, 6_000, REFUSED);
    started.circuit.answered();
    started.circuit.failed(REFUSED, '/1');
    await started.endProbe(REFUSED);
    await advanceFor(started, 4_900, REFUSED);
    expect(started.givenUp).toHaveLength(1);
    await advanceFor(started, 1_100, REFUSED);
    expect(started.givenUp).toHaveLength(2);
  });

  test('look-ups wait until the Retry-After of a 429 ends, and then 5 s more', async () => {
    const started = startCircuit({ maxIntervalMs: MAX_INTERVAL_MS });
    started.circuit.failed(failureOfStatus(429, '20'), '/0');
    await advanceFor(started, 20_000, REFUSED);
    expect([started.probes(), started.givenUp.length]).toEqual([1, 0]);
    expect(started.changes).toEqual(['UPSTREAM_RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);
    await advanceFor(started, 4_900, REFUSED);
    expect(started.givenUp).toEqual([]);
    await advanceFor(started, 3_000, REFUSED);
    expect(started.givenUp[0]?.at).toBeGreaterThanOrEqual(25_000);
  });

  const STEP_MS = 50;
  const outcomes = fc.array(fc.constantFrom('refused', 'slow', 'none'), { minLength: 60, maxLength: 60 });
  const randoms = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));

  test('look-ups wait at most 8 s, later look-ups at most 3 s, and probes start at least every 2 s', async () => {
    await fc.assert(
      fc.asyncProperty(outcomes, randoms, async (list, random) => {
        const started = await startOpen({ random: () => random.next().value ?? 0 });
        const openedAt = started.time.now();
        const due: { readonly at: number; readonly index: number }[] = [];
        for (let passed = 0; passed < 25_000; passed += STEP_MS) {
          const before = started.probes();
          started.time.advance(STEP_MS);
          for (let index = before; index < started.probes(); index += 1) {
            if (list[index] === 'refused') due.push({ at: 0, index });
            if (list[index] === 'slow') due.push({ at: started.time.now() + 700, index });
          }
          for (const { index } of due.filter(({ at }) => at <= started.time.now())) {
            await started.endProbe(RESET, index);
          }
          due.splice(0, due.length, ...due.filter(({ at }) => at > started.time.now()));
        }
        const starts = started.probedAt();
        for (const [at, start] of starts.slice(1).entries()) {
          expect(start - (starts[at] ?? 0)).toBeLessThanOrEqual(MAX_INTERVAL_MS + STEP_MS);
        }
        const [first = expect.unreachable()] = started.givenUp;
        expect(first.at - openedAt).toBeGreaterThanOrEqual(5_000);
        expect(first.at - openedAt).toBeLessThanOrEqual(8_000 + 2 * STEP_MS);
        expect(first.begunBy).toBe(first.at);
        for (let arrival = first.at + 1; arrival < 20_000; arrival += STEP_MS) {
          const end = started.givenUp.find(({ begunBy }) => begunBy >= arrival)?.at ?? Number.NaN;
          expect(end - arrival).toBeLessThanOrEqual(3_000 + 2 * STEP_MS);
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe('a late answer of a look-up', () => {
  test('closes the circuit', async () => {
    const started = await startOpen();
    started.circuit.answered();
    expect([started.circuit.isOpen(), started.changes.at(-1)]).toEqual([false, null]);
  });

  test('does not close the circuit after a 429', () => {
    const { circuit } = startCircuit();
    circuit.failed(failureOfStatus(429, '7'), '/0');
    circuit.answered();
    expect([circuit.isOpen(), circuit.hasAnswered]).toEqual([true, true]);
  });
});

describe('a probe without response', () => {
  test('counts as failed after a second, and its late response closes the circuit', async () => {
    const started = await startOpen();
    await advanceFor(started, 8_000, null);
    expect(started.givenUp[0]?.at).toBe(6_500);
    await started.endProbe(null, 1);
    expect([started.circuit.isOpen(), started.changes.at(-1)]).toEqual([false, null]);
  });

  test('fails only once, because its later timeout does not count', async () => {
    const started = await startOpen();
    await advanceFor(started, 6_500, null);
    expect(started.givenUp).toHaveLength(1);
    await started.endProbe(TIMED_OUT, 1);
    await started.endProbe(TIMED_OUT, 4);
    expect(started.givenUp).toHaveLength(1);
  });

  test('is reported as a problem after a second, until an answer arrives', async () => {
    const { circuit, time } = startCircuit();
    circuit.check();
    time.advance(999);
    expect(circuit.problem).toBeNull();
    time.advance(1);
    expect(circuit.problem).toMatchObject({ kind: 'TIMEOUT' });
    circuit.answered();
    expect(circuit.problem).toBeNull();
  });
});

describe('when look-ups get no response', () => {
  test.each([
    [2_999, false],
    [3_000, true],
  ])(
    'the circuit opens at the time limit of the probe, 3,000 ms: after %i ms, the circuit is open: %s',
    (ms, isOpen) => {
      const { circuit, time } = startCircuit();
      circuit.checkSilence(3_000);
      time.advance(ms);
      expect(circuit.isOpen()).toBe(isOpen);
    },
  );

  test.each([
    ['a reset', RESET, true],
    ['a timeout', TIMED_OUT, true],
    ['a 5xx', SERVER_ERROR, false],
  ])('the failure of the probe decides whether the circuit opens: %s', async (_, failure, isOpen) => {
    const started = startCircuit();
    started.circuit.checkSilence(3_000);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(isOpen);
  });

  test('the circuit stays closed if a look-up is answered meanwhile', () => {
    const { circuit, time } = startCircuit();
    circuit.checkSilence(1_000);
    circuit.answered();
    time.advance(20_000);
    expect(circuit.isOpen()).toBe(false);
  });

  test('the next probe starts when the circuit opens, because intervals count from the last start', () => {
    const started = startCircuit();
    started.circuit.checkSilence(1_000);
    started.time.advance(1_000);
    expect([started.probes(), started.circuit.holding()?.nextProbeInMs]).toEqual([2, 0]);
  });

  test('one probe starts, even beside a probe that another check started', () => {
    const started = startCircuit();
    started.circuit.check();
    started.circuit.checkSilence(5_000);
    started.circuit.checkSilence(5_000);
    expect(started.probes()).toBe(2);
  });

  test('no probe starts while the circuit is open', async () => {
    const started = await startOpen();
    started.circuit.checkSilence(1_000);
    expect(started.probes()).toBe(1);
  });
});

describe('without any connection since the start', () => {
  test('look-ups wait as in any outage, and the message names the cause', async () => {
    const started = await startOpen({ hasConnected: false });
    expect(() => started.circuit.throwIfOpen()).toThrow('No connection to the directory was ever made');
    await advanceFor(started, 6_000, REFUSED);
    expect(started.givenUp).toEqual([{ at: 5_500, begunBy: 5_500 }]);
  });

  test('look-ups wait for `firstConnectionMs` after the start', async () => {
    const started = await startOpen({ hasConnected: false, firstConnectionMs: 1_000 });
    await advanceFor(started, 2_000, REFUSED);
    expect(started.probedAt()).toEqual([0, 500, 1_000]);
    expect(started.givenUp).toEqual([{ at: 1_000, begunBy: 1_000 }]);
  });

  test('look-ups fail at once if that time has passed when the circuit opens', async () => {
    const started = startCircuit({ hasConnected: false, firstConnectionMs: 1_000 });
    started.circuit.checkSilence(1_000);
    started.time.advance(1_000);
    expect(started.givenUp).toHaveLength(1);
  });

  test('`firstConnectionMs` has no effect after the first connection', async () => {
    const started = await startOpen({ firstConnectionMs: 1_000 });
    await advanceFor(started, 4_900, REFUSED);
    expect(started.givenUp).toEqual([]);
  });
});
