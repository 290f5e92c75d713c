// Runs the probes of a base URL, and reports when look-ups get no response.

import { createHistogram } from 'node:perf_hooks';
import type { Clock } from '../time.ts';
import type { FailureKind, UpstreamFailure } from './upstream-failure.ts';

/** Six full periods are a minute. The seventh period is the current period. */
const PERIOD_MS = 10_000;
const PERIODS = 7;
const MAX_MS = 600_000;

/** The response times of the last minute. A histogram has the same size for any number of responses. */
export function createResponseTimes(now: () => number) {
  const newTimes = () => createHistogram({ lowest: 1, highest: MAX_MS, figures: 1 });
  const periods = Array.from({ length: PERIODS }, () => ({ number: -1, times: newTimes() }));
  const currentNumber = (): number => Math.floor(now() / PERIOD_MS);

  return {
    add(ms: number): void {
      const number = currentNumber();
      const period = periods[number % PERIODS] as (typeof periods)[number];
      if (period.number !== number) period.times.reset();
      period.number = number;
      period.times.record(Math.min(MAX_MS, Math.max(1, Math.ceil(ms))));
    },
    /** In milliseconds: 99 of 100 responses took at most this time. 0 before the first response. */
    p99(): number {
      const oldest = currentNumber() - PERIODS + 1;
      const recent = newTimes();
      for (const { number, times } of periods) if (number >= oldest) recent.add(times);
      return recent.count === 0 ? 0 : recent.percentile(99);
    },
  };
}

const SILENCE_MS = 3_000;
const MIN_LIMIT_MS = 1_000;
/** A timer can ring a fraction of a millisecond early. */
const EARLY_MS = 1;

export type SilenceWatch = ReturnType<typeof createSilenceWatch>;

/**
 * Reports when look-ups wait for a base URL and no response arrives.
 * @param onSilence called after each SILENCE_MS in which a look-up waited and no response arrived. `limitMs` is the time
 * that a probe should have for its response.
 */
export function createSilenceWatch(time: Clock, onSilence: (limitMs: number) => void) {
  const times = createResponseTimes(() => time.now());
  let running = 0;
  let silentSince = 0;
  let hasAlarm = false;

  // All requests share one alarm, because thousands of requests can run.
  function setAlarm(ms: number): void {
    hasAlarm = true;
    time.after(ms, () => {
      hasAlarm = false;
      if (running === 0) return;
      const leftMs = silentSince + SILENCE_MS - time.now();
      if (leftMs < EARLY_MS) onSilence(Math.max(MIN_LIMIT_MS, 3 * times.p99()));
      setAlarm(leftMs < EARLY_MS ? SILENCE_MS : leftMs);
    });
  }

  return {
    /** The caller calls `begin` when it sends a request for a look-up, and `end` when the request has ended. */
    begin(): void {
      running += 1;
      if (running > 1) return;
      silentSince = time.now();
      if (!hasAlarm) setAlarm(SILENCE_MS);
    },
    end(): void {
      running -= 1;
    },
    /** Must be called for each response, whatever its status. @param ms the time since the request */
    responded(ms: number): void {
      silentSince = time.now();
      times.add(ms);
    },
  };
}

const NO_ANSWER: ReadonlySet<FailureKind> = new Set(['NO_CONNECTION', 'UNREACHABLE', 'TIMEOUT', 'TOO_LARGE']);

/** True for a missing, incomplete or too large response, and for a 5xx. False for a 4xx or an unreadable response. */
export function isSignOfOutage({ kind, status }: UpstreamFailure): boolean {
  return NO_ANSWER.has(kind) || (kind === 'STATUS' && status !== null && status >= 500);
}

export interface Probe {
  readonly startedAt: number;
  /** whether the probe was started because look-ups wait and no response arrives */
  readonly isForSilence: boolean;
  /** whether the probe had no response after OVERDUE_MS */
  readonly isOverdue: boolean;
}

export interface ProbesOptions {
  readonly time: Clock;
  /** Resolves with null if the directory answers, else with the failure. Never rejects. Aborted when the probe ends. */
  readonly probe: (signal: AbortSignal) => Promise<UpstreamFailure | null>;
  readonly onAnswered: () => void;
  readonly onOverdue: (probe: Probe) => void;
  /** can be called after `onOverdue` */
  readonly onFailed: (probe: Probe, failure: UpstreamFailure) => void;
  readonly onSilent: () => void;
}

/** After this time without a response, a probe has failed. But its late response still closes the circuit. */
const OVERDUE_MS = 1_000;

export function createRunningProbes(options: ProbesOptions) {
  const { time, onAnswered, onOverdue, onFailed, onSilent } = options;
  const running = new Map<Probe, () => void>();
  let lastStartedAt = Number.NEGATIVE_INFINITY;

  return {
    get count() {
      return running.size;
    },
    /** -Infinity before the first probe */
    get lastStartedAt() {
      return lastStartedAt;
    },
    some: (matches: (probe: Probe) => boolean) => [...running.keys()].some(matches),

    /** @param silenceLimitMs if the probe has no response after this time, `onSilent` is called */
    start(silenceLimitMs?: number): void {
      lastStartedAt = time.now();
      const probe = {
        startedAt: lastStartedAt,
        isForSilence: silenceLimitMs !== undefined,
        isOverdue: false,
      };
      const controller = new AbortController();
      const cancelOverdue = time.after(OVERDUE_MS, () => {
        probe.isOverdue = true;
        onOverdue(probe);
      });
      const cancelSilent = silenceLimitMs === undefined ? null : time.after(silenceLimitMs, onSilent);
      const end = (): void => {
        running.delete(probe);
        cancelOverdue();
        cancelSilent?.();
        controller.abort();
      };
      running.set(probe, end);
      void options.probe(controller.signal).then((failure) => {
        if (controller.signal.aborted) return;
        end();
        if (failure === null) onAnswered();
        else onFailed(probe, failure);
      });
    },

    /** Ends the running probes without calling `onAnswered` or `onFailed`. */
    endAll(): void {
      for (const end of [...running.values()]) end();
    },
  };
}
