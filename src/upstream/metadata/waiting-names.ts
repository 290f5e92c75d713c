// The names that wait for a request to an agency's API, in the queues of their clients.

import type { Requester } from '../../directory/requester.ts';
import type { HandleName } from '../../doi/name.ts';
import { createClientQueues, type QueueEntry } from '../client-queues.ts';
import type { Time } from '../deadlines.ts';
import type { PendingRequest, Queueable } from '../queued-request.ts';
import { isPastDeadline } from '../upstream-failure.ts';
import { createWaitingRequests } from '../waiting-requests.ts';
import type { ApiRate, ApiSlots } from './api-rate.ts';

/** A class, because a request for a thousand names makes a thousand. */
export class WaitingName<Item> implements Queueable<WaitingName<Item>> {
  readonly name: HandleName;
  /** as it stands in a request */
  readonly encoded: string;
  readonly requester: Requester;
  readonly deadline: PendingRequest['deadline'];
  readonly waiters: PendingRequest['waiters'];
  readonly entries: QueueEntry<WaitingName<Item>>[] = [];
  readonly found: Promise<Item | null>;
  /** names in the next request with this one, at most: a request that was refused is sent again in halves */
  maxNames: number;
  /** while a request for it runs */
  isSent = false;
  isEnded = false;
  #resolve!: (item: Item | null) => void;
  #reject!: (reason: unknown) => void;
  #unwatch: (() => void) | undefined;

  constructor(
    name: HandleName,
    encoded: string,
    requester: Requester,
    { deadline, waiters }: PendingRequest,
    mostNames: number,
  ) {
    this.name = name;
    this.encoded = encoded;
    this.requester = requester;
    this.deadline = deadline;
    this.waiters = waiters;
    this.maxNames = mostNames;
    this.found = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Calls `onAbort` at the deadline, and the others when a client joins or leaves while the name waits. */
  listen(onAbort: () => void, joined: (client: string) => void, left: (client: string) => void): void {
    this.deadline.onAbort(onAbort);
    this.#unwatch = this.waiters.watch({
      joined: (client) => {
        if (!this.isSent) joined(client);
      },
      left: (client) => {
        if (!this.isSent) left(client);
      },
      // Other names are in the same request.
      continues: () => this.isSent,
    });
  }

  /** An open circuit sends nothing, but its names may wait until it closes. */
  throwIfHeldBack(): void {}

  resolve(item: Item | null): void {
    this.end();
    this.#resolve(item);
  }

  reject(reason: unknown): void {
    this.end();
    this.#reject(reason);
  }

  end(): void {
    this.isEnded = true;
    this.deadline.onAbort(null);
    this.#unwatch?.();
  }
}

export interface NameQueue<Item> {
  readonly count: number;
  /** Puts a name in the queues of its clients, until it ends. It may end at once: there is no place, or no time. */
  enter(name: WaitingName<Item>): void;
  /** After a request that had no answer for it. */
  enterAgain(name: WaitingName<Item>): void;
  /** Takes the names of the next request from the queues, in fair order. */
  takeNext(): readonly WaitingName<Item>[];
  /** Takes the only name that waits; undefined if there are several, or none. */
  takeLone(): WaitingName<Item> | undefined;
}

export interface NameQueueOptions {
  readonly rate: Pick<ApiRate, 'perSecond' | 'canSendInTime'>;
  readonly slots: Pick<ApiSlots, 'maxRunning'>;
  /** names in one request, at most */
  readonly maxNames: number;
  /** of path and query, at most */
  readonly maxPathBytes: number;
  /** of a request without names */
  readonly basePathBytes: number;
  /** of one request */
  readonly times: { readonly typicalMs: number };
  readonly time: Time;
}

/** Names that wait for one kind of request, of all clients together. */
const MAX_WAITING = 20_000;
/** A request is sent if so many typical times are left before the deadline of its names. */
const TYPICAL_TIMES_LEFT = 1.5;
/** Between two names, and for the longer number of names. */
const SEPARATOR_BYTES = ','.length + 1;

export function createNameQueue<Item>(options: NameQueueOptions): NameQueue<Item> {
  const { rate, maxNames, times } = options;
  const queues = createClientQueues<WaitingName<Item>>(() => options.time.now());
  const waiting = createWaitingRequests<WaitingName<Item>>({
    queues,
    maxWaiting: MAX_WAITING,
    slots: maxNames * options.slots.maxRunning,
    // Of names: each request takes many.
    rate: {
      get perSecond() {
        return rate.perSecond * maxNames;
      },
      canSendInTime: (ahead, leftMs) => rate.canSendInTime(Math.floor(ahead / maxNames), leftMs),
    },
    times,
    counts: { refused: 0 },
    minLeftMs: () => TYPICAL_TIMES_LEFT * times.typicalMs,
  });

  function onAbort(name: WaitingName<Item>): void {
    const { reason } = name.deadline;
    // A name that was sent is in no queue.
    if (isPastDeadline(reason) && name.entries.length > 0) waiting.refuse(name);
    else waiting.end(name, reason);
  }

  return {
    get count() {
      return queues.waiting;
    },

    enter(name) {
      name.listen(
        () => onAbort(name),
        (client) => waiting.joinQueue(name, client),
        (client) => waiting.leaveQueue(name, client),
      );
      if (name.deadline.isAborted) onAbort(name);
      else waiting.enter(name);
    },

    enterAgain(name) {
      if (name.isEnded) return;
      name.isSent = false;
      waiting.enter(name);
    },

    takeNext() {
      queues.forgetIdle();
      const names: WaitingName<Item>[] = [];
      let most = maxNames;
      let pathBytes = options.basePathBytes;
      for (;;) {
        const queue = queues.next(Number.POSITIVE_INFINITY);
        const next = queue?.first?.item;
        if (queue === undefined || next === undefined) return names;
        if (!waiting.isWorthSending(next)) continue;
        most = Math.min(most, next.maxNames);
        pathBytes += next.encoded.length + SEPARATOR_BYTES;
        if (names.length > 0 && (names.length >= most || pathBytes > options.maxPathBytes)) return names;
        queues.serve(queue);
        waiting.leave(next);
        next.isSent = true;
        names.push(next);
      }
    },

    takeLone() {
      const lone = queues.waiting === 1 ? queues.longest()?.first?.item : undefined;
      if (lone !== undefined) waiting.leave(lone);
      return lone;
    },
  };
}
