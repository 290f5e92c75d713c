// The deadline of each look-up. A look-up ends earlier if its caller aborts.

import { type AbortState, abortable, type LazyAbort, LightAbort, onAbort } from '../directory/abortable.ts';
import type { LookUpBatch } from '../directory/requester.ts';
import { deadlineExceeded } from './upstream-failure.ts';

/** The clock and the timers of upstream/. Tests use another implementation. */
export interface Time {
  /** Milliseconds since a fixed moment. The value never decreases. */
  now(): number;
  /** Rejects with the signal's reason if the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` after `ms`, unless the returned function is called first. */
  alarm(ms: number, ring: () => void): () => void;
}

export const REAL_TIME: Time = {
  now: () => performance.now(),
  sleep(ms, signal) {
    let timer: NodeJS.Timeout | undefined;
    const slept = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    return (signal ? abortable(slept, signal) : slept).finally(() => clearTimeout(timer));
  },
  alarm(ms, ring) {
    // The timer does not keep the process alive. The request that waits keeps it alive.
    const timer = setTimeout(ring, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Is aborted at the deadline with an UpstreamFailure, or earlier with the reason of the caller's signal. */
export interface Deadline extends LazyAbort, AbortState {
  leftMs(): number;
  /** Must be called when the look-up ends. */
  end(): void;
}

export interface Deadlines {
  /** @param batch all look-ups of a batch get the deadline of its first look-up */
  start(caller: AbortSignal | undefined, batch?: LookUpBatch): Deadline;
  /** Aborts all look-ups that began at this moment or earlier. Does so in slices. */
  endBegunBy(moment: number, reason: unknown): void;
  abortAll(reason: unknown): void;
}

/** One slice has at most this many aborts, because each abort causes much work. */
const MAX_PER_SLICE = 250;

/** `endBefore` ends only look-ups with an earlier deadline. This small time includes the deadline itself. */
const INCLUSIVE_MS = 0.001;

/** Uses one alarm for all look-ups, because thousands of look-ups can run. */
export function createDeadlines(deadlineMs: number, time: Time): Deadlines {
  const running = createTagHeap<RunningDeadline>();
  let cancelAlarm: (() => void) | undefined;

  function setAlarm(): void {
    cancelAlarm?.();
    const first = running.first();
    cancelAlarm = first && time.alarm(Math.max(1, first.tag - time.now()), ring);
  }

  function ring(): void {
    cancelAlarm = undefined;
    // A timer can ring a fraction of a millisecond early.
    const isEnded = endBefore(time.now() + 1, deadlineExceeded(deadlineMs));
    if (isEnded) setAlarm();
    else {
      const next = setImmediate(ring);
      cancelAlarm = () => clearImmediate(next);
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
    // Every look-up has the same time from start to deadline, so a start determines its deadline.
    const isEnded = endBefore(moment + deadlineMs + INCLUSIVE_MS, reason);
    if (isEnded) setAlarm();
    else setImmediate(() => endBegunBy(moment, reason));
  }

  return {
    start(caller, batch) {
      let begunAt = time.now();
      if (batch !== undefined) {
        batch.begunAt ??= begunAt;
        begunAt = batch.begunAt;
      }
      const lookUp = new RunningDeadline(begunAt + deadlineMs, time, (ended) => {
        running.remove(ended);
        if (running.size === 0) setAlarm();
      });
      lookUp.abortWith(caller);
      running.add(lookUp);
      if (running.first() === lookUp) setAlarm();
      return lookUp;
    },

    endBegunBy,

    abortAll(reason) {
      for (let lookUp = running.first(); lookUp !== undefined; lookUp = running.first()) {
        running.remove(lookUp);
        lookUp.abort(reason);
      }
    },
  };
}

/** A class, because each look-up makes an instance and an object literal with getters is slower to make. */
class RunningDeadline extends LightAbort implements Deadline, Tagged {
  /** the time of the deadline */
  readonly tag: number;
  heapIndex = -1;
  heapNumber = -1;
  readonly #time: Time;
  readonly #onEnd: (deadline: RunningDeadline) => void;
  #stopListening: (() => void) | undefined;

  constructor(deadline: number, time: Time, onEnd: (deadline: RunningDeadline) => void) {
    super();
    this.tag = deadline;
    this.#time = time;
    this.#onEnd = onEnd;
  }

  abortWith(caller: AbortSignal | undefined): void {
    if (caller) this.#stopListening = onAbort(caller, () => this.abort(caller.reason));
  }

  leftMs(): number {
    return this.tag - this.#time.now();
  }

  end(): void {
    this.#stopListening?.();
    this.#onEnd(this);
  }
}

/** An item of a heap. Its tag must not change while it is in a heap. The heap sets `heapIndex` and `heapNumber`. */
export interface Tagged {
  tag: number;
  heapIndex: number;
  heapNumber: number;
}

/** A binary heap with the smallest tag on top. Any item can be removed. */
export interface TagHeap<Item extends Tagged> {
  readonly size: number;
  /** The item with the smallest tag. If several items have this tag, the item that was added first. */
  first(): Item | undefined;
  add(item: Item): void;
  /** Does nothing if the item is not in the heap. */
  remove(item: Item): void;
}

export function createTagHeap<Item extends Tagged>(): TagHeap<Item> {
  const items: Item[] = [];
  let added = 0;

  function put(item: Item, index: number): void {
    items[index] = item;
    item.heapIndex = index;
  }

  function rise(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const parent = items[(index - 1) >> 1];
      if (index === 0 || parent === undefined || isBefore(parent, item)) break;
      put(parent, index);
      index = (index - 1) >> 1;
    }
    put(item, index);
  }

  function sink(item: Item, from: number): void {
    let index = from;
    for (;;) {
      const left = items[2 * index + 1];
      const right = items[2 * index + 2];
      const least = left && right && isBefore(right, left) ? right : left;
      if (least === undefined || isBefore(item, least)) break;
      const next = least.heapIndex;
      put(least, index);
      index = next;
    }
    put(item, index);
  }

  return {
    get size() {
      return items.length;
    },
    first: () => items[0],
    add(item) {
      item.heapNumber = added;
      added += 1;
      rise(item, items.length);
    },
    remove(item) {
      const { heapIndex } = item;
      if (items[heapIndex] !== item) return;
      const last = items.pop();
      if (last === undefined || last === item) return;
      rise(last, heapIndex);
      sink(last, last.heapIndex);
    },
  };
}

function isBefore(one: Tagged, other: Tagged): boolean {
  return one.tag < other.tag || (one.tag === other.tag && one.heapNumber < other.heapNumber);
}
