// The turns of the event loop.

import { FairQueue } from './fair-queue.ts';
import type { Soon } from './time.ts';

const resolvedPromise = Promise.resolve();

/** A turn of the event loop runs about this long in sum, for all callers together. */
const TURN_MS = 10;
/** If the small tasks of several turns took less than this, no turn has to be ended. To end a turn takes time. */
const UNCOUNTED_MS = 1;
/** While connections arrive, a turn runs only small tasks, for this time. */
const ACCEPTING_TURN_MS = 2;
/** After this time, a turn runs other tasks, even if more connections arrive. */
const MAX_ACCEPTING_MS = 50;

/** The client of a task: a text, or an object such as a connection. */
type Client = unknown;

/**
 * Owns the turns of the event loop. A task that finds no time in its turn waits here, in one of three queues: small tasks of clients,
 * tasks that all clients share, and large tasks of clients. The queue that has used the least time is next, and in a queue the
 * client that has used the least time.
 */
export interface Turns {
  /**
   * Call it for each new connection. Node accepts one connection in each turn. So the next turns are short until no more
   * connections arrive.
   */
  onConnection(): void;
  /** Begins a small task now if this turn has time and no small task waits, else in a later turn. */
  run<T>(task: () => Soon<T>, clientOf: () => Client): Soon<T>;
  /** Begins a shared task in a later turn, in the order of the calls. For example, reads a response of the directory. */
  runLater(task: () => void): void;
  /** Whether the task that runs now can continue in this turn. */
  hasTime(): boolean;
  /**
   * Resolves in a later turn, when it is time for a large task of this client.
   * @param leastMs the task counts at least this. For what another part of the event loop does afterwards.
   */
  next(client: Client, leastMs?: number): Promise<void>;
}

/** The part of `Turns` that long tasks need. */
export type TurnsOfLongTasks = Pick<Turns, 'hasTime' | 'next'>;

interface Task {
  readonly begin: () => void;
  readonly leastMs: number;
}

interface TaskQueue {
  readonly clients: FairQueue<Task>;
  /** the time that the queue has used, relative to the other queues */
  usedMs: number;
}

/** A task counts at most this, because a garbage collection can fall into any task. */
const MAX_COUNTED_MS = TURN_MS;
const MIN_COUNTED_MS = 0.01;

// Read once, because tests replace the global functions.
const inNextTurn = setImmediate;

/** Resolves in the next turn of the event loop, which has then read from all connections. Tasks must call `Turns` instead. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => inNextTurn(resolve));
}

export function createTurns(now: () => number = () => performance.now()): Turns {
  const [small, shared, large] = [0, 0, 0].map(
    (usedMs): TaskQueue => ({ clients: new FairQueue<Task>(), usedMs }),
  ) as [TaskQueue, TaskQueue, TaskQueue];
  const queues = [small, shared, large];
  /** when the first task of this turn began; null: this turn has no task, or too little to be counted */
  let startMs: number | null = null;
  let uncountedMs = 0;
  /** what tasks of this turn count above its time */
  let countedMs = 0;
  let isScheduled = false;
  let hasAccepted = false;
  let isAccepting = false;
  let acceptingSinceMs: number | null = null;

  function schedule(): void {
    if (!isScheduled) inNextTurn(beginTurn);
    isScheduled = true;
  }

  /** The first queue with waiting tasks. */
  function firstQueue(): TaskQueue | undefined {
    let first: TaskQueue | undefined;
    for (const queue of queues) {
      if (!queue.clients.isEmpty && (!first || queue.usedMs < first.usedMs)) first = queue;
    }
    return first;
  }

  function add(queue: TaskQueue, client: Client, task: Task): void {
    // A queue that was empty does not get the time that it has not used.
    if (queue.clients.isEmpty) queue.usedMs = Math.max(queue.usedMs, firstQueue()?.usedMs ?? 0);
    queue.clients.add(client, task);
    schedule();
  }

  function startCounting(atMs: number): number {
    startMs ??= atMs - uncountedMs;
    schedule();
    return startMs;
  }

  const turnMs = (): number => (isAccepting ? ACCEPTING_TURN_MS : TURN_MS);

  function isFull(): boolean {
    return !small.clients.isEmpty || (startMs !== null && now() - startMs >= turnMs());
  }

  function beginTurn(): void {
    isScheduled = false;
    startMs ??= now();
    acceptingSinceMs = hasAccepted ? (acceptingSinceMs ?? startMs) : null;
    isAccepting = acceptingSinceMs !== null && startMs - acceptingSinceMs < MAX_ACCEPTING_MS;
    if (!isAccepting) acceptingSinceMs = null;
    hasAccepted = false;
    beginNext();
  }

  function beginNext(): void {
    const queue = isAccepting ? small : firstQueue();
    const taken = queue?.clients.take();
    if (queue === undefined || taken === undefined) {
      endTurn();
      return;
    }
    const beganMs = now();
    const { client, task } = taken;
    task.begin();
    // The promise callbacks of the task run first, because they are a part of it.
    void resolvedPromise.then(() => process.nextTick(onEnd, queue, client, task, beganMs));
  }

  function onEnd(queue: TaskQueue, client: Client, { leastMs }: Task, beganMs: number): void {
    const endedMs = now();
    const ms = Math.min(MAX_COUNTED_MS, Math.max(leastMs, endedMs - beganMs));
    queue.usedMs += ms;
    queue.clients.used(client, ms);
    countedMs += Math.max(0, leastMs - (endedMs - beganMs));
    if (startMs !== null && endedMs - startMs + countedMs < turnMs()) beginNext();
    else endTurn();
  }

  function endTurn(): void {
    startMs = null;
    uncountedMs = 0;
    countedMs = 0;
    if (isAccepting || firstQueue()) schedule();
  }

  return {
    onConnection() {
      hasAccepted = true;
      schedule();
    },
    run(task, clientOf) {
      if (isFull()) {
        return new Promise((resolve) => {
          const begin = (): void => resolve(new Promise((done) => done(task())));
          add(small, clientOf(), { begin, leastMs: MIN_COUNTED_MS });
        });
      }
      const beganMs = now();
      try {
        return task();
      } finally {
        const endedMs = now();
        uncountedMs += endedMs - beganMs;
        if (startMs === null && uncountedMs > UNCOUNTED_MS) startCounting(endedMs);
      }
    },
    runLater: (begin) => add(shared, null, { begin, leastMs: MIN_COUNTED_MS }),
    hasTime() {
      const nowMs = now();
      return nowMs - startCounting(nowMs) < TURN_MS;
    },
    next: (client, leastMs = MIN_COUNTED_MS) =>
      new Promise((begin) => add(large, client, { begin, leastMs })),
  };
}

/** The turns of this process. */
export const TURNS = createTurns();
