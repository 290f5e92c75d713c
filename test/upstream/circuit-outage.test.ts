// How long look-ups wait in an outage, and what a slow response is worth.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureOfStatus } from '../../src/upstream/upstream-failure.ts';
import {
  passFor,
  REFUSED,
  RESET,
  SERVER_ERROR,
  type Started,
  startCircuit,
  TIMED_OUT,
} from './circuit-under-test.ts';

const MAX_PAUSE_MS = 2_000;

async function openAtOnce(options: Parameters<typeof startCircuit>[0] = {}): Promise<Started> {
  const started = startCircuit({ maxIntervalMs: MAX_PAUSE_MS, ...options });
  started.circuit.failed(REFUSED, '/0');
  await started.endProbe(REFUSED);
  expect(started.circuit.isOpen()).toBe(true);
  return started;
}

describe('in an outage look-ups wait', () => {
  test('until the first probe that fails 5 s after the circuit opened, all of them', async () => {
    const started = await openAtOnce();
    await passFor(started, 6_000, REFUSED);
    expect(started.probedAt()).toEqual([0, 500, 1_500, 3_500, 5_500]);
    expect(started.givenUp).toEqual([{ at: 5_500, begunBy: 5_500 }]);
  });

  test('later for the next probe that starts after they began', async () => {
    const started = await openAtOnce();
    await passFor(started, 5_500, REFUSED);
    await passFor(started, 4_500, null);
    expect(started.probedAt().slice(-2)).toEqual([7_500, 9_500]);
    expect(started.givenUp.slice(1)).toEqual([{ at: 8_500, begunBy: 7_500 }]);
  });

  test('not for a probe that began before the first of them failed', async () => {
    const started = await openAtOnce({ maxIntervalMs: 1_000, random: () => 0 });
    await passFor(started, 4_000, REFUSED);
    await passFor(started, 2_500, null);
    expect(started.probedAt().filter((at) => at > 4_000)).toEqual([4_250, 4_750, 5_250, 5_750, 6_250]);
    expect(started.givenUp).toEqual([
      { at: 5_250, begunBy: 5_250 },
      { at: 5_750, begunBy: 5_250 },
      { at: 6_250, begunBy: 5_250 },
    ]);
  });

  test('as long again when the circuit closed and opened once more', async () => {
    const started = await openAtOnce();
    await passFor(started, 6_000, REFUSED);
    started.circuit.answered();
    started.circuit.failed(REFUSED, '/1');
    await started.endProbe(REFUSED);
    await passFor(started, 4_900, REFUSED);
    expect(started.givenUp).toHaveLength(1);
    await passFor(started, 1_100, REFUSED);
    expect(started.givenUp).toHaveLength(2);
  });

  test('as long as for any 429, and only then as in an outage', async () => {
    const started = startCircuit({ maxIntervalMs: MAX_PAUSE_MS });
    started.circuit.failed(failureOfStatus(429, '20'), '/0');
    await passFor(started, 20_000, REFUSED);
    expect([started.probes(), started.givenUp.length]).toEqual([1, 0]);
    expect(started.changes).toEqual(['UPSTREAM_RATE_LIMITED', 'UPSTREAM_UNAVAILABLE']);
    await passFor(started, 4_900, REFUSED);
    expect(started.givenUp).toEqual([]);
    await passFor(started, 3_000, REFUSED);
    expect(started.givenUp[0]?.at).toBeGreaterThanOrEqual(25_000);
  });

  const STEP_MS = 50;
  const outcomes = fc.array(fc.constantFrom('refused', 'slow', 'none'), { minLength: 60, maxLength: 60 });
  const randoms = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));

  test('however probes fail: at most 8 s, then at most 3 s, with probes at most 2 s apart', async () => {
    await fc.assert(
      fc.asyncProperty(outcomes, randoms, async (list, random) => {
        const started = await openAtOnce({ random: () => random.next().value ?? 0 });
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
          expect(start - (starts[at] ?? 0)).toBeLessThanOrEqual(MAX_PAUSE_MS + STEP_MS);
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

describe('a late answer to a look-up', () => {
  test('closes the circuit', async () => {
    const started = await openAtOnce();
    started.circuit.answered();
    expect([started.circuit.isOpen(), started.changes.at(-1)]).toEqual([false, null]);
  });

  test('does not close it where a 429 opened it', () => {
    const { circuit } = startCircuit();
    circuit.failed(failureOfStatus(429, '7'), '/0');
    circuit.answered();
    expect([circuit.isOpen(), circuit.hasAnswered]).toEqual([true, true]);
  });
});

describe('a probe without response', () => {
  test('has failed after a second for those that wait, and its late response closes the circuit', async () => {
    const started = await openAtOnce();
    await passFor(started, 8_000, null);
    expect(started.givenUp[0]?.at).toBe(6_500);
    await started.endProbe(null, 1);
    expect([started.circuit.isOpen(), started.changes.at(-1)]).toEqual([false, null]);
  });

  test('fails once: its time-out comes too late to count again', async () => {
    const started = await openAtOnce();
    await passFor(started, 6_500, null);
    expect(started.givenUp).toHaveLength(1);
    await started.endProbe(TIMED_OUT, 1);
    await started.endProbe(TIMED_OUT, 4);
    expect(started.givenUp).toHaveLength(1);
  });

  test('is a problem after a second, before any look-up waits, and until an answer comes', async () => {
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

describe('silence', () => {
  test.each([
    ['as long as the probe may take', 2_999, false],
    ['no longer', 3_000, true],
  ])('keeps the circuit closed %s', (_, ms, isOpen) => {
    const { circuit, time } = startCircuit();
    circuit.checkSilence(3_000);
    time.advance(ms);
    expect(circuit.isOpen()).toBe(isOpen);
  });

  test.each([
    ['a reset', RESET, true],
    ['a time-out', TIMED_OUT, true],
    ['a 5xx, which is a response', SERVER_ERROR, false],
  ])('opens the circuit where the probe fails with %s: %s', async (_, failure, isOpen) => {
    const started = startCircuit();
    started.circuit.checkSilence(3_000);
    await started.endProbe(failure);
    expect(started.circuit.isOpen()).toBe(isOpen);
  });

  test('opens nothing where any look-up is answered meanwhile', () => {
    const { circuit, time } = startCircuit();
    circuit.checkSilence(1_000);
    circuit.answered();
    time.advance(20_000);
    expect(circuit.isOpen()).toBe(false);
  });

  test('opens it with the next probe at once: pauses count from the start of the last one', () => {
    const started = startCircuit();
    started.circuit.checkSilence(1_000);
    started.time.advance(1_000);
    expect([started.probes(), started.circuit.holding()?.nextProbeInMs]).toEqual([2, 0]);
  });

  test('sends a probe of its own beside another check, and no second one', () => {
    const started = startCircuit();
    started.circuit.check();
    started.circuit.checkSilence(5_000);
    started.circuit.checkSilence(5_000);
    expect(started.probes()).toBe(2);
  });

  test('sends none while requests are held back', async () => {
    const started = await openAtOnce();
    started.circuit.checkSilence(1_000);
    expect(started.probes()).toBe(1);
  });
});

describe('where no connection was ever made', () => {
  test('look-ups wait as in any outage, and the message says so', async () => {
    const started = await openAtOnce({ hasConnected: false });
    expect(() => started.circuit.throwIfOpen()).toThrow('No connection to the directory was ever made');
    await passFor(started, 6_000, REFUSED);
    expect(started.givenUp).toEqual([{ at: 5_500, begunBy: 5_500 }]);
  });

  test('they wait a given time from the start, where one is given', async () => {
    const started = await openAtOnce({ hasConnected: false, firstConnectionMs: 1_000 });
    await passFor(started, 2_000, REFUSED);
    expect(started.probedAt()).toEqual([0, 500, 1_000]);
    expect(started.givenUp).toEqual([{ at: 1_000, begunBy: 1_000 }]);
  });

  test('they fail at once where that time is over when the circuit opens', async () => {
    const started = startCircuit({ hasConnected: false, firstConnectionMs: 1_000 });
    started.circuit.checkSilence(1_000);
    started.time.advance(1_000);
    expect(started.givenUp).toHaveLength(1);
  });

  test('that time counts no more after the first connection', async () => {
    const started = await openAtOnce({ firstConnectionMs: 1_000 });
    await passFor(started, 4_900, REFUSED);
    expect(started.givenUp).toEqual([]);
  });
});
