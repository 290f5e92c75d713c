// Whatever happens to a circuit, in whichever order: what it tells is what it does, and it never stays open unasked.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOfStatus } from '../../src/upstream/upstream-failure.ts';
import {
  failNames,
  REFUSED,
  RESET,
  SERVER_ERROR,
  type Started,
  startCircuit,
  TIMED_OUT,
} from './circuit-under-test.ts';

type Step = (started: Started) => unknown;
const step = (name: string, run: Step) => fc.constant(Object.assign(run, { toString: () => name }));
const FAILURES = { REFUSED, RESET, TIMED_OUT, SERVER_ERROR, BUSY: failureOfStatus(429, '2') };
const steps = fc.array(
  fc.oneof(
    step('answered', ({ circuit }) => circuit.answered()),
    step('well', ({ endProbe }) => endProbe(null)),
    step('check', ({ circuit }) => circuit.check()),
    ...Object.entries(FAILURES).flatMap(([name, failure]) => [
      step(`${name} for one`, ({ circuit }) => circuit.failed(failure, '/same')),
      step(`${name} for many`, (started) => failNames(started, failure, 5)),
      step(`${name} to the probe`, ({ endProbe }) => endProbe(failure)),
    ]),
    fc
      .integer({ min: 1, max: 8_000 })
      .map((ms) => Object.assign(({ time }: Started) => time.advance(ms), { toString: () => `${ms} ms` })),
  ),
  { maxLength: 30 },
);

test('whatever happens in which order: what it tells is what it does, and it never stays open unasked', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const started = startCircuit();
      const { circuit, changes } = started;
      for (const run of list) {
        await run(started);
        const told = changes.at(-1) ?? null;
        expect(circuit.isOpen()).toBe(told !== null);
        expect(circuit.holding() === null).toBe(told === null);
        // Open: a probe is under way, or will be within the longest pause or Retry-After.
        const nextProbeInMs = circuit.holding()?.nextProbeInMs;
        if (nextProbeInMs === 0) expect(started.isProbing()).toBe(true);
        else if (nextProbeInMs !== undefined) expect(nextProbeInMs).toBeLessThanOrEqual(5_000);
      }
      // Whatever was before: a directory that answers its probes is asked again before long.
      for (let turn = 0; turn < 3 && circuit.isOpen(); turn += 1) {
        started.time.advance(5_000);
        await started.endProbe(null);
      }
      expect(circuit.isOpen()).toBe(false);
    }),
    { numRuns: 200 },
  );
});
