// Makes look-ups wait while the circuits of all base URLs are open.

import { onSignalAbort } from '../abortable.ts';
import type { Circuit } from './circuit.ts';
import type { Deadline } from './deadlines.ts';
import {
  failureOfHolding,
  failureToReport,
  isPastDeadline,
  isRateLimit,
  type UpstreamFailure,
} from './upstream-failure.ts';

export type HeldLookUps = ReturnType<typeof createHeldLookUps>;

/** Look-ups that wait until a circuit closes. They are not in the request queue. */
export function createHeldLookUps(maxWaiting: number) {
  const waiting = new Set<() => void>();
  const countOfClient = new Map<string, number>();

  function leave(client: string, wake: () => void): void {
    waiting.delete(wake);
    const left = (countOfClient.get(client) ?? 1) - 1;
    if (left === 0) countOfClient.delete(client);
    else countOfClient.set(client, left);
  }

  return {
    /**
     * Resolves at the next `wake`, in the order of the calls. Rejects with the signal's reason. Returns null if too many
     * look-ups wait. A client can use at most half of what other clients leave, so that the next client can wait too.
     */
    wait(client: string, signal: AbortSignal): Promise<void> | null {
      const own = countOfClient.get(client) ?? 0;
      const free = maxWaiting - waiting.size;
      if (own >= (own + free) / 2) return null;
      countOfClient.set(client, own + 1);
      return new Promise((resolve, reject) => {
        const resume = (): void => {
          leave(client, resume);
          stopListening();
          resolve();
        };
        waiting.add(resume);
        const stopListening = onSignalAbort(signal, () => {
          leave(client, resume);
          reject(signal.reason);
        });
      });
    },
    wake(): void {
      for (const resume of [...waiting]) resume();
    },
  };
}

interface HeldBase {
  readonly circuit: Pick<Circuit, 'isOpen' | 'holding'>;
}

interface HeldRequest {
  /** the client's key */
  readonly client: string;
  /** whether the look-up was not sent before and has not waited before */
  readonly isNew: boolean;
  readonly deadline: Pick<Deadline, 'signal' | 'leftMs'>;
}

/**
 * Resolves when the circuit of at least one base is closed. Rejects with an UpstreamFailure (HELD_BACK) at the deadline.
 * Rejects at once with the same failure if probably no base recovers before the deadline, or if too many look-ups wait.
 * If the signal is aborted for another reason, rejects with this reason.
 */
export async function whenSendable(
  bases: readonly HeldBase[],
  heldLookUps: HeldLookUps,
  { client, isNew, deadline }: HeldRequest,
): Promise<void> {
  const isOpen = ({ circuit }: HeldBase): boolean => circuit.isOpen();
  for (let hasWaited = !isNew; bases.every(isOpen); hasWaited = true) {
    const leftMs = deadline.leftMs();
    const canHelp = bases.some((base) => isWorthWaiting(base, hasWaited, leftMs));
    const waited = canHelp ? heldLookUps.wait(client, deadline.signal) : null;
    if (waited === null) throw heldBackFailure(bases);
    await waited.catch((error: unknown) => {
      // For the client, "the directory is down" is a better message than "the deadline passed".
      throw isPastDeadline(error) ? heldBackFailure(bases) : error;
    });
  }
}

/** After a 429, a new look-up waits only while a probe runs. If all waited, the gateway would later send all at once. */
function isWorthWaiting({ circuit }: HeldBase, hasWaited: boolean, leftMs: number): boolean {
  const holding = circuit.holding();
  if (holding === null) return false;
  const { failure, nextProbeInMs } = holding;
  const isInTime = nextProbeInMs < leftMs;
  if (isRateLimit(failure)) return isInTime && (hasWaited || nextProbeInMs === 0);
  return isInTime || hasWaited;
}

/** The failure of a look-up if the circuits of all bases are open. */
export function heldBackFailure(bases: readonly HeldBase[]): UpstreamFailure {
  return failureToReport(
    bases.flatMap(({ circuit }) => {
      const holding = circuit.holding();
      return holding ? [failureOfHolding(holding)] : [];
    }),
  );
}
