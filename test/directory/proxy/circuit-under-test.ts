// A circuit whose time and probes are in the test's hands.

import { createCircuit } from '../../../src/directory/proxy/circuit.ts';
import {
  failureOfStatus,
  failureOfTransport,
  type UpstreamFailure,
} from '../../../src/directory/proxy/upstream-failure.ts';
import { settled } from '../../support/virtual-clock.ts';
import { createManualTime } from './manual-time.ts';

export const REFUSED = failureOfTransport(Object.assign(new Error('refused'), { syscall: 'connect' }), false);
export const RESET = failureOfTransport(new Error('ECONNRESET'), false);
export const TIMED_OUT = failureOfTransport(new Error('time-out'), true);
export const SERVER_ERROR = failureOfStatus(503);

/** A circuit whose probes end when the test says how. */
export function startCircuit(maxPauseMs = 5_000) {
  const time = createManualTime();
  const changes: (string | null)[] = [];
  const probes: { readonly signal: AbortSignal; end(failure: UpstreamFailure | null): void }[] = [];
  const circuit = createCircuit({
    time,
    random: () => 1,
    maxPauseMs,
    onChange: (by) => changes.push(by?.code ?? null),
    probe: (signal) => new Promise((end) => probes.push({ signal, end })),
  });
  return {
    circuit,
    time,
    changes,
    probes: () => probes.length,
    async endProbe(failure: UpstreamFailure | null) {
      probes.at(-1)?.end(failure);
      await settled();
    },
    isProbing: () => probes.length > 0 && probes.at(-1)?.signal.aborted === false,
  };
}

export type Started = ReturnType<typeof startCircuit>;

export function failNames({ circuit }: Started, failure: UpstreamFailure, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1) circuit.failed(failure, `/${index}`);
}

/** Milliseconds until the next probe begins. */
export function pausesFor({ probes, time }: Started): number {
  const before = probes();
  let ms = 0;
  for (; probes() === before; ms += 100) time.advance(100);
  return ms;
}
