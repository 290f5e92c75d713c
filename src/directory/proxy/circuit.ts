// A circuit breaker before one base URL: it holds requests back while the directory cannot or will not answer.

import type { Time } from './question-deadline.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface Circuit {
  /** Whether a request would be held back now. Over time it closes by a probe alone. */
  isOpen(): boolean;
  /** Throws what a request would fail with now, if it would be held back. */
  throwIfOpen(): void;
  /**
   * Sends a request, or throws as `throwIfOpen` does. After the time of an open circuit one request is let
   * through as a probe: any HTTP answer but a 429 closes the circuit, else it stays open.
   */
  run<T>(send: () => Promise<T>): Promise<T>;
}

export interface CircuitOptions {
  readonly time: Time;
  /** is told when requests begin to be held back, and why, and when that ends (null) */
  readonly onChange: (openedBy: UpstreamFailure | null) => void;
}

/** Transport failures and time-outs one after the other that open a circuit. */
const RUN_OF_FAILURES = 10;
const FIRST_BACK_OFF_MS = 1_000;
const LAST_BACK_OFF_MS = 30_000;
/** for a 429 that does not say how long */
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 60_000;

interface Opening {
  readonly by: UpstreamFailure;
  readonly until: number;
}

// Not cockatiel's: there a probe that its caller aborts closes the circuit, requests wait for the probe
// without heed of their signals, and a 429 cannot lengthen the time of an open circuit.
export function createCircuit({ time, onChange }: CircuitOptions): Circuit {
  let opening: Opening | null = null;
  let failuresInARow = 0;
  let failedProbes = 0;
  let probing = false;

  function open(by: UpstreamFailure, forMs: number): void {
    const wasOpen = opening !== null;
    opening = { by, until: Math.max(opening?.until ?? 0, time.now() + forMs) };
    if (!wasOpen) onChange(by);
  }

  function close(): void {
    if (opening !== null) onChange(null);
    opening = null;
    failuresInARow = 0;
    failedProbes = 0;
  }

  function settle(failure: UpstreamFailure | null, isProbe: boolean): void {
    if (failure?.code === 'UPSTREAM_RATE_LIMITED') {
      failuresInARow = 0;
      open(failure, retryAfterMs(failure));
    } else if (failure?.kind !== 'UNREACHABLE' && failure?.kind !== 'TIMEOUT') {
      failuresInARow = 0;
      if (isProbe) close();
    } else if (isProbe) {
      failedProbes += 1;
      open(failure, Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** failedProbes));
    } else if (opening === null) {
      // What was sent before the circuit opened says nothing of how things are now.
      failuresInARow += 1;
      if (failuresInARow >= RUN_OF_FAILURES) open(failure, FIRST_BACK_OFF_MS);
    }
  }

  const isOpen = () => opening !== null && (probing || time.now() < opening.until);

  function throwIfOpen(): void {
    if (opening !== null && isOpen()) throw refusalOf(opening, time.now());
  }

  return {
    isOpen,
    throwIfOpen,

    async run(send) {
      throwIfOpen();
      const isProbe = opening !== null;
      if (isProbe) probing = true;
      try {
        const answer = await send();
        settle(null, isProbe);
        return answer;
      } catch (error) {
        // A request that was given up tells nothing: if it was the probe, the next one is.
        if (error instanceof UpstreamFailure && error.kind !== 'DEADLINE') settle(error, isProbe);
        throw error;
      } finally {
        if (isProbe) probing = false;
      }
    },
  };
}

function retryAfterMs({ retryAfterSeconds }: UpstreamFailure): number {
  if (retryAfterSeconds === null) return DEFAULT_RETRY_AFTER_MS;
  return Math.min(MAX_RETRY_AFTER_MS, retryAfterSeconds * 1_000);
}

function refusalOf({ by, until }: Opening, now: number): UpstreamFailure {
  const cause = new Error('the circuit is open', { cause: by });
  if (by.code !== 'UPSTREAM_RATE_LIMITED') {
    return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', { cause });
  }
  const retryAfterSeconds = Math.max(1, Math.ceil((until - now) / 1_000));
  return new UpstreamFailure('UPSTREAM_RATE_LIMITED', 'HELD_BACK', { cause, retryAfterSeconds });
}
