// The state of an open circuit, and the look-ups that wait until the circuit closes.

import { systemCode, UpstreamFailure } from './upstream-failure.ts';

export interface Holding {
  /** why the circuit is open */
  readonly failure: UpstreamFailure;
  /** 0 while the circuit waits for the response of a probe */
  readonly nextProbeInMs: number;
  /** Look-ups that began at this time or earlier have failed and no longer wait. -Infinity: all look-ups wait. */
  readonly givenUpAt: number;
  /** whether the gateway has made a connection to the base since the start */
  readonly hasConnected: boolean;
}

export function isRateLimit({ code }: UpstreamFailure): boolean {
  return code === 'UPSTREAM_RATE_LIMITED';
}

/** The wait after a 429 without Retry-After. */
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 60_000;

/** How long the circuit stays open after a 429. */
export function retryAfterMs({ retryAfterSeconds }: UpstreamFailure): number {
  if (retryAfterSeconds === null) return DEFAULT_RETRY_AFTER_MS;
  return Math.min(MAX_RETRY_AFTER_MS, retryAfterSeconds * 1_000);
}

export function failureOfHolding({ failure, nextProbeInMs, hasConnected }: Holding): UpstreamFailure {
  const cause = new Error('the circuit is open', { cause: failure });
  const retryAfterSeconds = Math.max(1, Math.ceil(nextProbeInMs / 1_000));
  if (isRateLimit(failure)) {
    return new UpstreamFailure('UPSTREAM_RATE_LIMITED', 'HELD_BACK', { cause, retryAfterSeconds });
  }
  return new UpstreamFailure('UPSTREAM_UNAVAILABLE', 'HELD_BACK', {
    cause,
    retryAfterSeconds,
    heldBack: true,
    // The message does not say "Try again", because a client that retries at once only waits again.
    message: hasConnected ? 'The directory is down.' : neverConnected(failure),
  });
}

/** The message contains the code of the system's error, such as ENOTFOUND, but no text from the directory. */
function neverConnected(failure: UpstreamFailure): string {
  const code = systemCode(failure.cause) ?? failure.code;
  return `No connection to the directory was ever made (${code}).`;
}

/** Look-ups that wait until a circuit closes. They are not in the request queue. */
export interface HeldLookUps {
  /**
   * Resolves at the next `wake`, in the order of the calls. Rejects with the signal's reason. Returns null if too many
   * look-ups wait. A client can use at most half of the free capacity, so that the next client can wait too.
   */
  wait(client: string, signal: AbortSignal): Promise<void> | null;
  wake(): void;
}

export function createHeldLookUps(maxWaiting: number): HeldLookUps {
  const waiting = new Set<() => void>();
  const ofClient = new Map<string, number>();

  function leave(client: string, wake: () => void): void {
    waiting.delete(wake);
    const left = (ofClient.get(client) ?? 1) - 1;
    if (left === 0) ofClient.delete(client);
    else ofClient.set(client, left);
  }

  return {
    wait(client, signal) {
      const own = ofClient.get(client) ?? 0;
      const free = maxWaiting - waiting.size;
      if (own >= (own + free) / 2) return null;
      ofClient.set(client, own + 1);
      return new Promise((resolve, reject) => {
        const go = () => {
          leave(client, go);
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = () => {
          leave(client, go);
          reject(signal.reason);
        };
        waiting.add(go);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    wake() {
      for (const go of [...waiting]) go();
    },
  };
}
