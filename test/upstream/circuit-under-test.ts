// A circuit with a manual clock. The test ends its probes.

import { createCircuit } from '../../src/upstream/circuit.ts';
import {
  failureOfStatus,
  failureOfTransport,
  type UpstreamFailure,
} from '../../src/upstream/upstream-failure.ts';
import { settled } from '../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

export const REFUSED = failureOfTransport(Object.assign(new Error('refused'), { syscall: 'connect' }), false);
export const RESET = failureOfTransport(new Error('ECONNRESET'), false);
export const TIMED_OUT = failureOfTransport(new Error('timeout'), true);
export const SERVER_ERROR = failureOfStatus(503);

interface CircuitUnderTest {
  readonly maxIntervalMs?: number;
  readonly random?: () => number;
  readonly hasConnected?: boolean;
  readonly firstConnectionMs?: number | null;
}

export function startCircuit(options: CircuitUnderTest = {}) {
  const { maxIntervalMs = 5_000, random = () => 1, hasConnected = true, firstConnectionMs = null } = options;
  const time = createManualTime();
  const changes: (string | null)[] = [];
  /** each call of `onFailedUntil`: look-ups that began by `begunBy` fail */
  const givenUp: { readonly at: number; readonly begunBy: number }[] = [];
  const probes: {
    readonly at: number;
    readonly signal: AbortSignal;
    end(failure: UpstreamFailure | null): void;
  }[] = [];
  const circuit = createCircuit({
    time,
    random,
    maxProbeIntervalMs: maxIntervalMs,
    hasConnected: () => hasConnected,
    firstConnectionMs,
    onFailedUntil: () =>
      givenUp.push({ at: time.now(), begunBy: circuit.holding()?.failedUntil ?? Number.NaN }),
    onChange: (by) => changes.push(by?.code ?? null),
    probe: (signal) => new Promise((end) => probes.push({ at: time.now(), signal, end })),
  });
  return {
    circuit,
    time,
    changes,
    givenUp,
    probes: () => probes.length,
    probedAt: () => probes.map(({ at }) => at),
    /** Ends the last probe, or the probe with the index. Null: the directory answered. */
    async endProbe(failure: UpstreamFailure | null, index = -1) {
      probes.at(index)?.end(failure);
      await settled();
    },
    isProbing: () => probes.length > 0 && probes.at(-1)?.signal.aborted === false,
  };
}

export type Started = ReturnType<typeof startCircuit>;

export function failNames({ circuit }: Started, failure: UpstreamFailure, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1) circuit.failed(failure, `/${index}`);
}

/** Milliseconds until the next probe begins; Infinity if no probe begins. */
export function msUntilProbe({ probes, time }: Started): number {
  const before = probes();
  for (let ms = 0; ms < 600_000; ms += 100) {
    if (probes() > before) return ms;
    time.advance(100);
  }
  return Number.POSITIVE_INFINITY;
}

/** Advances the clock in small steps. Each probe that begins meanwhile fails at once, or gets no response (null). */
export async function advanceFor(started: Started, ms: number, failure: UpstreamFailure | null, stepMs = 50) {
  for (let passed = 0; passed < ms; passed += stepMs) {
    const before = started.probes();
    started.time.advance(stepMs);
    if (failure && started.probes() > before) await started.endProbe(failure);
  }
}
