// How the directory is asked: in turn, again where that may help, and not without end.

import { type Asker, OWN_WORK } from '../directory/asker.ts';
import type { AskOptions } from '../directory/directory.ts';
import { clientWaiting, oneWaiter } from '../directory/waiters.ts';
import {
  askInOrder,
  type BaseFailure,
  isWorthRetrying,
  pauseMs,
  refusal,
  tellingFailure,
  whenSendable,
} from './failover.ts';
import { isRateLimit } from './holding.ts';
import type { Answer, ProxyBase, Question } from './proxy-base.ts';
import { createLifetimes, type Time } from './question-deadline.ts';
import type { QueuedQuestion } from './queued-request.ts';
import type { RequestQueue } from './request-queue.ts';
import { heldBack, UpstreamFailure } from './upstream-failure.ts';
import type { WaitingRoom } from './waiting-room.ts';

export interface UpstreamPolicyOptions {
  /** in the order in which they are asked */
  readonly bases: readonly ProxyBase[];
  readonly queue: RequestQueue;
  /** where questions wait while no base takes requests; woken when that may be over */
  readonly room: WaitingRoom;
  /** attempts after the first, at all bases each */
  readonly retries: number;
  /** for one question, waiting and all attempts included */
  readonly deadlineMs: number;
  readonly time: Time;
  readonly random: () => number;
  /** is told of every failure of a request that was sent, and of what the gateway itself ended (base null), for the log */
  readonly report: (failure: UpstreamFailure, path: string, base: string | null, asker: Asker) => void;
}

export interface UpstreamPolicy {
  /** Rejects with an UpstreamFailure, or with the reason of the signal, or of the waiters, who have gone. */
  ask<T>(question: Question<T>, asked?: AskOptions): Promise<T>;
  /** Ends the look-ups that every base has given up: those that wait, and those under way since before the outage. */
  giveUp(): void;
  /** Ends all that is still asked or waiting. Nothing may be asked afterwards. */
  close(): void;
}

export function createUpstreamPolicy(options: UpstreamPolicyOptions): UpstreamPolicy {
  const { queue, room, retries, time, random, report } = options;
  const lifetimes = createLifetimes(options.deadlineMs, time);
  let closed = false;

  async function askAgain<T>(
    question: Question<T>,
    asker: Asker,
    asked: QueuedQuestion,
    found: Found<T>,
  ): Promise<T> {
    const { life, waiters } = asked;
    const reportSent = ({ failure, base }: BaseFailure) => report(failure, question.path, base.base, asker);
    /** Each attempt is a turn of its own: nobody has a slot who waits before another attempt. */
    const askInTurn = (base: ProxyBase): Promise<Answer<T>> =>
      queue.run(asked, base.circuit.throwIfOpen, (attempt) => base.ask(question, attempt, asker));
    let { bases } = options;
    let attempts = 0;
    for (let isNew = true; ; isNew = false) {
      const client = clientWaiting(waiters);
      if (client === undefined) throw life.reason;
      await whenSendable(bases, room, { client, isNew, life });
      const round = await askInOrder(bases, askInTurn, life, reportSent);
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
    async ask<Answered>(question: Question<Answered>, asked: AskOptions = {}) {
      const { asker = OWN_WORK, waiters = oneWaiter(asker) } = asked;
      // Those who wait say themselves that they have left.
      const signal = asked.waiters ? undefined : asked.signal;
      signal?.throwIfAborted();
      asked.waiters?.throwIfGivenUp();
      if (closed) throw heldBack('the directory was closed');
      const life = lifetimes.start(signal, asker.batch);
      const unwatch = waiters.watch({ givenUp: (reason) => life.abort(reason) });
      const found: Found<Answered> = { poor: null };
      try {
        return await askAgain(question, asker, { life, waiters }, found);
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UpstreamFailure)) throw error;
        if (error.kind === 'DEADLINE') report(error, question.path, null, asker);
        // What the directory said of itself is told rather than that it then said nothing.
        if (found.poor && error.retryable) return found.poor.answer;
        throw error;
      } finally {
        unwatch();
        life.end();
      }
    },

    giveUp() {
      const begunBy = Math.min(
        ...options.bases.map(({ circuit }) => circuit.holding()?.givenUpAt ?? Number.NEGATIVE_INFINITY),
      );
      if (begunBy > Number.NEGATIVE_INFINITY) lifetimes.endBegunBy(begunBy, refusal(options.bases));
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

function isHeldBack({ failure }: BaseFailure): boolean {
  return failure.kind === 'HELD_BACK';
}

function isFoundIll({ circuit }: ProxyBase): boolean {
  const holding = circuit.holding();
  return holding !== null && !isRateLimit(holding.by);
}
