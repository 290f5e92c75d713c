// The clock, and the one way to yield the event loop.

let nowMs: number | undefined;
const resolved = Promise.resolve();

/**
 * Milliseconds since the epoch. Returns the same time until the running code waits. To read the system clock takes as
 * long as a look-up in memory, and one operation may look up a thousand names.
 */
export function turnClock(): number {
  if (nowMs === undefined) {
    nowMs = Date.now();
    // Not `queueMicrotask`, which makes an AsyncResource for each call.
    void resolved.then(clearNow);
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

/** Resolves to `otherwise` if the promise takes longer. Does not stop its work. */
export function withinMs<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** How long work may run before the event loop runs other work, in milliseconds. */
export const SLICE_MS = 15;

/** A slice reads the clock after this many steps, or after this many written bytes: a step may write megabytes. */
const STEPS_BETWEEN_CLOCKS = 32;
const BYTES_BETWEEN_CLOCKS = 64_000;

export interface Turns {
  /** Resolves in a later turn of the event loop. Each turn serves one caller. The clients take turns. */
  next(client?: string): Promise<void>;
  /** The end of a slice that begins now, in milliseconds. Work that begins in the same turn shares one slice. */
  endOfFirstSlice(nowMs: number): number;
}

export function createTurns(): Turns {
  /** by client; the first client is next */
  const waiting = new Map<string, (() => void)[]>();

  // Between two turns, the event loop reads the network.
  function giveTurn(): void {
    const [first] = waiting;
    if (first === undefined) return;
    const [client, callers] = first;
    const resolve = callers.shift();
    waiting.delete(client);
    if (callers.length > 0) waiting.set(client, callers);
    resolve?.();
    if (waiting.size > 0) setImmediate(giveTurn);
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
        if (waiting.size === 0) setImmediate(giveTurn);
        const callers = waiting.get(client);
        if (callers) callers.push(resolve);
        else waiting.set(client, [resolve]);
      }),
  };
}

/** Divides one piece of work into slices. */
export class Slices {
  readonly #turns: Turns;
  #steps = 0;
  #bytes = 0;
  #end = 0;
  // After the first caller has seen the end of the slice, all callers see it until `next`. So no caller overtakes.
  #isSeen = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Counts a step. Returns true if the slice is over: then call `await next()`. Does not read the clock at every step.
   * @param writtenBytes the bytes that all steps have written so far
   */
  isOver(writtenBytes: number): boolean {
    this.#steps += 1;
    const isSoon =
      this.#steps % STEPS_BETWEEN_CLOCKS !== 0 && writtenBytes - this.#bytes < BYTES_BETWEEN_CLOCKS;
    if (isSoon) return this.#isSeen;
    this.#bytes = writtenBytes;
    return this.isOverNow();
  }

  /** Like `isOver`, but reads the clock each time. */
  isOverNow(): boolean {
    const now = performance.now();
    // The first slice begins here, and not in the constructor: most work ends before it reads the clock.
    if (this.#end === 0) this.#end = this.#turns.endOfFirstSlice(now);
    this.#isSeen ||= now > this.#end;
    return this.#isSeen;
  }

  async next(): Promise<void> {
    await this.#turns.next();
    this.#isSeen = false;
    this.#end = performance.now() + SLICE_MS;
  }
}

/** The value itself if memory has it, else a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Applies `next` to a value: at once, or when its promise resolves. */
export function mapSoon<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
