// The running probes of one base URL, and the failures that make the gateway send a probe.

import type { Time } from './deadlines.ts';
import type { FailureKind, UpstreamFailure } from './upstream-failure.ts';

// Notices that look-ups wait for a base URL and no response arrives.

/** How long responses took within the last minute. */
interface ResponseTimes {
  add(ms: number): void;
  /** milliseconds; 99 of 100 responses took at most this long; 0 without a response */
  p99(): number;
}

/** A minute has six slices; the seventh is being filled. */
const SLICE_MS = 10_000;
const SLICES = 7;
/** Each bucket ends a tenth later than the one before. The last ends after ten minutes, the longest timeout. */
const STEP = 1.1;
const BUCKETS = 142;

/** A histogram: its size does not depend on the number of responses. */
export function createResponseTimes(now: () => number): ResponseTimes {
  const slices = Array.from({ length: SLICES }, () => ({ number: -1, counts: new Uint32Array(BUCKETS) }));
  const currentNumber = (): number => Math.floor(now() / SLICE_MS);

  return {
    add(ms) {
      const number = currentNumber();
      const slice = slices[number % SLICES] as (typeof slices)[number];
      if (slice.number !== number) {
        slice.number = number;
        slice.counts.fill(0);
      }
      const bucket = bucketOf(ms);
      slice.counts[bucket] = (slice.counts[bucket] ?? 0) + 1;
    },
    p99() {
      const oldest = currentNumber() - SLICES + 1;
      const recent = slices.filter(({ number }) => number >= oldest);
      const counts = Array.from({ length: BUCKETS }, (_, bucket) =>
        recent.reduce((sum, slice) => sum + (slice.counts[bucket] ?? 0), 0),
      );
      let left = Math.ceil(0.99 * counts.reduce((sum, count) => sum + count, 0));
      if (left === 0) return 0;
      const bucket = counts.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return STEP ** bucket;
    },
  };
}

function bucketOf(ms: number): number {
  return Math.min(BUCKETS - 1, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(STEP)));
}

interface SilenceWatch {
  /** A request is sent for a look-up; `end` must follow. */
  begin(): void;
  end(): void;
  /** A response with any status has arrived after `ms`. */
  responded(ms: number): void;
}

const SILENCE_MS = 3_000;
const MIN_LIMIT_MS = 1_000;
/** A timer may ring a fraction of a millisecond early. */
const EARLY_MS = 1;

/**
 * @param onSilence called after each 3 s in which a look-up waited and no response arrived; `limitMs` is how long a
 * response to a probe may take before this silence counts as an outage
 */
export function createSilenceWatch(time: Time, onSilence: (limitMs: number) => void): SilenceWatch {
  const times = createResponseTimes(() => time.now());
  let underWay = 0;
  let since = 0;
  let isListening = false;

  // One alarm for all requests, so that a request that begins or ends sets no timer.
  function listen(ms: number): void {
    isListening = true;
    time.alarm(ms, () => {
      isListening = false;
      if (underWay === 0) return;
      const leftMs = since + SILENCE_MS - time.now();
      if (leftMs < EARLY_MS) onSilence(Math.max(MIN_LIMIT_MS, 3 * times.p99()));
      listen(leftMs < EARLY_MS ? SILENCE_MS : leftMs);
    });
  }

  return {
    begin() {
      underWay += 1;
      if (underWay > 1) return;
      since = time.now();
      if (!isListening) listen(SILENCE_MS);
    },
    end() {
      underWay -= 1;
    },
    responded(ms) {
      since = time.now();
      times.add(ms);
    },
  };
}

interface OutageSigns {
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
export function isSignOfOutage({ kind, status }: UpstreamFailure): boolean {
  return NO_ANSWER.has(kind) || (kind === 'STATUS' && status !== null && status >= 500);
}

export function createOutageSigns(): OutageSigns {
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

export interface RunningProbes {
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

export function createRunningProbes(options: ProbesOptions): RunningProbes {
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
