// The requests that have a slot, the client that each slot counts for, and which slots can be taken back.

import type { ClientQueue, ClientQueues } from './client-queues.ts';
import type { Time } from './deadlines.ts';
import { Attempt, type QueuedRequest } from './queued-request.ts';

export interface RequestRate {
  readonly perSecond: number;
  /** Whether a request behind `ahead` others of its client can be sent in time, without other clients; left out: by `perSecond`. */
  canSendInTime?(ahead: number, leftMs: number): boolean;
  /** Resolves when one more request may be sent. Call it once at a time. */
  take(): Promise<void>;
}

export interface SlotTimes {
  /** milliseconds; a quarter of the responses took less; 0 before the first */
  readonly typicalMs: number;
  /** after this time a slot above a client's share can be taken back */
  readonly limitMs: number;
  answered(ms: number): void;
  takenBack(): void;
}

const LIMIT_MS = 500;
const MAX_TYPICAL_MS = 10_000;
/** One step up for a slower response, three down for a faster one: the value stays where three of four are slower. */
const STEP = 1.1;

/** Uses the fastest quarter, so that a client with slow names cannot raise the limit. */
export function createSlotTimes(slots: number): SlotTimes {
  let typicalMs = 0;
  let takenBackInARow = 0;
  return {
    get typicalMs() {
      return typicalMs;
    },
    get limitMs() {
      // If every slot was taken back without a response, the directory is slow for all clients.
      const doublings = Math.min(5, Math.floor(takenBackInARow / slots));
      return Math.max(LIMIT_MS, 2 * typicalMs) * 2 ** doublings;
    },
    answered(ms) {
      takenBackInARow = 0;
      const next = typicalMs === 0 ? ms : typicalMs * (ms > typicalMs ? STEP : STEP ** -3);
      typicalMs = Math.min(MAX_TYPICAL_MS, Math.max(1, next));
    },
    takenBack() {
      takenBackInARow += 1;
    },
  };
}

export interface RunningRequests {
  readonly size: number;
  /** Gives a slot to the first request of a queue. The caller removes its entries. */
  begin(queue: ClientQueue<QueuedRequest>, request: QueuedRequest): Attempt;
  /** Frees a slot; false if it is free already. */
  release(attempt: Attempt): boolean;
  /** A client begins to wait for a running request. */
  join(attempt: Attempt, client: string): void;
  /** A client no longer waits for a running request. Its slot then counts for another client that waits, if any. */
  leave(attempt: Attempt, client: string): void;
  /**
   * The slot that can be taken back for a queue: a slot above another client's share if this queue is below its own, or
   * the slot of a request that no client waits for. A client without a slot gets the latter at once. Otherwise the time
   * when there will be such a slot; undefined: never.
   */
  slotFor(queue: ClientQueue<QueuedRequest>): Attempt | { readonly at: number } | undefined;
}

export interface RunningRequestsOptions {
  readonly slots: number;
  readonly queues: ClientQueues<QueuedRequest>;
  readonly times: SlotTimes;
  readonly time: Time;
}

export function createRunningRequests(options: RunningRequestsOptions): RunningRequests {
  const { slots, queues, times, time } = options;
  /** oldest first */
  const attempts = new Set<Attempt>();
  let unwanted = 0;

  return {
    get size() {
      return attempts.size;
    },

    begin(queue, request) {
      const attempt = new Attempt(request, queues.addRunning(queue.client), time.now());
      request.attempt = attempt;
      attempts.add(attempt);
      return attempt;
    },

    release(attempt) {
      if (!attempts.delete(attempt)) return false;
      if (attempt.queue) queues.removeRunning(attempt.queue);
      else unwanted -= 1;
      return true;
    },

    join(attempt, client) {
      if (attempt.queue !== null || !attempts.has(attempt)) return;
      attempt.queue = queues.addRunning(client);
      attempt.client = client;
      unwanted -= 1;
    },

    leave(attempt, client) {
      if (attempt.queue?.client !== client || !attempts.has(attempt)) return;
      queues.removeRunning(attempt.queue);
      const [other] = attempt.request.waiters.clients();
      attempt.queue = other === undefined ? null : queues.addRunning(other);
      attempt.client = other ?? client;
      if (attempt.queue === null) unwanted += 1;
    },

    slotFor(queue) {
      const now = time.now();
      const share = slots / queues.busy;
      let soonest = Number.POSITIVE_INFINITY;
      const isAlone = queues.busy === 1;
      if (unwanted === 0 && (isAlone || queue.running >= share)) return undefined;
      for (const attempt of attempts) {
        if (attempt.queue !== null && !mayTakeSlot(queue, attempt.queue, share)) continue;
        const isAtOnce = attempt.queue === null && queue.running === 0 && queue.client !== attempt.client;
        const at = attempt.startedAt + (isAtOnce ? 0 : times.limitMs);
        if (at <= now) return attempt;
        soonest = Math.min(soonest, at);
      }
      return soonest === Number.POSITIVE_INFINITY ? undefined : { at: soonest };
    },
  };
}

/** Whether a queue may take a slot of another: the other is above its share and would not have fewer than this one. */
function mayTakeSlot(queue: ClientQueue<unknown>, holder: ClientQueue<unknown>, share: number): boolean {
  if (queue.running >= share || holder.running <= share || (queue.yields && !holder.yields)) return false;
  return queue.running === 0 || holder.running - 1 > queue.running;
}
