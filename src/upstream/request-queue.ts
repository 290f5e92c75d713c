// Sends requests to the directory in a fair order. Each client has a share of the slots.

import { firstClientOrAbort } from '../directory/waiters.ts';
import type { Clock } from '../time.ts';
import { TURNS } from '../turns.ts';
import type { Circuit } from './circuit.ts';
import { createClientQueues } from './client-queues.ts';
import type { PendingLookUp } from './deadlines.ts';
import type { AttemptResult, Dispatch, UpstreamRequest } from './dispatch.ts';
import type { RequestRate } from './request-rate.ts';
import {
  createRunningRequests,
  createSlotTimes,
  QueuedRequest,
  type SlotAttempt,
} from './running-requests.ts';
import { createWaitingRequests } from './waiting-requests.ts';

export type RequestQueue = ReturnType<typeof createRequestQueue>;

export interface QueueCounts {
  /** current number of entries in the queues of all clients */
  waiting: number;
  /** current number of requests with a slot */
  running: number;
  /** slots taken back since the start */
  takenBack: number;
  /** requests refused since the start */
  refused: number;
}

export interface RequestQueueOptions {
  /** maximum number of running requests */
  readonly slots: number;
  readonly maxWaiting: number;
  readonly rate: RequestRate | null;
  readonly time: Clock;
  /** default: the counts are not read */
  readonly counts?: QueueCounts | undefined;
}

/** The abort reason of an attempt whose slot another client needs. The directory has not failed. */
const TAKEN_BACK = new Error('the slot was taken back for another client');

const MAX_PER_SLICE = 250;

export function createRequestQueue(options: RequestQueueOptions) {
  const { slots, rate, time, counts = { waiting: 0, running: 0, takenBack: 0, refused: 0 } } = options;
  const queues = createClientQueues<QueuedRequest>(() => time.now());
  const times = createSlotTimes(slots);
  const runningRequests = createRunningRequests({ slots, queues, times, time, onComplete: freeSlot });
  const waitingRequests = createWaitingRequests({ ...options, counts, queues, times });
  // Only a client without a slot, or the only client, can use these slots. A client that yields cannot use them.
  const reservedSlots = slots < 8 ? 0 : Math.ceil(slots / 16);
  let isServing = false;
  let served = 0;
  let isWaitingForRate = false;
  let willServeSoon = false;
  let alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  /** Frees the slot at once. If a client still waits for the request, the request waits in the queue again. */
  function takeBack(attempt: SlotAttempt): void {
    const { request } = attempt;
    const isWanted = attempt.queue !== null;
    runningRequests.release(attempt);
    request.attempt = null;
    attempt.abort(TAKEN_BACK);
    if (isWanted) {
      times.takenBack();
      counts.takenBack += 1;
      waitingRequests.enter(request);
    } else request.waiters.abort();
  }

  function serveAt(at: number): void {
    if (alarm !== undefined && alarm.at <= at) return;
    alarm?.cancel();
    const ring = (): void => {
      alarm = undefined;
      serve();
    };
    alarm = { at, cancel: time.after(at - time.now(), ring) };
  }

  /** Returns the queue to serve, its first request, and the slot to take back. The slot is null if one is free. */
  function findNext() {
    // With several clients, the shares leave enough slots for one more client.
    const share = queues.recent > 1 ? slots / (queues.recent + 1) : slots;
    const queue = queues.next(share);
    const request = queue?.first?.item;
    if (!queue || !request) return undefined;
    const free = slots - runningRequests.size;
    const isAlone = queues.recent === 1;
    const canUseReserved = !queue.yields && (isAlone || queue.running === 0);
    if (free > (canUseReserved ? 0 : reservedSlots)) return { queue, request, slot: null };
    const slot = runningRequests.findSlotFor(queue);
    if (slot && 'request' in slot) return { queue, request, slot };
    if (slot) serveAt(slot.at);
    return undefined;
  }

  /** Finds the next request to send. Ends requests that are too late or held back. */
  function findSendable() {
    for (;;) {
      // If many requests fail, other tasks must run between the failures.
      if (served === MAX_PER_SLICE) {
        serveInNextSlice();
        return undefined;
      }
      const step = findNext();
      if (!step || waitingRequests.canSendOrEnd(step.request)) return step;
      served += 1;
    }
  }

  function serveNext(): boolean {
    const step = findSendable();
    if (!step) return false;
    const { queue, slot, request } = step;
    if (slot) takeBack(slot);
    queues.serve(queue);
    const attempt = runningRequests.begin(queue, request);
    waitingRequests.leave(request);
    served += 1;
    void send(request, attempt);
    return true;
  }

  async function send(request: QueuedRequest, attempt: SlotAttempt): Promise<void> {
    const { requester } = request;
    let deliver: () => void;
    try {
      const result = await request.dispatch(request.request, { requester, abort: attempt });
      times.answered(time.now() - attempt.startedAt);
      deliver = () => request.resolve(result);
    } catch (error) {
      deliver = () => request.reject(error);
    }
    // The slot was taken back, so the request is in the queues again.
    if (attempt.reason === TAKEN_BACK) return;
    deliver();
    freeSlot(attempt);
  }

  function serve(): void {
    if (isServing) return;
    isServing = true;
    queues.forgetIdle();
    if (rate === null) while (serveNext());
    else if (!isWaitingForRate && findSendable()) void serveAtRate(rate);
    isServing = false;
    counts.waiting = queues.waiting;
    counts.running = runningRequests.size;
  }

  /** Waits for the rate first and chooses the client afterwards, because another client can come during the wait. */
  async function serveAtRate({ take }: RequestRate): Promise<void> {
    isWaitingForRate = true;
    await take();
    isWaitingForRate = false;
    serveNext();
    serve();
  }

  /** Serves in the next slice, so that a client that leaves can first remove all its look-ups from the queues. */
  function serveInNextSlice(): void {
    if (willServeSoon) return;
    willServeSoon = true;
    TURNS.runLater(() => {
      willServeSoon = false;
      served = 0;
      serve();
    });
  }

  function watch(request: QueuedRequest): () => void {
    return request.waiters.watch({
      joined(client) {
        if (request.attempt) runningRequests.join(request.attempt, client);
        else if (!request.deadline.isAborted) {
          waitingRequests.joinQueue(request, client);
          serve();
        }
      },
      left(client) {
        if (request.attempt) runningRequests.leave(request.attempt, client);
        else waitingRequests.leaveQueue(request, client);
        serveInNextSlice();
      },
      mustContinue: () => request.attempt !== null,
    });
  }

  function onDeadlineAbort(request: QueuedRequest): void {
    const { attempt } = request;
    if (attempt) {
      runningRequests.release(attempt);
      request.attempt = null;
      attempt.abort(request.deadline.reason);
    } else waitingRequests.abort(request);
    serveInNextSlice();
  }

  function freeSlot(attempt: SlotAttempt): void {
    if (runningRequests.release(attempt)) serve();
  }

  return {
    /**
     * Dispatches a request when one of its clients is next. If another client needs the slot, aborts the attempt and
     * dispatches again later. `onComplete` of the attempt frees the slot before the response is read. Rejects with
     * HELD_BACK if the circuit is open now or when the request is next, with GATEWAY_BUSY if the request gets no slot
     * before its deadline, and with the deadline's reason if the deadline is aborted.
     */
    wrap(circuit: Pick<Circuit, 'throwIfOpen'>, dispatch: Dispatch): Dispatch<PendingLookUp> {
      return async <T>(upstreamRequest: UpstreamRequest<T>, lookUp: PendingLookUp) => {
        const { deadline, waiters } = lookUp;
        firstClientOrAbort(waiters);
        if (deadline.isAborted) throw deadline.reason;
        circuit.throwIfOpen();
        const request = new QueuedRequest(upstreamRequest, lookUp, circuit, dispatch);
        deadline.onAbort(() => onDeadlineAbort(request));
        request.unwatch = watch(request);
        waitingRequests.enter(request);
        serve();
        return request.result as Promise<AttemptResult<T>>;
      };
    },
  };
}
