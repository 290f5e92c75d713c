// The deadline of each look-up, and its early end when the caller leaves.

import { type AbortState, abortable, type LazyAbort, LightAbort, onAbort } from '../directory/abortable.ts';
import type { LookUpBatch } from '../directory/requester.ts';
import { deadlineExceeded } from './upstream-failure.ts';

/** The clock and timers of upstream/. Tests inject a different clock. */
export interface Time {
  /** Milliseconds since a fixed moment. Never goes back. */
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
    // This timer need not keep the process alive: the request that waits does.
    const timer = setTimeout(ring, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Aborted at the deadline with an UpstreamFailure. Aborted earlier if the caller aborts, with the caller's reason. */
export interface Deadline extends LazyAbort, AbortState {
  leftMs(): number;
  /** Must be called when the look-up ends. */
  end(): void;
}

export interface Deadlines {
  /** @param batch all look-ups of a batch have the deadline of the first look-up */
  start(caller: AbortSignal | undefined, batch?: LookUpBatch): Deadline;
  /** Aborts all look-ups that began at this moment or earlier, in slices. */
  endBegunBy(moment: number, reason: unknown): void;
  abortAll(reason: unknown): void;
}

/** Each abort causes much work, so one slice has at most this many. */
const MAX_IN_A_SLICE = 250;

/** Added to a moment to include it, because `endUntil` ends only look-ups with an earlier deadline. */
const BARELY_MS = 0.001;

/** Uses one alarm for all look-ups, because there are thousands of them. */
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
    // A timer may ring a fraction of a millisecond early.
    const isEnded = endUntil(time.now() + 1, deadlineExceeded(deadlineMs));
    if (isEnded) setAlarm();
    else {
      const next = setImmediate(ring);
      cancelAlarm = () => clearImmediate(next);
    }
  }

  /** Aborts look-ups with an earlier deadline, at most one slice of them. Returns false if more are left. */
  function endUntil(deadline: number, reason: unknown): boolean {
    for (let ended = 0; ended < MAX_IN_A_SLICE; ended += 1) {
      const each = running.first();
      if (each === undefined || each.tag >= deadline) return true;
      running.remove(each);
      each.abort(reason);
    }
    return false;
  }

  function endBegunBy(moment: number, reason: unknown): void {
    // All look-ups have the same time, so the order of deadlines is the order of starts.
    const isEnded = endUntil(moment + deadlineMs + BARELY_MS, reason);
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
      const each = new RunningDeadline(begunAt + deadlineMs, time, (ended) => {
        running.remove(ended);
        if (running.size === 0) setAlarm();
      });
      each.endWith(caller);
      running.add(each);
      if (running.first() === each) setAlarm();
      return each;
    },

    endBegunBy,

    abortAll(reason) {
      for (let each = running.first(); each !== undefined; each = running.first()) {
        running.remove(each);
        each.abort(reason);
      }
    },
  };
}

/** A class, because an object literal with getters is slower to make, and each look-up makes one. */
class RunningDeadline extends LightAbort implements Deadline, Tagged {
  /** the time of the deadline */
  readonly tag: number;
  heapIndex = -1;
  heapNumber = -1;
  readonly #time: Time;
  readonly #onEnd: (each: RunningDeadline) => void;
  #leaveCaller: (() => void) | undefined;

  constructor(deadline: number, time: Time, onEnd: (each: RunningDeadline) => void) {
    super();
    this.tag = deadline;
    this.#time = time;
    this.#onEnd = onEnd;
  }

  endWith(caller: AbortSignal | undefined): void {
    if (caller) this.#leaveCaller = onAbort(caller, () => this.abort(caller.reason));
  }

  leftMs(): number {
    return this.tag - this.#time.now();
  }

  end(): void {
    this.#leaveCaller?.();
    this.#onEnd(this);
  }
}

/** The heap sets `heapIndex` and `heapNumber`. The tag must not change while the item is in a heap. */
export interface Tagged {
  tag: number;
  heapIndex: number;
  heapNumber: number;
}

/** A binary heap with the least tag on top. Any item can be removed. */
export interface TagHeap<Item extends Tagged> {
  readonly size: number;
  /** The item with the least tag. If several items have this tag, the item that was added first. */
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
