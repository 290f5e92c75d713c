// The requests that have a slot. Each slot belongs to one client. The queue can take some slots back.

import { LightAbort } from '../abortable.ts';
import type { Client } from '../directory/requester.ts';
import type { Clock } from '../time.ts';
import type { Circuit } from './circuit.ts';
import type { ClientQueue, ClientQueues } from './client-queues.ts';
import type { PendingLookUp } from './deadlines.ts';
import type { AttemptAbort, AttemptResult, Dispatch, UpstreamRequest } from './dispatch.ts';
import { WaitingLookUp } from './waiting-requests.ts';

export class QueuedRequest extends WaitingLookUp<QueuedRequest, AttemptResult<unknown>> {
  readonly request: UpstreamRequest<unknown>;
  readonly circuit: Pick<Circuit, 'throwIfOpen'>;
  readonly dispatch: Dispatch;
  /** Null while the request waits. */
  attempt: SlotAttempt | null = null;

  constructor(
    request: UpstreamRequest<unknown>,
    lookUp: PendingLookUp,
    circuit: Pick<Circuit, 'throwIfOpen'>,
    dispatch: Dispatch,
  ) {
    super(lookUp);
    this.request = request;
    this.circuit = circuit;
    this.dispatch = dispatch;
  }

  override throwIfHeldBack(): void {
    this.circuit.throwIfOpen();
  }
}

/** A request that has a slot. */
export class SlotAttempt extends LightAbort implements AttemptAbort {
  readonly request: QueuedRequest;
  readonly startedAt: number;
  /** The queue of the client that the slot belongs to. Null while no client waits for the request. */
  queue: ClientQueue<QueuedRequest> | null;
  /** the client that the slot belongs to, or the last such client */
  client: Client;
  readonly #onComplete: (attempt: SlotAttempt) => void;

  constructor(
    request: QueuedRequest,
    queue: ClientQueue<QueuedRequest>,
    startedAt: number,
    onComplete: (attempt: SlotAttempt) => void,
  ) {
    super();
    this.request = request;
    this.startedAt = startedAt;
    this.queue = queue;
    this.client = queue.client;
    this.#onComplete = onComplete;
  }

  onComplete(): void {
    this.#onComplete(this);
  }
}

export type SlotTimes = ReturnType<typeof createSlotTimes>;

const MIN_LIMIT_MS = 500;
const MAX_TYPICAL_MS = 10_000;
/** A slower response multiplies `typicalMs` by STEP. A faster one divides it by STEP ** 3. So three of four are slower. */
const STEP = 1.1;

/** Measures the fastest quarter of the responses, so that a client with slow names cannot raise the limit. */
export function createSlotTimes(slots: number) {
  let typicalMs = 0;
  let takenBackInARow = 0;
  return {
    /** A quarter of the responses were faster than this. 0 before the first response. */
    get typicalMs() {
      return typicalMs;
    },
    /** After this time, the queue can take back a slot from a client that has more than its share. */
    get limitMs() {
      // If every slot was taken back without a response, the directory is slow for all clients.
      const doublings = Math.min(5, Math.floor(takenBackInARow / slots));
      return Math.max(MIN_LIMIT_MS, 2 * typicalMs) * 2 ** doublings;
    },
    answered(ms: number): void {
      takenBackInARow = 0;
      const next = typicalMs === 0 ? ms : typicalMs * (ms > typicalMs ? STEP : STEP ** -3);
      typicalMs = Math.min(MAX_TYPICAL_MS, Math.max(1, next));
    },
    takenBack(): void {
      takenBackInARow += 1;
    },
  };
}

export interface RunningRequestsOptions {
  readonly slots: number;
  readonly queues: ClientQueues<QueuedRequest>;
  readonly times: SlotTimes;
  readonly time: Clock;
  /** called when a complete response has arrived, before it is read */
  readonly onComplete: (attempt: SlotAttempt) => void;
}

export function createRunningRequests(options: RunningRequestsOptions) {
  const { slots, queues, times, time, onComplete } = options;
  /** oldest first */
  const attempts = new Set<SlotAttempt>();
  /** number of attempts that no client waits for */
  let abandonedCount = 0;

  return {
    get size() {
      return attempts.size;
    },

    /** Gives a slot to the first request of a queue. The caller must remove the request's entries from the queues. */
    begin(queue: ClientQueue<QueuedRequest>, request: QueuedRequest): SlotAttempt {
      const attempt = new SlotAttempt(request, queues.addRunning(queue.client), time.now(), onComplete);
      request.attempt = attempt;
      attempts.add(attempt);
      return attempt;
    },

    /** Frees a slot. Returns false if the slot is already free. */
    release(attempt: SlotAttempt): boolean {
      if (!attempts.delete(attempt)) return false;
      if (attempt.queue) queues.removeRunning(attempt.queue);
      else abandonedCount -= 1;
      return true;
    },

    /** Must be called when a client begins to wait for a running request. */
    join(attempt: SlotAttempt, client: Client): void {
      if (attempt.queue !== null || !attempts.has(attempt)) return;
      attempt.queue = queues.addRunning(client);
      attempt.client = client;
      abandonedCount -= 1;
    },

    /** Must be called when a client no longer waits. The slot then belongs to another client that waits, if any. */
    leave(attempt: SlotAttempt, client: Client): void {
      if (attempt.queue?.client.key !== client.key || !attempts.has(attempt)) return;
      queues.removeRunning(attempt.queue);
      const [other] = attempt.request.waiters.clients();
      attempt.queue = other === undefined ? null : queues.addRunning(other);
      attempt.client = other ?? client;
      if (attempt.queue === null) abandonedCount += 1;
    },

    /**
     * Finds a slot to take back for the queue. Either no client waits for the request in this slot, or the slot's client
     * has more than its share and the queue has less. If such a slot comes later, returns the time, else undefined.
     */
    findSlotFor(queue: ClientQueue<QueuedRequest>): SlotAttempt | { readonly at: number } | undefined {
      const now = time.now();
      const share = slots / queues.busy;
      let soonest = Number.POSITIVE_INFINITY;
      const isAlone = queues.busy === 1;
      if (abandonedCount === 0 && (isAlone || queue.running >= share)) return undefined;
      for (const attempt of attempts) {
        if (attempt.queue !== null && !canTakeSlot(queue, attempt.queue, share)) continue;
        const isImmediate =
          attempt.queue === null && queue.running === 0 && queue.client.key !== attempt.client.key;
        const at = attempt.startedAt + (isImmediate ? 0 : times.limitMs);
        if (at <= now) return attempt;
        soonest = Math.min(soonest, at);
      }
      return soonest === Number.POSITIVE_INFINITY ? undefined : { at: soonest };
    },
  };
}

/** The holder must have more than its share. After the change, it must not have fewer slots than the queue. */
function canTakeSlot(queue: ClientQueue<unknown>, holder: ClientQueue<unknown>, share: number): boolean {
  if (queue.running >= share || holder.running <= share || (queue.yields && !holder.yields)) return false;
  return queue.running === 0 || holder.running - 1 > queue.running;
}
