// A queue before a directory that answers when a test says so, with a log of all that was sent.

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
import { askerAt, clientAt } from './askers.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';

export interface Sent {
  readonly name: string;
  readonly at: number;
  isOver(): boolean;
  /** Ends it with the name as its answer. */
  answer(): Promise<void>;
  /** Its answer has come, and is not read before `answer`. */
  come(): Promise<void>;
}

export interface Asked {
  readonly name: string;
  /** `waiting` until it has ended; an answer, a code or `left` then */
  outcome: string;
  /** what it ended with, where that is an error */
  error: GatewayError | undefined;
  /** The last client that waits for it goes, as far as it is told of. */
  leave(client: string): void;
  join(client: string): void;
}

export interface QueueUnderTest {
  readonly time: ManualTime;
  readonly counts: QueueCounts;
  /** in the order of sending */
  readonly sent: Sent[];
  readonly deadlines: Deadlines;
  ask(client: string, name: string, throwIfHeldBack?: () => void): Asked;
  /** those that run, in the order of sending */
  running(): Sent[];
  runningNames(): string[];
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

  function send(name: string, sentFor: AttemptAbort): Promise<string> {
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      sentFor.onAbort(() => {
        end();
        reject(sentFor.reason);
      });
      sent.push({
        name,
        at: time.now(),
        isOver: () => isOver,
        async answer() {
          end();
          resolve(name);
          await settled();
        },
        async come() {
          end();
          sentFor.onComplete?.();
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

  return {
    time,
    counts,
    sent,
    deadlines,
    ask(client, name, throwIfHeldBack = () => {}) {
      const caller = new AbortController();
      const waiters = new Waiters(askerAt(client), () => {
        caller.abort(reason);
        return true;
      });
      waiters.enter(clientAt(client));
      const deadline = deadlines.start(caller.signal);
      const asked: Asked = {
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
            asked.outcome = answer;
          },
          (error: GatewayError) => {
            asked.outcome = error === (reason as unknown) ? 'left' : error.code;
            asked.error = error;
          },
        )
        .finally(() => deadline.end());
      return asked;
    },
    running: () => sent.filter(({ isOver }) => !isOver()),
    runningNames: () => sent.filter(({ isOver }) => !isOver()).map(({ name }) => name),
    async advance(ms) {
      time.advance(ms);
      await settled();
    },
  };
}

/** A rate whose permissions the test gives. */
export function createRate(perSecond: number, take: () => Promise<void>): RequestRate {
  return { perSecond, take, canSendInTime: (ahead, leftMs) => ahead < perSecond * (leftMs / 1_000 + 1) };
}

/** So many names of a client, `a-0`, `a-1` …, asked for at once. */
export function askMany({ ask }: Pick<QueueUnderTest, 'ask'>, client: string, count: number): Asked[] {
  return Array.from({ length: count }, (_, index) => ask(client, `${client}-${index}`));
}

export const outcomesOf = (asked: readonly Asked[]) => asked.map(({ outcome }) => outcome);
