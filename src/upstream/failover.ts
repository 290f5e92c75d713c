// Several base URLs of the same directory, asked in their order until one of them answers.

import { type Holding, isRateLimit, refusalOf } from './holding.ts';
import type { Answer, ProxyBase } from './proxy-base.ts';
import type { Lifetime } from './question-deadline.ts';
import { heldBack, isDeadline, UpstreamFailure } from './upstream-failure.ts';
import type { WaitingRoom } from './waiting-room.ts';

// Which failures are worth another attempt, and when.

const FIRST_BACK_OFF_MS = 200;
const LAST_BACK_OFF_MS = 2_000;
/** for a 429 that does not say how long */
const DEFAULT_RETRY_AFTER_SECONDS = 1;

/** Network errors, time-outs, 429 and 5xx. A GET without effect may be repeated whatever became of it. */
export function isWorthRetrying({ kind, status }: UpstreamFailure): boolean {
  if (kind === 'NO_CONNECTION' || kind === 'UNREACHABLE' || kind === 'TIMEOUT') return true;
  return kind === 'STATUS' && status !== null && (status === 429 || status >= 500);
}

/**
 * Milliseconds until the next attempt: what the base that is ready first asks for, and an exponential
 * back-off of which half is random, so that what failed together does not come again together.
 */
export function pauseMs(failures: readonly BaseFailure[], attempts: number, random: () => number): number {
  const backOffMs = Math.min(LAST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** attempts);
  const askedForMs = Math.min(...failures.map(({ failure }) => retryAfterSeconds(failure) * 1_000));
  return askedForMs + (backOffMs * (1 + random())) / 2;
}

function retryAfterSeconds({ code, retryAfterSeconds }: UpstreamFailure): number {
  return retryAfterSeconds ?? (code === 'UPSTREAM_RATE_LIMITED' ? DEFAULT_RETRY_AFTER_SECONDS : 0);
}

export type Round<T> =
  | { readonly kind: 'ANSWERED'; readonly answer: T }
  | {
      readonly kind: 'FAILED';
      /** of every base that was to be asked, in their order */
      readonly failures: readonly BaseFailure[];
      /** an answer that says that the directory failed */
      readonly poor: { readonly answer: T } | null;
    };

export interface BaseFailure {
  readonly base: ProxyBase;
  readonly failure: UpstreamFailure;
}

/**
 * One attempt at each base until one answers. Rejects where another base would say the same: the answer is
 * no good, the deadline is over, or the caller has gone.
 * @param report is told of every request that was sent and failed
 */
export async function askInOrder<T>(
  bases: readonly ProxyBase[],
  ask: (base: ProxyBase) => Promise<Answer<T>>,
  life: Pick<Lifetime, 'isAborted'>,
  report: (failed: BaseFailure) => void,
): Promise<Round<T>> {
  const failures: BaseFailure[] = [];
  let poor: { readonly answer: T } | null = null;
  for (const base of bases) {
    try {
      const answered = await ask(base);
      const { answer } = answered;
      if (answered.poor === null) return { kind: 'ANSWERED', answer };
      poor ??= { answer };
      failures.push({ base, failure: answered.poor });
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.kind === 'DEADLINE') throw error;
      if (error.kind !== 'HELD_BACK') report({ base, failure: error });
      if (life.isAborted || !error.retryable) throw error;
      failures.push({ base, failure: error });
    }
  }
  return { kind: 'FAILED', failures, poor };
}

/** What to tell of a round: the last word of a base that was asked, else what was held back for the least time. */
export function tellingFailure(failures: readonly BaseFailure[]): UpstreamFailure | null {
  const asked = failures.findLast(({ failure }) => failure.kind !== 'HELD_BACK');
  if (asked) return asked.failure;
  const seconds = ({ failure }: BaseFailure) => failure.retryAfterSeconds ?? Number.POSITIVE_INFINITY;
  const [soonest] = failures.toSorted((a, b) => seconds(a) - seconds(b));
  return soonest?.failure ?? null;
}

// Whether a question may be sent now, has to wait until the directory is found well again, or fails at once.

interface Wanting {
  /** key of whoever asks */
  readonly client: string;
  /** false for a question that was sent before, or has waited */
  readonly isNew: boolean;
  readonly life: Pick<Lifetime, 'signal' | 'leftMs'>;
}

/**
 * Resolves when one of the bases takes requests. Rejects with an UpstreamFailure (HELD_BACK): at once where waiting is
 * not worth it or there is no place for it, else at the deadline. Rejects with the signal's reason where that is
 * another.
 */
export async function whenSendable(
  bases: readonly ProxyBase[],
  room: WaitingRoom,
  { client, isNew, life }: Wanting,
): Promise<void> {
  for (let hasWaited = !isNew; !isSendable(bases); hasWaited = true) {
    const waited = isWorthWaiting(bases, hasWaited, life.leftMs()) ? room.enter(client, life.signal) : null;
    if (waited === null) throw refusal(bases);
    await waited.catch((error: unknown) => {
      // It was not sent: that the directory is down says more than that it was slow.
      throw isDeadline(error) ? refusal(bases) : error;
    });
  }
}

function isSendable(bases: readonly ProxyBase[]): boolean {
  return bases.some(({ circuit }) => !circuit.isOpen());
}

function isWorthWaiting(bases: readonly ProxyBase[], hasWaited: boolean, leftMs: number): boolean {
  return bases.some(({ circuit }) => {
    const holding = circuit.holding();
    return holding !== null && isWorthWaitingFor(holding, hasWaited, leftMs);
  });
}

/** A directory that names a time is believed: what is new comes again after it, instead of all at once. */
function isWorthWaitingFor({ by, nextProbeInMs }: Holding, hasWaited: boolean, leftMs: number): boolean {
  const isInTime = nextProbeInMs < leftMs;
  if (isRateLimit(by)) return isInTime && (hasWaited || nextProbeInMs === 0);
  return isInTime || hasWaited;
}

/** What a look-up fails with that waits no longer for bases that all hold back. */
export function refusal(bases: readonly ProxyBase[]): UpstreamFailure {
  const failures = bases.flatMap((base): BaseFailure[] => {
    const holding = base.circuit.holding();
    return holding ? [{ base, failure: refusalOf(holding) }] : [];
  });
  return tellingFailure(failures) ?? heldBack('there is no base URL to ask');
}
