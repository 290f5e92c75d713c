// A circuit breaker before one base URL. It holds requests back during an outage or after a 429, and sends probes until
// the directory answers again. docs/decisions/0013-the-circuit.md states its rules.

import { failureOfHolding, type Holding, isRateLimit, retryAfterMs } from './holding.ts';
import {
  createOutageSigns,
  createRunningProbes,
  isSignOfOutage,
  type Probe,
  type ProbesOptions,
} from './probes.ts';
import { failureOfTransport, hasResponse, type UpstreamFailure } from './upstream-failure.ts';

export interface Circuit {
  /** While it is open the gateway sends only probes. */
  isOpen(): boolean;
  /** null while it is closed */
  holding(): Holding | null;
  /** Throws the failure of a request that is held back. */
  throwIfOpen(): void;
  /** Whether any probe or look-up was answered since the start. */
  readonly hasAnswered: boolean;
  /** the failure of the last probe; null if it was answered, or is younger than a second */
  readonly problem: UpstreamFailure | null;
  /** The result of each request that was sent. */
  answered(): void;
  failed(failure: UpstreamFailure, name: string): void;
  /** Sends a probe while requests are sent. */
  check(): void;
  /** Sends a probe because look-ups wait and no response arrives. The circuit opens if the probe has none in `limitMs`. */
  checkSilence(limitMs: number): void;
  /** Ends probes and timers. */
  end(): void;
}

export interface CircuitOptions extends Pick<ProbesOptions, 'time' | 'probe'> {
  readonly random: () => number;
  /** from the start of one probe to the start of the next, at most; half of it is random */
  readonly maxIntervalMs: number;
  /** called when requests begin to be held back, at each 429 meanwhile, and when that ends (null) */
  readonly onChange: (heldBackBy: UpstreamFailure | null) => void;
  /** called when `givenUpAt` has changed: look-ups have waited long enough */
  readonly onGiveUp: () => void;
  /** whether a connection was ever made */
  readonly hasConnected: () => boolean;
  /** how long after the start look-ups wait for the first connection; null: as in any outage */
  readonly firstConnectionMs: number | null;
}

const FIRST_PAUSE_MS = 500;
/** Look-ups wait until the first probe that fails this long after the circuit opened. */
const PATIENCE_MS = 5_000;
/** At least this time between two probes that failing names cause. */
const BETWEEN_CHECKS_MS = 250;

const NO_RESPONSE = failureOfTransport(new Error('no response to a probe'), true);
const NOTHING = (): void => {};

interface Held {
  failure: UpstreamFailure;
  readonly since: number;
  nextProbeAt: number;
  givenUpAt: number;
}

// Not cockatiel's: it knows neither names nor a 429, and uses a client's request as its probe.
export function createCircuit(options: CircuitOptions): Circuit {
  const { time, random, maxIntervalMs, onChange, onGiveUp, hasConnected, firstConnectionMs } = options;
  const firstEndsAt = time.now() + (firstConnectionMs ?? Number.NEGATIVE_INFINITY);
  const signs = createOutageSigns();
  const probes = createRunningProbes({
    ...options,
    onAnswered: close,
    onOverdue(probe) {
      problem = NO_RESPONSE;
      if (held) countFailure(held, NO_RESPONSE, probe);
    },
    onFailed: probeFailed,
    onSilent() {
      if (!held) open(NO_RESPONSE);
    },
  });
  let held: Held | null = null;
  let cancelNextProbe = NOTHING;
  let pauses = 0;
  let hasAnswered = false;
  let problem: UpstreamFailure | null = null;
  let ended = false;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function probeFailed(probe: Probe, failure: UpstreamFailure): void {
    problem = failure;
    if (isRateLimit(failure)) holdForRate(failure, Math.max(nextPauseMs(), retryAfterMs(failure)));
    else if (held) {
      if (!probe.isOverdue) countFailure(held, failure, probe);
    } else if (isCertain(failure) || signs.areEnough() || (probe.isForSilence && !hasResponse(failure))) {
      open(failure);
    } else if (probes.underWay === 0) {
      cancelNextProbe = time.alarm(nextPauseMs(), check);
    }
  }

  /** A probe failed while requests are held back. */
  function countFailure(holding: Held, failure: UpstreamFailure, { startedAt }: Probe): void {
    // The wait after the 429 has ended, and the directory now fails.
    if (isRateLimit(holding.failure)) open(failure);
    else {
      holding.failure = failure;
      giveUpIfDue(holding, startedAt);
    }
  }

  /** First gives up all look-ups that wait; later only look-ups that began before the failed probe. */
  function giveUpIfDue(holding: Held, probeStartedAt: number): void {
    const now = time.now();
    const isFirst = holding.givenUpAt === Number.NEGATIVE_INFINITY;
    const waitsForFirst = firstConnectionMs !== null && !hasConnected();
    if (now < (waitsForFirst ? firstEndsAt : holding.since + PATIENCE_MS)) return;
    holding.givenUpAt = isFirst ? now : Math.max(holding.givenUpAt, probeStartedAt);
    onGiveUp();
  }

  function open(failure: UpstreamFailure): void {
    const now = time.now();
    const opened: Held = { failure, since: now, nextProbeAt: now, givenUpAt: Number.NEGATIVE_INFINITY };
    held = opened;
    scheduleProbe(opened);
    onChange(failure);
    if (firstConnectionMs !== null) giveUpIfDue(opened, probes.lastStartedAt);
  }

  /** A pause begins with the start of the last probe, even if the probe ended long ago. */
  function scheduleProbe(opened: Held): void {
    const now = time.now();
    const at = probes.lastStartedAt + nextPauseMs();
    opened.nextProbeAt = now < firstEndsAt ? Math.min(at, firstEndsAt) : at;
    const inMs = opened.nextProbeAt - now;
    cancelNextProbe();
    if (inMs <= 0) probeAgain(opened);
    else cancelNextProbe = time.alarm(inMs, () => probeAgain(opened));
  }

  function probeAgain(opened: Held): void {
    probes.start();
    scheduleProbe(opened);
  }

  function holdForRate(failure: UpstreamFailure, forMs: number): void {
    const now = time.now();
    const until = Math.max(now + forMs, held?.nextProbeAt ?? 0);
    endProbes();
    held = { failure, since: now, nextProbeAt: until, givenUpAt: Number.NEGATIVE_INFINITY };
    cancelNextProbe = time.alarm(until - now, () => probes.start());
    onChange(failure);
  }

  function endProbes(): void {
    probes.endAll();
    cancelNextProbe();
    cancelNextProbe = NOTHING;
  }

  function close(): void {
    hasAnswered = true;
    problem = null;
    pauses = 0;
    signs.clear();
    endProbes();
    if (!held) return;
    held = null;
    onChange(null);
  }

  function nextPauseMs(): number {
    const pauseMs = Math.min(maxIntervalMs, FIRST_PAUSE_MS * 2 ** pauses) * (1 + random()) * 0.5;
    pauses += 1;
    return pauseMs;
  }

  function check(): void {
    if (held || ended || probes.underWay > 0) return;
    cancelNextProbe();
    probes.start();
  }

  function checkBecauseOfNames(): void {
    if (!signs.areEnough() || time.now() - checkedAt < BETWEEN_CHECKS_MS) return;
    checkedAt = time.now();
    check();
  }

  function holding(): Holding | null {
    if (!held) return null;
    const isAwaited = probes.some(({ isOverdue }) => !isOverdue);
    const nextProbeInMs = isAwaited ? 0 : Math.max(0, held.nextProbeAt - time.now());
    return { failure: held.failure, nextProbeInMs, givenUpAt: held.givenUpAt, hasConnected: hasConnected() };
  }

  return {
    isOpen: () => held !== null,
    holding,
    throwIfOpen() {
      const now = holding();
      if (now) throw failureOfHolding(now);
    },
    get hasAnswered() {
      return hasAnswered;
    },
    get problem() {
      return problem;
    },
    answered() {
      // A request that was sent before the 429 does not show that the directory takes requests again.
      if (held && isRateLimit(held.failure)) hasAnswered = true;
      else close();
    },
    failed(failure, name) {
      if (ended || failure.kind === 'HELD_BACK' || failure.kind === 'DEADLINE') return;
      if (isRateLimit(failure)) {
        const forMs = retryAfterMs(failure);
        if (forMs > 0) holdForRate(failure, forMs);
      } else if (isSignOfOutage(failure)) {
        signs.add(name);
        if (isCertain(failure)) check();
        else checkBecauseOfNames();
      } else signs.clear();
    },
    check,
    checkSilence(limitMs) {
      if (held || ended || probes.some(({ isForSilence }) => isForSilence)) return;
      cancelNextProbe();
      probes.start(limitMs);
    },
    end() {
      ended = true;
      endProbes();
    },
  };
}

/** A name cannot prevent a connection. */
function isCertain({ kind }: UpstreamFailure): boolean {
  return kind === 'NO_CONNECTION';
}
