// Names that wait in the queues of their clients for a request to an agency's API.

import type { HandleName } from 'doi-names';
import type { WireObject } from '../../handle/json.ts';
import type { Clock } from '../../time.ts';
import { createClientQueues } from '../client-queues.ts';
import type { PendingLookUp } from '../deadlines.ts';
import { createWaitingRequests, WaitingLookUp } from '../waiting-requests.ts';
import type { ApiRate, ApiSlots } from './api-rate.ts';
import type { ApiRequests } from './api-requests.ts';

export class WaitingName extends WaitingLookUp<WaitingName, WireObject | null> {
  readonly name: HandleName;
  /** the name in the encoding of a request */
  readonly encoded: string;
  /** maximum number of names in the next request that contains this name; halved after a refusal */
  maxNames: number;
  /** whether a request for the name is running */
  isSent = false;

  constructor(name: HandleName, encoded: string, lookUp: PendingLookUp, maxNames: number) {
    super(lookUp);
    this.name = name;
    this.encoded = encoded;
    this.maxNames = maxNames;
  }
}

export interface NameQueueOptions {
  readonly requests: ApiRequests;
  readonly rate: ApiRate;
  readonly slots: ApiSlots;
  readonly times: { readonly typicalMs: number };
  readonly time: Clock;
}

/** How many names of all clients together can wait for one kind of request. */
const MAX_WAITING = 20_000;
/** A name is sent only if the time before its deadline is at least this many typical request times. */
const TYPICAL_TIMES_LEFT = 1.5;
/** The comma between two names, and one byte for the number of names in the path, which can get longer. */
const SEPARATOR_BYTES = ','.length + 1;

export function createNameQueue(options: NameQueueOptions) {
  const { rate, times } = options;
  const { maxNames, maxPathBytes, path } = options.requests;
  const queues = createClientQueues<WaitingName>(() => options.time.now());
  const waitingRequests = createWaitingRequests<WaitingName>({
    queues,
    maxWaiting: MAX_WAITING,
    slots: maxNames * options.slots.maxRunning,
    // The rate of names, because each request has many names.
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

  return {
    get count() {
      return queues.waiting;
    },

    /** Puts a name into the queues of its clients. Rejects the name if the queues are full or the name is too late. */
    enter(name: WaitingName): void {
      name.deadline.onAbort(() => waitingRequests.abort(name));
      name.unwatch = name.waiters.watch({
        joined(client) {
          if (!name.isSent) waitingRequests.joinQueue(name, client);
        },
        left: (client) => waitingRequests.leaveQueue(name, client),
        // A running request continues, because the request has other names too.
        mustContinue: () => name.isSent,
      });
      if (name.deadline.isAborted) waitingRequests.abort(name);
      else waitingRequests.enter(name);
    },

    /** Puts a name into the queues again, because the response had no answer for the name. */
    enterAgain(name: WaitingName): void {
      if (name.isEnded) return;
      name.isSent = false;
      waitingRequests.enter(name);
    },

    /** Takes the names of the next request from the queues, in fair order. */
    takeNext(): readonly WaitingName[] {
      queues.forgetIdle();
      const names: WaitingName[] = [];
      let limit = maxNames;
      let pathBytes = path([]).length;
      for (;;) {
        const queue = queues.next(Number.POSITIVE_INFINITY);
        const next = queue?.first?.item;
        if (queue === undefined || next === undefined) return names;
        if (!waitingRequests.canSendOrEnd(next)) continue;
        limit = Math.min(limit, next.maxNames);
        pathBytes += next.encoded.length + SEPARATOR_BYTES;
        if (names.length > 0 && (names.length >= limit || pathBytes > maxPathBytes)) return names;
        queues.serve(queue);
        waitingRequests.leave(next);
        next.isSent = true;
        names.push(next);
      }
    },

    /** If exactly one name waits, takes this name from its queue. Else returns undefined. */
    takeLone(): WaitingName | undefined {
      const lone = queues.waiting === 1 ? queues.longest()?.first?.item : undefined;
      if (lone !== undefined) waitingRequests.leave(lone);
      return lone;
    },
  };
}
