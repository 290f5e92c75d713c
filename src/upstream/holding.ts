// Why requests to a base URL are held back, and the failure of a look-up that is held back.

import { systemCode, UpstreamFailure } from './upstream-failure.ts';

export interface Holding {
  readonly failure: UpstreamFailure;
  /** 0 while a probe is under way that may still be answered in time */
  readonly nextProbeInMs: number;
  /** Look-ups that began then or earlier wait no longer; -Infinity: every look-up waits. */
  readonly givenUpAt: number;
  /** whether a connection was ever made since the start */
  readonly hasConnected: boolean;
}

export function isRateLimit({ code }: UpstreamFailure): boolean {
  return code === 'UPSTREAM_RATE_LIMITED';
}

/** for a 429 that does not say how long */
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 60_000;

/** How long a 429 holds requests back. */
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
    // Without "Try again": a client that retries at once only waits again.
    message: hasConnected ? 'The directory is down.' : neverConnected(failure),
  });
}

/** Names the system's error, such as ENOTFOUND or ECONNREFUSED. It contains no text of the directory. */
function neverConnected(by: UpstreamFailure): string {
  const code = systemCode(by.cause) ?? by.code;
  return `No connection to the directory was ever made (${code}).`;
}

// Look-ups that wait until a circuit closes. They are not in the queue.

export interface HeldLookUps {
  /**
   * Resolves with the next `wake`, in the order of the calls. Rejects with the signal's reason.
   * null: too many wait. A client may take half of the free places, so that the next client finds some.
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
