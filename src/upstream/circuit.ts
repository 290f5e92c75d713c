// The circuit breaker of one base URL. During an outage or after a 429, the circuit is open. It then holds requests back
// and sends probes until the directory answers. The rules are in docs/decisions/0013-the-circuit.md.

import { createRunningProbes, isSignOfOutage, type Probe, type ProbesOptions } from './probes.ts';
import {
  failureOfHolding,
  failureOfTransport,
  type Holding,
  hasResponse,
  isRateLimit,
  retryAfterMs,
  type UpstreamFailure,
} from './upstream-failure.ts';

export interface CircuitOptions extends Pick<ProbesOptions, 'time' | 'probe'> {
  readonly random: () => number;
  /** The longest time from the start of one probe to the start of the next probe. Half of each interval is random. */
  readonly maxProbeIntervalMs: number;
  /** Called with a failure when the circuit opens and at each 429. Called with null when the circuit closes. */
  readonly onChange: (failure: UpstreamFailure | null) => void;
  /** called when `failedUntil` has changed, because look-ups have waited too long */
  readonly onFailedUntil: () => void;
  /** whether a connection was ever made */
  readonly hasConnected: () => boolean;
  /** How long after the start look-ups wait for the first connection. Null: look-ups wait as long as in any outage. */
  readonly firstConnectionMs: number | null;
}

const FIRST_INTERVAL_MS = 500;
/** If a probe fails at least this long after the circuit opened, all waiting look-ups fail. */
const MAX_WAIT_MS = 5_000;
/** The longest time that the circuit stays open after a 429. */
const MAX_RATE_LIMIT_MS = 60_000;
/** Failed look-ups start at most one probe in this time. */
const MIN_CHECK_INTERVAL_MS = 250;

const NO_RESPONSE = failureOfTransport(new Error('no response to a probe'), true);
/** If one server of the directory fails, only its names fail. So an outage needs this many failed names. */
const FAILED_NAMES = 5;

interface OpenState {
  failure: UpstreamFailure;
  readonly since: number;
  nextProbeAt: number;
  failedUntil: number;
}

export type Circuit = ReturnType<typeof createCircuit>;

// No library is used: cockatiel's circuit breaker uses a client's request as its probe, and knows neither names nor a 429.
export function createCircuit(options: CircuitOptions) {
  const { time, random, maxProbeIntervalMs, onChange, onFailedUntil, hasConnected, firstConnectionMs } =
    options;
  const firstConnectionEndsAt = time.now() + (firstConnectionMs ?? Number.NEGATIVE_INFINITY);
  /** names whose look-ups failed after the last answer of the directory */
  const failedNames = new Set<string>();
  const probes = createRunningProbes({
    ...options,
    onAnswered: close,
    onOverdue(probe) {
      problem = NO_RESPONSE;
      if (openState) countFailure(openState, NO_RESPONSE, probe);
    },
    onFailed: probeFailed,
    onSilent() {
      if (!openState) open(NO_RESPONSE);
    },
  });
  let openState: OpenState | null = null;
  let cancelNextProbe = (): void => {};
  let intervals = 0;
  let hasAnswered = false;
  let problem: UpstreamFailure | null = null;
  let isEnded = false;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function probeFailed(probe: Probe, failure: UpstreamFailure): void {
    problem = failure;
    if (isRateLimit(failure)) holdForRate(failure, Math.max(nextIntervalMs(), rateLimitMs(failure)));
    else if (openState) {
      if (!probe.isOverdue) countFailure(openState, failure, probe);
    } else if (isOutage(failure) || manyNamesFailed() || (probe.isForSilence && !hasResponse(failure))) {
      open(failure);
    } else if (probes.count === 0) {
      cancelNextProbe = time.after(nextIntervalMs(), check);
    }
  }

  /** Counts a failed probe while the circuit is open. */
  function countFailure(state: OpenState, failure: UpstreamFailure, { startedAt }: Probe): void {
    // A probe after a 429 failed for another reason: an outage begins.
    if (isRateLimit(state.failure)) open(failure);
    else {
      state.failure = failure;
      failWaitingIfDue(state, startedAt);
    }
  }

  /** The first time, all waiting look-ups fail. Later, the look-ups that began before the failed probe fail. */
  function failWaitingIfDue(state: OpenState, probeStartedAt: number): void {
    const now = time.now();
    const isFirst = state.failedUntil === Number.NEGATIVE_INFINITY;
    const waitsForFirst = firstConnectionMs !== null && !hasConnected();
    if (now < (waitsForFirst ? firstConnectionEndsAt : state.since + MAX_WAIT_MS)) return;
    state.failedUntil = isFirst ? now : Math.max(state.failedUntil, probeStartedAt);
    onFailedUntil();
  }

  function open(failure: UpstreamFailure): void {
    const now = time.now();
    const opened: OpenState = {
      failure,
      since: now,
      nextProbeAt: now,
      failedUntil: Number.NEGATIVE_INFINITY,
    };
    openState = opened;
    scheduleProbe(opened);
    onChange(failure);
    if (firstConnectionMs !== null) failWaitingIfDue(opened, probes.lastStartedAt);
  }

  /** The interval begins at the start of the last probe, even if that probe ended long ago. */
  function scheduleProbe(opened: OpenState): void {
    const now = time.now();
    const at = probes.lastStartedAt + nextIntervalMs();
    opened.nextProbeAt = now < firstConnectionEndsAt ? Math.min(at, firstConnectionEndsAt) : at;
    const inMs = opened.nextProbeAt - now;
    cancelNextProbe();
    if (inMs <= 0) probeAgain(opened);
    else cancelNextProbe = time.after(inMs, () => probeAgain(opened));
  }

  function probeAgain(opened: OpenState): void {
    probes.start();
    scheduleProbe(opened);
  }

  function holdForRate(failure: UpstreamFailure, forMs: number): void {
    const now = time.now();
    const until = Math.max(now + forMs, openState?.nextProbeAt ?? 0);
    endProbes();
    openState = { failure, since: now, nextProbeAt: until, failedUntil: Number.NEGATIVE_INFINITY };
    cancelNextProbe = time.after(until - now, () => probes.start());
    onChange(failure);
  }

  function endProbes(): void {
    probes.endAll();
    cancelNextProbe();
  }

  function close(): void {
    hasAnswered = true;
    problem = null;
    intervals = 0;
    failedNames.clear();
    endProbes();
    if (!openState) return;
    openState = null;
    onChange(null);
  }

  function nextIntervalMs(): number {
    const longestMs = Math.min(maxProbeIntervalMs, FIRST_INTERVAL_MS * 2 ** intervals);
    intervals += 1;
    return (longestMs * (1 + random())) / 2;
  }

  function check(): void {
    if (openState || isEnded || probes.count > 0) return;
    cancelNextProbe();
    probes.start();
  }

  /** Whether enough different names have failed to be a sign of an outage. */
  function manyNamesFailed(): boolean {
    return failedNames.size >= FAILED_NAMES;
  }

  function holding(): Holding | null {
    if (!openState) return null;
    const isAwaited = probes.some(({ isOverdue }) => !isOverdue);
    const { failure, nextProbeAt, failedUntil } = openState;
    const nextProbeInMs = isAwaited ? 0 : Math.max(0, nextProbeAt - time.now());
    return { failure, nextProbeInMs, failedUntil, hasConnected: hasConnected() };
  }

  return {
    /** While the circuit is open, the gateway sends only probes. */
    isOpen: () => openState !== null,
    /** Null while the circuit is closed. */
    holding,
    /** If the circuit is open, throws an UpstreamFailure (HELD_BACK). */
    throwIfOpen(): void {
      const state = holding();
      if (state) throw failureOfHolding(state);
    },
    /** Whether the directory has answered a probe or a look-up since the start. */
    get hasAnswered() {
      return hasAnswered;
    },
    /** The failure of the last probe. Null if the directory answered, and before the first probe has a result. */
    get problem() {
      return problem;
    },
    /** The caller calls `answered` or `failed` for each request that it sent. */
    answered(): void {
      // This request was sent before the 429, so its answer does not show that the rate limit has ended.
      if (openState && isRateLimit(openState.failure)) hasAnswered = true;
      else close();
    },
    /** @param name the subject of the request: failures of many different names are a sign of an outage */
    failed(failure: UpstreamFailure, name: string): void {
      if (isEnded || failure.kind === 'HELD_BACK' || failure.kind === 'DEADLINE') return;
      if (isRateLimit(failure)) {
        const forMs = rateLimitMs(failure);
        if (forMs > 0) holdForRate(failure, forMs);
      } else if (isSignOfOutage(failure)) {
        if (!manyNamesFailed()) failedNames.add(name);
        if (isOutage(failure)) check();
        else if (manyNamesFailed() && time.now() - checkedAt >= MIN_CHECK_INTERVAL_MS) {
          checkedAt = time.now();
          check();
        }
      } else failedNames.clear();
    },
    /** Sends a probe if the circuit is closed and no probe is running. */
    check,
    /** Sends a probe because no response arrives. If the probe has no response after `limitMs`, the circuit opens. */
    checkSilence(limitMs: number): void {
      if (openState || isEnded || probes.some(({ isForSilence }) => isForSilence)) return;
      cancelNextProbe();
      probes.start(limitMs);
    },
    /** Ends probes and timers. */
    end(): void {
      isEnded = true;
      endProbes();
    },
  };
}

function rateLimitMs(failure: UpstreamFailure): number {
  return Math.min(MAX_RATE_LIMIT_MS, retryAfterMs(failure));
}

/** Whether one failure shows an outage: without a connection, the name cannot be the reason. */
function isOutage({ kind }: UpstreamFailure): boolean {
  return kind === 'NO_CONNECTION';
}
