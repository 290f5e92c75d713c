// A circuit breaker before one base URL: it holds requests back while the directory cannot or will not answer, and
// finds out by itself when that is over. docs/decisions/0013-the-circuit.md has its states as a table.

import type { Time } from './question-deadline.ts';
import { createSignsOfIllness, isSignOfIllness } from './signs-of-illness.ts';
import { UpstreamFailure } from './upstream-failure.ts';

export interface Circuit {
  /** While it is open nothing is sent but probes. */
  isOpen(): boolean;
  /** null while it is closed */
  holding(): Holding | null;
  /** Throws what a request fails with that is held back. */
  throwIfOpen(): void;
  /** Whether there has been an answer at all, to a probe or to anything else. */
  readonly hasAnswered: boolean;
  /** Is told how each request ended that was sent. */
  answered(): void;
  failed(failure: UpstreamFailure, name: string): void;
  /** Looks how the directory is, while requests are sent. */
  check(): void;
  /** Ends probes and timers, for good. */
  end(): void;
}

/** Why requests are held back, and what becomes of it. */
export interface Holding {
  readonly by: UpstreamFailure;
  /** 0 while one is under way */
  readonly nextProbeInMs: number;
}

export interface CircuitOptions {
  readonly time: Time;
  readonly random: () => number;
  /** between two probes at the most; of that time half is random */
  readonly maxPauseMs: number;
  /** Asks for names that should exist: null where the directory answers, else what it failed with. Never rejects. */
  readonly probe: (signal: AbortSignal) => Promise<UpstreamFailure | null>;
  /** is told when requests begin to be held back, at each 429 meanwhile, and when that ends (null) */
  readonly onChange: (heldBackBy: UpstreamFailure | null) => void;
}

const FIRST_PAUSE_MS = 500;
/** Names that fail while others are answered cost a few probes a second at the most. */
const BETWEEN_CHECKS_MS = 250;
/** for a 429 that does not say how long */
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 60_000;

type State =
  /** of one that has not been reached yet, `leave` ends the pause until it is checked again */
  | { readonly kind: 'CLOSED'; leave(): void }
  /** closed as well */
  | { readonly kind: 'CHECKING'; leave(): void }
  | { readonly kind: 'PAUSING'; readonly by: UpstreamFailure; readonly until: number; leave(): void }
  | { readonly kind: 'PROBING'; readonly by: UpstreamFailure; leave(): void };

const CLOSED: State = { kind: 'CLOSED', leave: () => {} };

// Not cockatiel's: it knows neither names nor a 429, and lets through a client's request in place of a probe.
export function createCircuit(options: CircuitOptions): Circuit {
  const { time, random, maxPauseMs, probe, onChange } = options;
  const signs = createSignsOfIllness();
  let state: State = CLOSED;
  let hasAnswered = false;
  let ended = false;
  let failedProbes = 0;
  let checkedAt = Number.NEGATIVE_INFINITY;

  function enter(next: State): void {
    const before = heldBackBy(state);
    state.leave();
    state = next;
    const by = heldBackBy(next);
    if (by?.code !== before?.code || (by && by !== before && isRateLimit(by))) onChange(by);
  }

  /** Starts a probe, of which nothing is heard any more once its state has been left. */
  function startProbe(): () => void {
    const controller = new AbortController();
    void probe(controller.signal).then((failure) => {
      if (!controller.signal.aborted) settleProbe(failure);
    });
    return () => controller.abort();
  }

  function settleProbe(failure: UpstreamFailure | null): void {
    if (failure === null) {
      hasAnswered = true;
      failedProbes = 0;
      signs.clear();
      enter(CLOSED);
      return;
    }
    const pauseMs = Math.min(maxPauseMs, FIRST_PAUSE_MS * 2 ** failedProbes) * (1 + random()) * 0.5;
    failedProbes += 1;
    if (isRateLimit(failure)) pause(failure, Math.max(pauseMs, retryAfterMs(failure)));
    else if (state.kind === 'PROBING' || isCertain(failure) || signs.areEnough()) pause(failure, pauseMs);
    else enter({ kind: 'CLOSED', leave: time.alarm(pauseMs, check) });
  }

  function pause(by: UpstreamFailure, forMs: number): void {
    const until = Math.max(time.now() + forMs, state.kind === 'PAUSING' ? state.until : 0);
    const leave = time.alarm(until - time.now(), () => {
      enter({ kind: 'PROBING', by, leave: startProbe() });
    });
    enter({ kind: 'PAUSING', by, until, leave });
  }

  function check(): void {
    if (state.kind !== 'CLOSED' || ended) return;
    enter({ kind: 'CHECKING', leave: startProbe() });
  }

  function checkBecauseOfNames(): void {
    if (!signs.areEnough() || time.now() - checkedAt < BETWEEN_CHECKS_MS) return;
    checkedAt = time.now();
    check();
  }

  function holding(): Holding | null {
    const by = heldBackBy(state);
    if (by === null) return null;
    return { by, nextProbeInMs: state.kind === 'PAUSING' ? Math.max(0, state.until - time.now()) : 0 };
  }

  function answered(): void {
    hasAnswered = true;
    // What was sent before it opened says nothing of how things are now.
    if (heldBackBy(state)) return;
    failedProbes = 0;
    signs.clear();
    if (state !== CLOSED) enter(CLOSED);
  }

  return {
    isOpen: () => heldBackBy(state) !== null,
    holding,
    throwIfOpen() {
      const held = holding();
      if (held) throw refusalOf(held);
    },
    get hasAnswered() {
      return hasAnswered;
    },
    answered,
    failed(failure, name) {
      if (ended || failure.kind === 'HELD_BACK' || failure.kind === 'DEADLINE') return;
      if (isRateLimit(failure)) {
        const forMs = retryAfterMs(failure);
        if (forMs > 0) pause(failure, forMs);
      } else if (isSignOfIllness(failure)) {
        signs.add(name);
        if (isCertain(failure)) check();
        else checkBecauseOfNames();
      } else signs.clear();
    },
    check,
    end() {
      ended = true;
      state.leave();
    },
  };
}

function heldBackBy(state: State): UpstreamFailure | null {
  return 'by' in state ? state.by : null;
}

/** No name can keep a connection from being made. */
function isCertain({ kind }: UpstreamFailure): boolean {
  return kind === 'NO_CONNECTION';
}

export function isRateLimit({ code }: UpstreamFailure): boolean {
  return code === 'UPSTREAM_RATE_LIMITED';
}

function retryAfterMs({ retryAfterSeconds }: UpstreamFailure): number {
  if (retryAfterSeconds === null) return DEFAULT_RETRY_AFTER_MS;
  return Math.min(MAX_RETRY_AFTER_MS, retryAfterSeconds * 1_000);
}

/** What a request fails with that is held back. */
export function refusalOf({ by, nextProbeInMs }: Holding): UpstreamFailure {
  const cause = new Error('the circuit is open', { cause: by });
  const code = isRateLimit(by) ? 'UPSTREAM_RATE_LIMITED' : 'UPSTREAM_UNAVAILABLE';
  const retryAfterSeconds = Math.max(1, Math.ceil(nextProbeInMs / 1_000));
  return new UpstreamFailure(code, 'HELD_BACK', { cause, retryAfterSeconds });
}
