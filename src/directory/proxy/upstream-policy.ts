// How the directory is asked: never too many at a time, again where that may help, and not without end.

import { askInOrder, type BaseFailure, tellingFailure, throwIfAllOpen } from './failover.ts';
import type { ProxyBase, Question } from './proxy-base.ts';
import { type Lifetime, startLifetime, type Time } from './question-deadline.ts';
import type { RequestSlots } from './request-slots.ts';
import { isWorthRetrying, pauseMs } from './retry.ts';
import { heldBack, UpstreamFailure } from './upstream-failure.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are asked */
  readonly bases: readonly ProxyBase[];
  readonly slots: RequestSlots;
  /** attempts after the first, at all bases each */
  readonly retries: number;
  /** for one question, waiting and all attempts included */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** is told of every failure of a request that was sent, and of a deadline (base null), for the log */
  readonly report: (failure: UpstreamFailure, path: string, base: string | null) => void;
}

export interface UpstreamPolicy {
  /** Rejects with an UpstreamFailure, or with the signal's reason once that is aborted. */
  ask<T>(question: Question<T>, signal?: AbortSignal): Promise<T>;
  /** Ends all that is still asked or waiting. Nothing may be asked afterwards. */
  close(): void;
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions): UpstreamPolicy {
  const { slots, retries, time, random, report } = options;
  const lifetimes = new Set<Lifetime>();
  let closed = false;

  async function askAgain<T>(question: Question<T>, life: Lifetime, found: Found<T>): Promise<T> {
    const reportSent = ({ failure, base }: BaseFailure) => report(failure, question.path, base.base);
    let { bases } = options;
    for (let attempts = 0; ; attempts += 1) {
      if (attempts === 0) throwIfAllOpen(bases);
      const round = await slots.run(life.signal, () => askInOrder(bases, question, life.signal, reportSent));
      if (round.kind === 'ANSWERED') return round.answer;
      found.poor = round.poor ?? found.poor;
      const again = round.failures.filter(({ failure }) => isWorthRetrying(failure, attempts));
      const waitMs = pauseMs(again, attempts, random);
      if (attempts === retries || waitMs >= life.leftMs()) {
        throw tellingFailure(round.failures) ?? heldBack('there is no base URL to ask');
      }
      const isLeft = ({ base, failure }: BaseFailure) =>
        failure.kind === 'HELD_BACK' || again.some((other) => other.base === base);
      bases = round.failures.filter(isLeft).map(({ base }) => base);
      await time.sleep(waitMs, life.signal);
    }
  }

  return {
    async ask(question, signal) {
      signal?.throwIfAborted();
      if (closed) throw heldBack('the directory was closed');
      const life = startLifetime(signal, options.deadlineMs, time);
      lifetimes.add(life);
      const found: Found<Awaited<ReturnType<typeof question.read>>> = { poor: null };
      try {
        return await askAgain(question, life, found);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UpstreamFailure)) throw error;
        if (error.kind === 'DEADLINE') report(error, question.path, null);
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
