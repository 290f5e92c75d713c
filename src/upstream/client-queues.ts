// One queue for each client, and the order in which the gateway serves the queues.

import type { Client } from '../directory/requester.ts';
import { type Tagged, TagHeap } from '../tag-heap.ts';

/** The queue of a client that has waiting or running requests, or had such requests in the last seconds. */
export interface ClientQueue<Item> extends Tagged {
  readonly client: Client;
  /** true: the gateway serves the queue only while all queues with waiting requests yield */
  readonly yields: boolean;
  /** the queue's share of the slots, relative to a queue of weight 1 */
  readonly weight: number;
  /** number of waiting requests */
  waiting: number;
  /** number of running requests whose slots belong to this client */
  running: number;
  first: QueueEntry<Item> | null;
  last: QueueEntry<Item> | null;
  idleSince: number;
}

/** An item in one queue. If several clients wait for the item, each client's queue has an entry. */
export interface QueueEntry<Item> {
  readonly queue: ClientQueue<Item>;
  readonly item: Item;
  previous: QueueEntry<Item> | null;
  next: QueueEntry<Item> | null;
}

export type ClientQueues<Item> = ReturnType<typeof createClientQueues<Item>>;

const REMEMBERED_MS = 5_000;
const MAX_REMEMBERED = 10_000;
const LARGE_JOB_WEIGHT = 1 / 4;

/**
 * Uses start-time fair queueing. The queue with the smallest tag is served first. The virtual time is the largest tag of
 * all served queues. An empty queue that gets a request gets a tag of at least the virtual time. Each served request
 * increases the tag of its queue. So a client with few requests comes before a client with many requests.
 */
export function createClientQueues<Item>(now: () => number) {
  const queues = new Map<string, ClientQueue<Item>>();
  /** in the order in which they became idle */
  const idle = new Set<ClientQueue<Item>>();
  /** The queues with waiting requests. When a request begins or ends, only one queue moves to another heap. */
  const heapsByKey = new Map<number, TagHeap<ClientQueue<Item>>>();
  const queuesByLength: Set<ClientQueue<Item>>[] = [];
  let maxLength = 0;
  let waiting = 0;
  let virtualTime = 0;

  function queueOf(client: Client): ClientQueue<Item> {
    let queue = queues.get(client.key);
    if (queue === undefined) {
      queue = {
        client,
        yields: client.job !== undefined,
        weight: client.job === 'much' ? LARGE_JOB_WEIGHT : 1,
        tag: virtualTime,
        heapIndex: -1,
        heapNumber: -1,
        waiting: 0,
        running: 0,
        first: null,
        last: null,
        idleSince: 0,
      };
      queues.set(client.key, queue);
    }
    idle.delete(queue);
    return queue;
  }

  /** Queues with the same key have the same `running`, `yields` and `weight`. So only the tags give their order. */
  const heapKeyOf = ({ running, yields: isYielding, weight }: ClientQueue<Item>) =>
    3 * running + (isYielding ? (weight < 1 ? 2 : 1) : 0);

  function addToHeap(queue: ClientQueue<Item>): void {
    let heap = heapsByKey.get(heapKeyOf(queue));
    if (heap === undefined) {
      heap = new TagHeap();
      heapsByKey.set(heapKeyOf(queue), heap);
    }
    heap.add(queue);
  }

  function removeFromHeap(queue: ClientQueue<Item>): void {
    const heap = heapsByKey.get(heapKeyOf(queue));
    heap?.remove(queue);
    if (heap?.size === 0) heapsByKey.delete(heapKeyOf(queue));
  }

  /** Applies a change of `running` or `tag`, and moves the queue in or between the heaps. */
  function change(queue: ClientQueue<Item>, apply: () => void): void {
    if (queue.waiting > 0) removeFromHeap(queue);
    apply();
    if (queue.waiting > 0) addToHeap(queue);
  }

  function setLength(queue: ClientQueue<Item>, length: number): void {
    queuesByLength[queue.waiting]?.delete(queue);
    waiting += length - queue.waiting;
    queue.waiting = length;
    if (length > 0) {
      queuesByLength[length] ??= new Set();
      queuesByLength[length].add(queue);
    }
    // A length changes by one, so `maxLength` also changes by at most one.
    maxLength = Math.max(maxLength, length);
    if (queuesByLength[maxLength]?.size === 0) maxLength -= 1;
  }

  function addIfIdle(queue: ClientQueue<Item>): void {
    if (queue.waiting + queue.running > 0) return;
    queue.idleSince = now();
    idle.add(queue);
  }

  return {
    /** number of entries in all queues */
    get waiting() {
      return waiting;
    },
    /** number of clients that have waiting or running requests */
    get busy() {
      return queues.size - idle.size;
    },
    /** number of busy clients and of clients that were busy in the last seconds */
    get recent() {
      return queues.size;
    },
    waitingOf: ({ key }: Client) => queues.get(key)?.waiting ?? 0,

    /** Puts an item at the end of a client's queue. */
    join(client: Client, item: Item): QueueEntry<Item> {
      const queue = queueOf(client);
      const entry: QueueEntry<Item> = { queue, item, previous: queue.last, next: null };
      if (queue.last) queue.last.next = entry;
      else queue.first = entry;
      queue.last = entry;
      setLength(queue, queue.waiting + 1);
      if (queue.waiting === 1) {
        queue.tag = Math.max(queue.tag, virtualTime);
        addToHeap(queue);
      }
      return entry;
    },

    leave({ queue, previous, next }: QueueEntry<Item>): void {
      if (previous) previous.next = next;
      else queue.first = next;
      if (next) next.previous = previous;
      else queue.last = previous;
      if (queue.waiting === 1) removeFromHeap(queue);
      setLength(queue, queue.waiting - 1);
      addIfIdle(queue);
    },

    /** The queue to serve next. @param share the number of slots that each client of weight 1 should have */
    next(share: number): ClientQueue<Item> | undefined {
      let best: ClientQueue<Item> | undefined;
      for (const heap of heapsByKey.values()) {
        const queue = heap.first();
        if (queue && (!best || isBefore(queue, best, share))) best = queue;
      }
      return best;
    },

    longest: (): ClientQueue<Item> | undefined => queuesByLength[maxLength]?.values().next().value,

    /** Increases the tag of the queue when one of its requests starts, so that other queues come first. */
    serve(queue: ClientQueue<Item>): void {
      change(queue, () => {
        virtualTime = Math.max(virtualTime, queue.tag);
        queue.tag = virtualTime + 1 / queue.weight;
      });
    },

    /** Counts a running request of a client, until `removeRunning`. */
    addRunning(client: Client): ClientQueue<Item> {
      const queue = queueOf(client);
      change(queue, () => {
        queue.running += 1;
      });
      return queue;
    },

    removeRunning(queue: ClientQueue<Item>): void {
      change(queue, () => {
        queue.running -= 1;
      });
      addIfIdle(queue);
    },

    /** Deletes queues that are idle for REMEMBERED_MS, and the oldest idle queues above MAX_REMEMBERED. */
    forgetIdle(): void {
      for (const queue of idle) {
        if (now() - queue.idleSince < REMEMBERED_MS && idle.size <= MAX_REMEMBERED) break;
        idle.delete(queue);
        queues.delete(queue.client.key);
      }
    },
  };
}

/**
 * 1. Clients that do not yield come before clients that yield. 2. Clients below their share come before other clients.
 * 3. Below the share, the smallest tag comes first. Else, the fewest running requests (divided by weight) come first.
 */
function isBefore(one: ClientQueue<unknown>, other: ClientQueue<unknown>, share: number): boolean {
  if (one.yields !== other.yields) return other.yields;
  const running = one.running / one.weight;
  const otherRunning = other.running / other.weight;
  const hasFullShare = running >= share;
  if (hasFullShare !== otherRunning >= share) return !hasFullShare;
  if (hasFullShare) return running < otherRunning;
  return one.tag < other.tag || (one.tag === other.tag && running < otherRunning);
}
