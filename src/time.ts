// The clock, and the one way to yield the event loop.

let nowMs: number | undefined;
const settled = Promise.resolve();

/**
 * Milliseconds since the epoch, read once for all code that runs without waiting. To read the system's clock takes as
 * long as a look-up in memory, and one operation may look up a thousand names.
 */
export function turnClock(): number {
  if (nowMs === undefined) {
    nowMs = Date.now();
    // Not `queueMicrotask`, which makes an AsyncResource for each call.
    void settled.then(forget);
  }
  return nowMs;
}

function forget(): void {
  nowMs = undefined;
}

/** Whether a value has to be waited for, also one of another library's promises. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** `otherwise` if the promise takes longer. The promise goes on. */
export function withinMs<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** How long work may run before the event loop runs other work, in milliseconds. */
export const SLICE_MS = 15;

/** Fields, items or errors between two looks at the clock, and the bytes: a step may be a text of megabytes. */
const STEPS_A_LOOK = 32;
const BYTES_A_LOOK = 64_000;

export interface Turns {
  /** Resolves in a later turn of the event loop, for one caller a turn: one of each client, in rotation. */
  next(client?: string): Promise<void>;
  /** When work that begins now is to let others go on. What begins in one turn of the event loop shares one slice. */
  endOfFirstSlice(nowMs: number): number;
}

export function createTurns(): Turns {
  /** by client; the client at the front is next */
  const waiting = new Map<string, (() => void)[]>();

  // Between two turns the event loop looks at the network.
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

/** One piece of work, cut into slices. */
export class Slices {
  readonly #turns: Turns;
  #steps = 0;
  #bytes = 0;
  #end = 0;
  // After one caller has seen the end of the slice, later callers see it too, so that none overtakes.
  #isSeen = false;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Counts a step; true when the slice is over: `await next()`, then go on. Looks at the clock now and then.
   * @param writtenBytes by all steps so far
   */
  isOver(writtenBytes: number): boolean {
    this.#steps += 1;
    if (this.#steps % STEPS_A_LOOK !== 0 && writtenBytes - this.#bytes < BYTES_A_LOOK) return this.#isSeen;
    this.#bytes = writtenBytes;
    return this.isOverNow();
  }

  /** The same, and looks at the clock each time. */
  isOverNow(): boolean {
    const now = performance.now();
    // Most work is done before anybody looks: the first slice begins with the first look.
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

/** There at once if memory has it, else a promise. */
export type Soon<Value> = Value | Promise<Value>;

/** Applies `next` to a value: at once if it is there, else when its promise resolves. */
export function mapSoon<Value, Result>(
  value: Soon<Value>,
  next: (value: Value) => Soon<Result>,
): Soon<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
