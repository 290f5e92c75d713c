// A request queue in front of a directory that answers only when the test calls `answer`.

import { GATEWAY_ITSELF } from '../../src/directory/requester.ts';
import { Waiters } from '../../src/directory/waiters.ts';
import type { GatewayError } from '../../src/errors.ts';
import { createDeadlines, type Deadlines } from '../../src/upstream/deadlines.ts';
import type { AttemptAbort, Dispatch, UpstreamRequest } from '../../src/upstream/dispatch.ts';
import {
  createRequestQueue,
  type QueueCounts,
  type RequestQueueOptions,
} from '../../src/upstream/request-queue.ts';
import type { RequestRate } from '../../src/upstream/request-rate.ts';
import { settled } from '../support/virtual-clock.ts';
import { clientAt, requesterAt } from './clients.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

export interface Sent {
  readonly name: string;
  readonly at: number;
  hasEnded(): boolean;
  /** Resolves the request with its name. */
  answer(): Promise<void>;
  /** Reports that the complete response has arrived. `answer` reads it later. */
  complete(): Promise<void>;
}

export interface LookUp {
  readonly name: string;
  /** `waiting`; at the end the answer, an error code, or `left` */
  outcome: string;
  error: GatewayError | undefined;
  leave(client: string): void;
  join(client: string): void;
}

export interface QueueUnderTest {
  readonly time: ManualTime;
  readonly counts: QueueCounts;
  /** in the order of sending */
  readonly sent: Sent[];
  readonly deadlines: Deadlines;
  lookUp(client: string, name: string, throwIfHeldBack?: () => void): LookUp;
  /** Looks up the names `a-0`, `a-1` … for the client `a`. */
  lookUpMany(client: string, count: number): LookUp[];
  /** in the order of sending */
  running(): Sent[];
  runningNames(): string[];
  /** Answers the oldest running request, `count` times. */
  answerOldest(count?: number): Promise<void>;
  advance(ms: number): Promise<void>;
}

const reason = new Error('the client has gone');

const requestFor = (path: string): UpstreamRequest<string> => ({
  endpoint: 'handles',
  path,
  reader: { accept: '*/*', wantsBody: () => true, parse: () => () => path },
});

export function createQueueUnderTest(
  options: Partial<RequestQueueOptions> & { readonly deadlineMs?: number } = {},
): QueueUnderTest {
  const time = createManualTime();
  const counts: QueueCounts = { waiting: 0, running: 0, takenBack: 0, refused: 0 };
  const deadlines = createDeadlines(options.deadlineMs ?? 20_000, time);
  const queue = createRequestQueue({
    slots: 4,
    maxWaiting: 10_000,
    rate: null,
    time,
    counts,
    ...options,
  });
  const sent: Sent[] = [];
  const running = () => sent.filter(({ hasEnded }) => !hasEnded());

  function send(name: string, abort: AttemptAbort): Promise<string> {
    return new Promise((resolve, reject) => {
      let hasEnded = false;
      const end = (): void => {
        hasEnded = true;
      };
      abort.onAbort(() => {
        end();
        reject(abort.reason);
      });
      sent.push({
        name,
        at: time.now(),
        hasEnded: () => hasEnded,
        async answer() {
          end();
          resolve(name);
          await settled();
        },
        async complete() {
          end();
          abort.onComplete?.();
          await settled();
        },
      });
    });
  }

  const dispatch = (async (
    { path }: UpstreamRequest<string>,
    { abort }: { readonly abort: AttemptAbort },
  ) => ({
    head: { status: 200, headers: {} },
    answer: await send(path, abort),
    failure: null,
  })) as unknown as Dispatch;

  function lookUp(client: string, name: string, throwIfHeldBack = () => {}): LookUp {
    const caller = new AbortController();
    const waiters = new Waiters(requesterAt(client), () => {
      caller.abort(reason);
      return true;
    });
    waiters.enter(clientAt(client));
    const deadline = deadlines.start(caller.signal);
    const started: LookUp = {
      name,
      outcome: 'waiting',
      error: undefined,
      leave: (left: string) => waiters.leave(clientAt(left)),
      join: (joined: string) => waiters.enter(clientAt(joined)),
    };
    void queue
      .wrap({ throwIfOpen: throwIfHeldBack }, dispatch)(requestFor(name), {
        deadline,
        abort: deadline,
        waiters,
        requester: GATEWAY_ITSELF,
      })
      .then(
        ({ answer }) => {
          started.outcome = answer;
        },
        (error: GatewayError) => {
          started.outcome = error === (reason as unknown) ? 'left' : error.code;
          started.error = error;
        },
      )
      .finally(() => deadline.end());
    return started;
  }

  return {
    time,
    counts,
    sent,
    deadlines,
    lookUp,
    lookUpMany: (client, count) =>
      Array.from({ length: count }, (_, index) => lookUp(client, `${client}-${index}`)),
    running,
    runningNames: () => running().map(({ name }) => name),
    async answerOldest(count = 1) {
      for (let round = 0; round < count; round += 1) await running()[0]?.answer();
    },
    async advance(ms) {
      time.advance(ms);
      await settled();
    },
  };
}

/** A rate whose `take` the test implements. */
export function createRate(perSecond: number, take: () => Promise<void>): RequestRate {
  return { perSecond, take, canSendInTime: (ahead, leftMs) => ahead < perSecond * (leftMs / 1_000 + 1) };
}

export const outcomesOf = (lookUps: readonly LookUp[]) => lookUps.map(({ outcome }) => outcome);
