// How long one question to the directory lives: until its deadline, or until its caller goes.

import { abortable, type EarlyEnd, type LazyAbort, OwnAbort, onAbort } from '../directory/abortable.ts';
import type { LookUpBatch } from '../directory/asker.ts';
import { deadlineExceeded } from './upstream-failure.ts';

/** Time as the upstream policy sees it; tests bring their own. */
export interface Time {
  /** milliseconds since any fixed moment; never goes back */
  now(): number;
  /** Rejects with the signal's reason once that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `ring` after a while, unless the function that it returns is called before. */
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
    // It does not keep the process alive: a request that waits does.
    const timer = setTimeout(ring, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Aborted with an UpstreamFailure at the deadline, with the caller's reason when the caller goes, or by others. */
export interface Lifetime extends LazyAbort, EarlyEnd {
  leftMs(): number;
  /** Must be called when the question is answered, however it is. */
  end(): void;
}

export interface Lifetimes {
  /**
   * @param batch look-ups that were asked for together have the deadline of the first of them that comes here
   */
  start(caller: AbortSignal | undefined, batch?: LookUpBatch): Lifetime;
  /** Aborts all that began at this moment or before it, a part in each turn of the event loop. */
  endBegunBy(moment: number, reason: unknown): void;
  /** Aborts all that have not ended. */
  abortAll(reason: unknown): void;
}

/** Ends of questions in one turn of the event loop: what they set off takes long. */
const MOST_IN_A_TURN = 250;

/** `endUntil` leaves out its own moment. */
const BARELY_MS = 0.001;

/** One alarm for all, since they come by the thousand. */
export function createLifetimes(deadlineMs: number, time: Time): Lifetimes {
  /** by their deadlines */
  const running = createTagHeap<RunningLife>();
  let cancelAlarm: (() => void) | undefined;

  function setAlarm(): void {
    cancelAlarm?.();
    const first = running.first();
    cancelAlarm = first && time.alarm(Math.max(1, first.tag - time.now()), ring);
  }

  function ring(): void {
    cancelAlarm = undefined;
    // A timer may be a part of a millisecond early.
    const isEnded = endUntil(time.now() + 1, deadlineExceeded(deadlineMs));
    if (isEnded) setAlarm();
    else {
      const next = setImmediate(ring);
      cancelAlarm = () => clearImmediate(next);
    }
  }

  /** Aborts those with a deadline before this one, as many as one turn allows; false where more are left. */
  function endUntil(deadline: number, reason: unknown): boolean {
    for (let ended = 0; ended < MOST_IN_A_TURN; ended += 1) {
      const life = running.first();
      if (life === undefined || life.tag >= deadline) return true;
      running.remove(life);
      life.abort(reason);
    }
    return false;
  }

  function endBegunBy(moment: number, reason: unknown): void {
    // All have the same time: who began first has the first deadline.
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
      const life = new RunningLife(begunAt + deadlineMs, time, (ended) => {
        running.remove(ended);
        if (running.size === 0) setAlarm();
      });
      life.endWith(caller);
      running.add(life);
      if (running.first() === life) setAlarm();
      return life;
    },

    endBegunBy,

    abortAll(reason) {
      for (let life = running.first(); life !== undefined; life = running.first()) {
        running.remove(life);
        life.abort(reason);
      }
    },
  };
}

/** A class, since each question makes one. */
class RunningLife extends OwnAbort implements Lifetime, Tagged {
  /** the deadline */
  readonly tag: number;
  heapIndex = -1;
  heapNumber = -1;
  readonly #time: Time;
  readonly #onEnd: (life: RunningLife) => void;
  #leaveCaller: (() => void) | undefined;

  constructor(deadline: number, time: Time, onEnd: (life: RunningLife) => void) {
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

// What has a tag, the least on top: a binary heap out of which anything can be taken.

/** The heap keeps place and number; the tag must not change while the item is inside. */
export interface Tagged {
  tag: number;
  heapIndex: number;
  heapNumber: number;
}

export interface TagHeap<Item extends Tagged> {
  readonly size: number;
  /** of items with the least tag the one that came first */
  first(): Item | undefined;
  add(item: Item): void;
  /** Nothing happens where it is not inside. */
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
