// How the directory is asked: never too many at a time, again where that may help, and not without end.

import { type Asker, OWN_WORK } from '../asker.ts';
import type { AskOptions } from '../directory.ts';
import { isRateLimit } from './circuit.ts';
import { askInOrder, type BaseFailure, tellingFailure } from './failover.ts';
import type { ProxyBase, Question } from './proxy-base.ts';
import { type Lifetime, startLifetime, type Time } from './question-deadline.ts';
import type { RequestSlots } from './request-slots.ts';
import { isWorthRetrying, pauseMs } from './retry.ts';
import { heldBack, UpstreamFailure } from './upstream-failure.ts';
import type { WaitingRoom } from './waiting-room.ts';
import { whenSendable } from './when-sendable.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are asked */
  readonly bases: readonly ProxyBase[];
  readonly slots: RequestSlots;
  /** where questions wait while no base takes requests; woken when that may be over */
  readonly room: WaitingRoom;
  /** attempts after the first, at all bases each */
  readonly retries: number;
  /** for one question, waiting and all attempts included */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** is told of every failure of a request that was sent, and of a deadline (base null), for the log */
  readonly report: (failure: UpstreamFailure, path: string, base: string | null, asker: Asker) => void;
}

export interface UpstreamPolicy {
  /** Rejects with an UpstreamFailure, or with the signal's reason once that is aborted. */
  ask<T>(question: Question<T>, asked?: AskOptions): Promise<T>;
  /** Ends all that is still asked or waiting. Nothing may be asked afterwards. */
  close(): void;
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions): UpstreamPolicy {
  const { slots, room, retries, time, random, report } = options;
  const lifetimes = new Set<Lifetime>();
  let closed = false;

  async function askAgain<T>(
    question: Question<T>,
    asker: Asker,
    life: Lifetime,
    found: Found<T>,
  ): Promise<T> {
    const reportSent = ({ failure, base }: BaseFailure) => report(failure, question.path, base.base, asker);
    let { bases } = options;
    let attempts = 0;
    for (let isNew = true; ; isNew = false) {
      await whenSendable(bases, room, { client: asker.client.key, isNew, life });
      const round = await slots.run(life.signal, () => askInOrder(bases, question, life.signal, reportSent));
      if (round.kind === 'ANSWERED') return round.answer;
      found.poor = round.poor ?? found.poor;
      // What began to hold back while this waited for its turn has to be waited for as well.
      if (round.failures.length > 0 && round.failures.every(isHeldBack)) continue;
      const again = round.failures.filter(({ failure }) => isWorthRetrying(failure));
      const waitMs = pauseMs(again, attempts, random);
      // An attempt that met an ill directory says nothing of the name, and does not count.
      const isIll = bases.every(isFoundIll);
      if ((attempts >= retries && !isIll) || waitMs >= life.leftMs()) {
        throw tellingFailure(round.failures) ?? heldBack('there is no base URL to ask');
      }
      if (!isIll) attempts += 1;
      bases = round.failures
        .filter((failed) => isHeldBack(failed) || again.some(({ base }) => base === failed.base))
        .map(({ base }) => base);
      await time.sleep(waitMs, life.signal);
    }
  }

  return {
    async ask(question, { signal, asker = OWN_WORK } = {}) {
      signal?.throwIfAborted();
      if (closed) throw heldBack('the directory was closed');
      const life = startLifetime(signal, options.deadlineMs, time);
      lifetimes.add(life);
      const found: Found<Awaited<ReturnType<typeof question.read>>> = { poor: null };
      try {
        return await askAgain(question, asker, life, found);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UpstreamFailure)) throw error;
        if (error.kind === 'DEADLINE') report(error, question.path, null, asker);
        // What the directory said of itself is told rather than that it then said nothing.
        if (found.poor && error.retryable) return found.poor.answer;
        throw error;
      } finally {
        life.end();
        lifetimes.delete(life);
      }
    },

    close() {
      closed = true;
      for (const life of lifetimes) life.abort(heldBack('the directory was closed'));
    },
  };
}

interface Found<T> {
  poor: { readonly answer: T } | null;
}

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function isFoundIll({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.by);
}
