// The deadline of each look-up. A look-up ends earlier if its caller aborts.

import { LightAbort, onSignalAbort } from '../abortable.ts';
import type { LookUpOptions } from '../directory/directory.ts';
import { GATEWAY_ITSELF, type LookUpBatch, type Requester } from '../directory/requester.ts';
import { oneWaiter, type WaitingClients } from '../directory/waiters.ts';
import { type Tagged, TagHeap } from '../tag-heap.ts';
import type { Clock } from '../time.ts';
import { TURNS } from '../turns.ts';
import type { Attempt } from './dispatch.ts';
import { deadlineExceeded, heldBack } from './upstream-failure.ts';

/** A look-up until its deadline, and the clients that wait for it. Its `abort` is its deadline. */
export interface PendingLookUp extends Attempt {
  readonly requester: Requester;
  readonly deadline: Deadline;
  readonly waiters: WaitingClients;
}

export type Deadlines = ReturnType<typeof createDeadlines>;

/** One slice has at most this many aborts, because each abort takes long. */
const MAX_PER_SLICE = 250;
/** `endBegunBy` adds this time, because `endBefore` does not end a look-up with exactly the given deadline. */
const INCLUSIVE_MS = 0.001;

/** Uses one alarm for all look-ups, because thousands of look-ups can run. */
export function createDeadlines(deadlineMs: number, time: Clock) {
  const running = new TagHeap<Deadline>();
  let closeReason: string | null = null;
  let cancelAlarm: (() => void) | undefined;

  function setAlarm(): void {
    cancelAlarm?.();
    const first = running.first();
    cancelAlarm = first && time.after(Math.max(1, first.tag - time.now()), ring);
  }

  function ring(): void {
    cancelAlarm = undefined;
    // A timer can ring a fraction of a millisecond early.
    const hasEndedAll = endBefore(time.now() + 1, deadlineExceeded(deadlineMs));
    if (hasEndedAll) setAlarm();
    else {
      let isCanceled = false;
      cancelAlarm = () => {
        isCanceled = true;
      };
      TURNS.runLater(() => {
        if (!isCanceled) ring();
      });
    }
  }

  /** Aborts look-ups whose deadline is earlier than `deadline`. Returns false if a slice is full and more remain. */
  function endBefore(deadline: number, reason: unknown): boolean {
    for (let ended = 0; ended < MAX_PER_SLICE; ended += 1) {
      const lookUp = running.first();
      if (lookUp === undefined || lookUp.tag >= deadline) return true;
      running.remove(lookUp);
      lookUp.abort(reason);
    }
    return false;
  }

  function endBegunBy(moment: number, reason: unknown): void {
    // Every look-up has the same time from start to deadline, so the start of a look-up determines its deadline.
    const hasEndedAll = endBefore(moment + deadlineMs + INCLUSIVE_MS, reason);
    if (hasEndedAll) setAlarm();
    else TURNS.runLater(() => endBegunBy(moment, reason));
  }

  /** @param batch all look-ups of a batch get the deadline of its first look-up */
  function start(caller: AbortSignal | undefined, batch?: LookUpBatch): Deadline {
    if (batch) batch.begunAt ??= time.now();
    const begunAt = batch?.begunAt ?? time.now();
    const lookUp = new Deadline(begunAt + deadlineMs, time, caller, (ended) => {
      running.remove(ended);
      if (running.size === 0) setAlarm();
    });
    running.add(lookUp);
    if (running.first() === lookUp) setAlarm();
    return lookUp;
  }

  return {
    start,

    /** Dispatches with a new deadline. Rejects like `dispatch`, or with the abort reason of the signal or of all waiters. */
    async run<Request, T>(
      request: Request,
      lookUp: LookUpOptions,
      dispatch: (request: Request, pending: PendingLookUp) => Promise<T>,
    ): Promise<T> {
      const { requester = GATEWAY_ITSELF, waiters = oneWaiter(requester) } = lookUp;
      // A look-up with waiters ends when all waiters have left. The caller's own signal then has no effect.
      const signal = lookUp.waiters ? undefined : lookUp.signal;
      signal?.throwIfAborted();
      lookUp.waiters?.throwIfAborted();
      if (closeReason !== null) throw heldBack(closeReason);
      const deadline = start(signal, requester.batch);
      const unwatch = waiters.watch({ aborted: (reason) => deadline.abort(reason) });
      try {
        return await dispatch(request, { deadline, abort: deadline, waiters, requester });
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        unwatch();
        deadline.end();
      }
    },

    /** Aborts, in slices, all look-ups that began at this moment or earlier. */
    endBegunBy,

    /** Aborts all look-ups. Later look-ups fail. */
    close(reason: string): void {
      closeReason = reason;
      while (!endBefore(Number.POSITIVE_INFINITY, heldBack(reason)));
    },
  };
}

/**
 * Is aborted at the deadline with an UpstreamFailure, or earlier with the reason of the caller's signal. A class, because
 * each look-up makes an instance and an object literal with getters is slower to make.
 */
export class Deadline extends LightAbort implements Tagged {
  /** the time of the deadline */
  readonly tag: number;
  heapIndex = -1;
  heapNumber = -1;
  readonly #time: Clock;
  readonly #onEnd: (deadline: Deadline) => void;
  #stopListening: (() => void) | undefined;

  constructor(
    deadline: number,
    time: Clock,
    caller: AbortSignal | undefined,
    onEnd: (deadline: Deadline) => void,
  ) {
    super();
    this.tag = deadline;
    this.#time = time;
    this.#onEnd = onEnd;
    if (caller) this.#stopListening = onSignalAbort(caller, () => this.abort(caller.reason));
  }

  leftMs(): number {
    return this.tag - this.#time.now();
  }

  /** Must be called when the look-up ends. */
  end(): void {
    this.#stopListening?.();
    this.#onEnd(this);
  }
}
