// How the directory is asked: in turn, again where that may help, and not without end.

import { GatewayError } from '../../errors.ts';
import { OWN_WORK } from '../asker.ts';
import type { AskOptions } from '../directory.ts';
import { oneWaiter } from '../waiters.ts';
import { askInOrder, type BaseFailure, tellingFailure, throwIfAllOpen } from './failover.ts';
import type { ProxyBase, Question } from './proxy-base.ts';
import { createLifetimes, type Time } from './question-deadline.ts';
import type { QueuedQuestion } from './queued-request.ts';
import type { RequestQueue } from './request-queue.ts';
import { isWorthRetrying, pauseMs } from './retry.ts';
import { heldBack, UpstreamFailure } from './upstream-failure.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are asked */
  readonly bases: readonly ProxyBase[];
  readonly queue: RequestQueue;
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
  /** Rejects with an UpstreamFailure, with GATEWAY_BUSY, or with the signal's reason once that is aborted. */
  ask<T>(question: Question<T>, options: AskOptions): Promise<T>;
  /** Ends all that is still asked or waiting. Nothing may be asked afterwards. */
  close(): void;
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions): UpstreamPolicy {
  const { queue, retries, time, random, report } = options;
  const lifetimes = createLifetimes(options.deadlineMs, time);
  let closed = false;

  /** Each attempt is a turn of its own: nobody has a slot who waits before another attempt. */
  function inTurn(base: ProxyBase, asked: QueuedQuestion): ProxyBase {
    return {
      ...base,
      async ask(question) {
        base.circuit.throwIfOpen();
        return queue.run(asked, (signal) => base.ask(question, signal));
      },
    };
  }

  async function askAgain<T>(question: Question<T>, asked: QueuedQuestion, found: Found<T>): Promise<T> {
    const { life } = asked;
    const reportSent = ({ failure, base }: BaseFailure) => report(failure, question.path, base.base);
    let bases = options.bases.map((base) => inTurn(base, asked));
    for (let attempts = 0; ; attempts += 1) {
      if (attempts === 0) throwIfAllOpen(bases);
      const round = await askInOrder(bases, question, life.signal, reportSent);
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
    async ask(question, asked) {
      const { asker = OWN_WORK, waiters } = asked;
      // Those who wait say themselves that they have left.
      const signal = waiters ? undefined : asked.signal;
      signal?.throwIfAborted();
      waiters?.throwIfGivenUp();
      if (closed) throw heldBack('the directory was closed');
      const life = lifetimes.start(signal);
      const unwatch = waiters?.watch({ givenUp: life.abort });
      const found: Found<Awaited<ReturnType<typeof question.read>>> = { poor: null };
      try {
        return await askAgain(question, { life, waiters: waiters ?? oneWaiter(asker) }, found);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof GatewayError)) throw error;
        if (error instanceof UpstreamFailure && error.kind === 'DEADLINE') report(error, question.path, null);
        // What the directory said of itself is told rather than that it then said nothing.
        if (found.poor && error.retryable) return found.poor.answer;
        throw error;
      } finally {
        unwatch?.();
        life.end();
      }
    },

    close() {
      closed = true;
      lifetimes.abortAll(heldBack('the directory was closed'));
    },
  };
}

interface Found<T> {
  poor: { readonly answer: T } | null;
}
