// The running probes of one base URL, and the failures that make the gateway send a probe.

import type { Time } from './deadlines.ts';
import type { FailureKind, UpstreamFailure } from './upstream-failure.ts';

interface SignsOfIllness {
  /** @param name of the look-up: a name that fails again counts once */
  add(name: string): void;
  /** Whether so many names have failed that the names are an unlikely cause. */
  areEnough(): boolean;
  /** Called after an answer. */
  clear(): void;
}

/** A few names of one server can fail although the directory works. */
const NAMES = 5;

const NO_ANSWER: ReadonlySet<FailureKind> = new Set(['NO_CONNECTION', 'UNREACHABLE', 'TIMEOUT', 'TOO_LARGE']);

/** No complete response, too many bytes, or a 5xx. A directory that sends a 4xx or an unreadable response works. */
export function isSignOfIllness({ kind, status }: UpstreamFailure): boolean {
  return NO_ANSWER.has(kind) || (kind === 'STATUS' && status !== null && status >= 500);
}

export function createSignsOfIllness(): SignsOfIllness {
  const names = new Set<string>();
  return {
    add(name) {
      if (names.size < NAMES) names.add(name);
    },
    areEnough: () => names.size === NAMES,
    clear: () => names.clear(),
  };
}

export interface Probe {
  readonly startedAt: number;
  /** started because look-ups wait and no response arrives */
  readonly isForSilence: boolean;
  /** no response for a second */
  readonly isOverdue: boolean;
}

export interface Probes {
  readonly underWay: number;
  /** -Infinity before the first one */
  readonly lastStartedAt: number;
  some(is: (probe: Probe) => boolean): boolean;
  /** @param silenceLimitMs calls `onSilent` if the probe has no response after that time */
  start(silenceLimitMs?: number): void;
  /** Ends the running probes without a callback. */
  endAll(): void;
}

export interface ProbesOptions {
  readonly time: Time;
  /** Looks up names that should exist: null if the directory answers, else the failure. Never rejects. */
  readonly probe: (signal: AbortSignal) => Promise<UpstreamFailure | null>;
  readonly onAnswered: () => void;
  readonly onOverdue: (probe: Probe) => void;
  /** may follow `onOverdue` */
  readonly onFailed: (probe: Probe, failure: UpstreamFailure) => void;
  readonly onSilent: () => void;
}

/** After this time without a response, a probe has failed for the look-ups that wait. A late response still counts. */
const RESPONSE_MS = 1_000;

export function createProbes(options: ProbesOptions): Probes {
  const { time, onAnswered, onOverdue, onFailed, onSilent } = options;
  const underWay = new Map<Probe, () => void>();
  let lastStartedAt = Number.NEGATIVE_INFINITY;

  return {
    get underWay() {
      return underWay.size;
    },
    get lastStartedAt() {
      return lastStartedAt;
    },
    some: (is) => [...underWay.keys()].some(is),

    start(silenceLimitMs) {
      lastStartedAt = time.now();
      const probe = {
        startedAt: lastStartedAt,
        isForSilence: silenceLimitMs !== undefined,
        isOverdue: false,
      };
      const controller = new AbortController();
      const cancelOverdue = time.alarm(RESPONSE_MS, () => {
        probe.isOverdue = true;
        onOverdue(probe);
      });
      const cancelSilent = silenceLimitMs === undefined ? null : time.alarm(silenceLimitMs, onSilent);
      const end = (): void => {
        underWay.delete(probe);
        cancelOverdue();
        cancelSilent?.();
        controller.abort();
      };
      underWay.set(probe, end);
      void options.probe(controller.signal).then((failure) => {
        if (controller.signal.aborted) return;
        end();
        if (failure === null) onAnswered();
        else onFailed(probe, failure);
      });
    },

    endAll() {
      for (const end of [...underWay.values()]) end();
    },
  };
}
