// The requests that have a slot. Each slot counts for one client. Some slots can be taken back.

import type { ClientQueue, ClientQueues } from './client-queues.ts';
import type { Time } from './deadlines.ts';
import { Attempt, type QueuedRequest } from './queued-request.ts';

export interface RequestRate {
  readonly perSecond: number;
  /**
   * Whether a client's request can be sent within `leftMs` if `ahead` requests of the client come first and there are
   * no other clients. Default: computed from `perSecond`.
   */
  canSendInTime?(ahead: number, leftMs: number): boolean;
  /** Resolves when one more request may be sent. Do not call it again before it resolves. */
  take(): Promise<void>;
}

export interface SlotTimes {
  /** A quarter of the responses took less time. 0 before the first response. */
  readonly typicalMs: number;
  /** After this time, the queue can take back a slot above a client's share. */
  readonly limitMs: number;
  answered(ms: number): void;
  takenBack(): void;
}

const LIMIT_MS = 500;
const MAX_TYPICAL_MS = 10_000;
/**
 * A slower response moves the value one step up, a faster response three steps down. So three of four responses are
 * slower.
 */
const STEP = 1.1;

/** Measures the fastest quarter of the responses, so that a client with slow names cannot raise the limit. */
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
  /** Gives a slot to the first request of a queue. The caller removes the request's entries. */
  begin(queue: ClientQueue<QueuedRequest>, request: QueuedRequest): Attempt;
  /** Frees a slot. Returns false if the slot is already free. */
  release(attempt: Attempt): boolean;
  /** Call it when a client begins to wait for a running request. */
  join(attempt: Attempt, client: string): void;
  /**
   * Call it when a client no longer waits for a running request. The slot then counts for another client that waits, if
   * there is one.
   */
  leave(attempt: Attempt, client: string): void;
  /**
   * A slot that the queue can take back. If this queue is below its share, this can be a slot above another client's
   * share. It can also be the slot of a request that no client waits for: a client without a slot gets such a slot
   * at once. If there is no such slot now, returns the time when there will be one. Undefined: never.
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
  /** slots of requests that no client waits for */
  let abandoned = 0;

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
      else abandoned -= 1;
      return true;
    },

    join(attempt, client) {
      if (attempt.queue !== null || !attempts.has(attempt)) return;
      attempt.queue = queues.addRunning(client);
      attempt.client = client;
      abandoned -= 1;
    },

    leave(attempt, client) {
      if (attempt.queue?.client !== client || !attempts.has(attempt)) return;
      queues.removeRunning(attempt.queue);
      const [other] = attempt.request.waiters.clients();
      attempt.queue = other === undefined ? null : queues.addRunning(other);
      attempt.client = other ?? client;
      if (attempt.queue === null) abandoned += 1;
    },

    slotFor(queue) {
      const now = time.now();
      const share = slots / queues.busy;
      let soonest = Number.POSITIVE_INFINITY;
      const isAlone = queues.busy === 1;
      if (abandoned === 0 && (isAlone || queue.running >= share)) return undefined;
      for (const attempt of attempts) {
        if (attempt.queue !== null && !mayTakeSlot(queue, attempt.queue, share)) continue;
        const isImmediate = attempt.queue === null && queue.running === 0 && queue.client !== attempt.client;
        const at = attempt.startedAt + (isImmediate ? 0 : times.limitMs);
        if (at <= now) return attempt;
        soonest = Math.min(soonest, at);
      }
      return soonest === Number.POSITIVE_INFINITY ? undefined : { at: soonest };
    },
  };
}

/**
 * Whether a queue may take a slot from the holder. The holder must be above its share, and must not end with fewer
 * slots than the queue.
 */
function mayTakeSlot(queue: ClientQueue<unknown>, holder: ClientQueue<unknown>, share: number): boolean {
  if (queue.running >= share || holder.running <= share || (queue.yields && !holder.yields)) return false;
  return queue.running === 0 || holder.running - 1 > queue.running;
}
