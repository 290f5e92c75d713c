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
    step('answer to the probe', ({ endProbe }) => endProbe(null)),
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

test('after any events, the circuit reports its state, and closes soon after probes are answered', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const started = startCircuit();
      const { circuit, changes } = started;
      for (const run of list) {
        await run(started);
        const reported = changes.at(-1) ?? null;
        expect(circuit.isOpen()).toBe(reported !== null);
        expect(circuit.holding() === null).toBe(reported === null);
        // While the circuit is open, a probe runs or starts within the longest interval or Retry-After.
        const nextProbeInMs = circuit.holding()?.nextProbeInMs;
        if (nextProbeInMs === 0) expect(started.isProbing()).toBe(true);
        else if (nextProbeInMs !== undefined) expect(nextProbeInMs).toBeLessThanOrEqual(5_000);
      }
      for (let probe = 0; probe < 3 && circuit.isOpen(); probe += 1) {
        started.time.advance(5_000);
        await started.endProbe(null);
      }
      expect(circuit.isOpen()).toBe(false);
    }),
    { numRuns: 200 },
  );
});
