// Sends requests to the directory in a fair order. Each client has a share of the slots.

import { firstClientOrAbort } from '../directory/waiters.ts';
import { type ClientQueue, type ClientQueues, createClientQueues } from './client-queues.ts';
import type { Time } from './deadlines.ts';
import type { AttemptAbort } from './proxy-client.ts';
import type { Attempt, PendingRequest, QueuedRequest } from './queued-request.ts';
import { createRunningRequests, createSlotTimes, type RequestRate } from './running-requests.ts';
import { isPastDeadline } from './upstream-failure.ts';
import { createWaitingRequests } from './waiting-requests.ts';

export interface RequestQueue {
  /**
   * Sends a request when one of its clients is next. If the queue takes the slot back for another client, it aborts the
   * request and sends it again later. Rejects as `send` does. If the request gets no slot before its deadline, rejects
   * with GATEWAY_BUSY. If the deadline is aborted, rejects with its reason.
   * @param send may call `onComplete` of its attempt to free the slot before it reads the response
   * @param throwIfHeldBack called now and before sending. If it throws, the request fails with this error.
   */
  run<T>(
    pending: PendingRequest,
    throwIfHeldBack: () => void,
    send: (attempt: AttemptAbort) => Promise<T>,
  ): Promise<T>;
}

/** The current numbers of the queue, and its totals since the start. */
export interface QueueCounts {
  /** entries in the queues of all clients */
  waiting: number;
  running: number;
  takenBack: number;
  refused: number;
}

export interface RequestQueueOptions {
  /** how many requests may run at the same time */
  readonly slots: number;
  readonly maxWaiting: number;
  readonly rate: RequestRate | null;
  readonly time: Time;
  readonly counts: QueueCounts;
}

/** Ends an attempt whose slot another client needs. It is no failure of the directory. */
const TAKEN_BACK = new Error('the slot was taken back for another client');

const MAX_IN_A_SLICE = 250;

/** The queue to serve next, and the slot to take back for it. Null: there is a free slot. */
interface NextStep {
  readonly queue: ClientQueue<QueuedRequest>;
  readonly slot: Attempt | null;
}

export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { slots, rate, time, counts } = options;
  const queues: ClientQueues<QueuedRequest> = createClientQueues(() => time.now());
  const times = createSlotTimes(slots);
  const running = createRunningRequests({ slots, queues, times, time });
  const waiting = createWaitingRequests({ ...options, queues, times });
  // These slots are for clients without a slot, so that a client with few requests finds a free slot.
  const reserved = slots < 8 ? 0 : Math.ceil(slots / 16);
  let isServing = false;
  let served = 0;
  let waitsForRate = false;
  let servesSoon = false;
  let alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  /**
   * Frees the slot of a request at once. If a client still waits for the request, the request goes back to the queue.
   */
  function takeBack(attempt: Attempt): void {
    const { request } = attempt;
    const isWanted = attempt.queue !== null;
    running.release(attempt);
    request.attempt = null;
    attempt.abort(TAKEN_BACK);
    if (!isWanted) {
      request.waiters.abort();
      return;
    }
    times.takenBack();
    counts.takenBack += 1;
    waiting.enter(request);
  }

  function serveAt(at: number): void {
    if (alarm !== undefined && alarm.at <= at) return;
    alarm?.cancel();
    const ring = (): void => {
      alarm = undefined;
      serve();
    };
    alarm = { at, cancel: time.alarm(at - time.now(), ring) };
  }

  function findNext(): NextStep | undefined {
    // If there are several clients, the share leaves slots for one more client.
    const share = queues.recent > 1 ? slots / (queues.recent + 1) : slots;
    const queue = queues.next(share);
    if (!queue) return undefined;
    const free = slots - running.size;
    const isAlone = queues.recent === 1;
    const mayUseReserved = !queue.yields && (isAlone || queue.running === 0);
    if (free > (mayUseReserved ? 0 : reserved)) return { queue, slot: null };
    const slot = running.slotFor(queue);
    if (slot && 'request' in slot) return { queue, slot };
    if (slot) serveAt(slot.at);
    return undefined;
  }

  /** Finds the next request that is worth sending. Ends requests that are not. */
  function nextStep(): (NextStep & { readonly request: QueuedRequest }) | undefined {
    for (;;) {
      // If many requests fail, other work must run between them.
      if (served === MAX_IN_A_SLICE) {
        serveInNextSlice();
        return undefined;
      }
      const step = findNext();
      const request = step?.queue.first?.item;
      if (!step || !request) return undefined;
      if (waiting.isWorthSending(request)) return { ...step, request };
      served += 1;
    }
  }

  function serveNext(): boolean {
    const step = nextStep();
    if (!step) return false;
    const { queue, slot, request } = step;
    if (slot) takeBack(slot);
    queues.serve(queue);
    const attempt = running.begin(queue, request);
    waiting.leave(request);
    served += 1;
    request.send(attempt);
    return true;
  }

  function serve(): void {
    if (isServing) return;
    isServing = true;
    queues.forgetIdle();
    if (rate === null) while (serveNext());
    else if (!waitsForRate && nextStep()) void serveAtRate(rate);
    isServing = false;
    counts.waiting = queues.waiting;
    counts.running = running.size;
  }

  /** Waits for the rate and then chooses the client, because another client may have come meanwhile. */
  async function serveAtRate({ take }: RequestRate): Promise<void> {
    waitsForRate = true;
    await take();
    waitsForRate = false;
    serveNext();
    serve();
  }

  /** Serves in the next slice, when a client that leaves has removed all its look-ups from the queues. */
  function serveInNextSlice(): void {
    if (servesSoon) return;
    servesSoon = true;
    setImmediate(() => {
      servesSoon = false;
      served = 0;
      serve();
    });
  }

  function watch(request: QueuedRequest): () => void {
    return request.waiters.watch({
      joined(client) {
        if (request.attempt) running.join(request.attempt, client);
        else if (!request.deadline.isAborted) {
          waiting.joinQueue(request, client);
          serve();
        }
      },
      left(client) {
        if (request.attempt) running.leave(request.attempt, client);
        else waiting.leaveQueue(request, client);
        serveInNextSlice();
      },
      continues: () => request.attempt !== null,
    });
  }

  function onDeadlineAbort(request: QueuedRequest): void {
    const { attempt } = request;
    const { reason } = request.deadline;
    if (attempt) {
      running.release(attempt);
      request.attempt = null;
      attempt.abort(reason);
    } else if (isPastDeadline(reason) && request.entries.length > 0) waiting.refuse(request);
    else waiting.end(request, reason);
    serveInNextSlice();
  }

  function freeSlot(attempt: Attempt): void {
    if (running.release(attempt)) serve();
  }

  return {
    run: ({ deadline, waiters }, throwIfHeldBack, send) =>
      new Promise((resolve, reject) => {
        firstClientOrAbort(waiters);
        if (deadline.isAborted) throw deadline.reason;
        throwIfHeldBack();
        const request: QueuedRequest = {
          throwIfHeldBack,
          deadline,
          waiters,
          entries: [],
          attempt: null,
          reject,
          freeSlot,
          end() {
            deadline.onAbort(null);
            unwatch();
          },
          send(attempt) {
            const finish = (deliver: () => void): void => {
              // The slot was taken back, so the request is in the queues again.
              if (attempt.reason === TAKEN_BACK) return;
              request.end();
              deliver();
              freeSlot(attempt);
            };
            send(attempt).then(
              (answer) => {
                times.answered(time.now() - attempt.startedAt);
                finish(() => resolve(answer));
              },
              (error: unknown) => finish(() => reject(error)),
            );
          },
        };
        deadline.onAbort(() => onDeadlineAbort(request));
        const unwatch = watch(request);
        waiting.enter(request);
        serve();
      }),
  };
}
