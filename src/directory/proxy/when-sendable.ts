// Whether a question may be sent now, has to wait until the directory is found well again, or fails at once.

import { type BaseFailure, tellingFailure } from './failover.ts';
import { type Holding, isRateLimit, refusalOf } from './holding.ts';
import type { ProxyBase } from './proxy-base.ts';
import type { Lifetime } from './question-deadline.ts';
import { heldBack, isDeadline, type UpstreamFailure } from './upstream-failure.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface Wanting {
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
