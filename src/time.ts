// The clock, and the one way to yield the event loop.

let nowMs: number | undefined;
const resolvedPromise = Promise.resolve();

/**
 * Milliseconds since the epoch. Returns the same time until the running code waits, because a read of the system clock
 * takes as long as one look-up in memory. An operation can make a thousand look-ups.
 */
export function turnClock(): number {
  if (nowMs === undefined) {
    nowMs = Date.now();
    // Not `queueMicrotask`, which makes an AsyncResource for each call.
    void resolvedPromise.then(clearNow);
  }
  return nowMs;
}

function clearNow(): void {
  nowMs = undefined;
}

/** Also true for promises of other libraries. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Resolves to `otherwise` if the promise takes longer than `ms`. Does not stop the work behind the promise. */
export function withinMs<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Long work is cut into slices of this length. Between two slices, the event loop runs other work. */
export const SLICE_MS = 15;

/** A slice reads the clock after this many steps. It also reads the clock after this many written bytes. */
const STEPS_BETWEEN_CLOCKS = 32;
const BYTES_BETWEEN_CLOCKS = 64_000;

/** Shares the turns of the event loop among callers with long work. */
export interface Turns {
  /** Resolves in a later turn of the event loop. Each turn resolves one call. Serves the clients round-robin. */
  next(client?: string): Promise<void>;
  /**
   * The time at which the first slice of a piece of work ends, on the clock of `performance.now()`. All work that begins in
   * the same turn of the event loop shares one slice.
   */
  endOfFirstSlice(nowMs: number): number;
}

export function createTurns(): Turns {
  /** the waiting calls of each client; the next turn is for the first client */
  const callsByClient = new Map<string, (() => void)[]>();

  // Each call needs its own `setImmediate`: the event loop reads the network between two of these calls.
  function giveTurn(): void {
    const [first] = callsByClient;
    if (first === undefined) return;
    const [client, calls] = first;
    const resolve = calls.shift();
    callsByClient.delete(client);
    if (calls.length > 0) callsByClient.set(client, calls);
    resolve?.();
    if (callsByClient.size > 0) setImmediate(giveTurn);
  }

  let endMs: number | null = null;
  function endTurn(): void {
    endMs = null;
  }

  return {
    endOfFirstSlice(nowMs) {
      if (endMs === null) setImmediate(endTurn);
      endMs ??= nowMs + SLICE_MS;
      return endMs;
    },
    next: (client = '') =>
      new Promise((resolve) => {
        if (callsByClient.size === 0) setImmediate(giveTurn);
        const calls = callsByClient.get(client);
        if (calls) calls.push(resolve);
        else callsByClient.set(client, [resolve]);
      }),
  };
}

/** A generator of list items yields this after a search that found no item. A slice can end there. */
export const NO_ITEM_YET = undefined as never;

/** Divides one piece of work into slices. */
export class Slices {
  readonly #turns: Turns;
  #steps = 0;
  #bytes = 0;
  #end = 0;
  /** Whether a caller has seen the end of the slice. Then all callers see it until `next`, so no caller overtakes another. */
  #isEndSeen = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Call it after each step of the work. If it returns true, the slice has ended: call `await next()` before the next step.
   * @param writtenBytes the bytes that all steps together have written
   */
  isOver(writtenBytes: number): boolean {
    this.#steps += 1;
    const skipsClock =
      this.#steps % STEPS_BETWEEN_CLOCKS !== 0 && writtenBytes - this.#bytes < BYTES_BETWEEN_CLOCKS;
    if (skipsClock) return this.#isEndSeen;
    this.#bytes = writtenBytes;
    return this.isOverNow();
  }

  /** Like `isOver`, but reads the clock each time. */
  isOverNow(): boolean {
    const now = performance.now();
    // Not in the constructor, because most work ends before it reads the clock.
    if (this.#end === 0) this.#end = this.#turns.endOfFirstSlice(now);
    this.#isEndSeen ||= now > this.#end;
    return this.#isEndSeen;
  }

  async next(): Promise<void> {
    await this.#turns.next();
    this.#isEndSeen = false;
    this.#end = performance.now() + SLICE_MS;
  }
}

/** The value itself if memory has it, else a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Applies `next` at once, or when the promise resolves. */
export function mapSoon<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
