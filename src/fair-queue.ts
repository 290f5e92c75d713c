// The waiting tasks of clients. The client that has used the least time comes first.

import { type Tagged, TagHeap } from './tag-heap.ts';

interface ClientTasks<Task> extends Tagged {
  readonly client: unknown;
  readonly waiting: Task[];
}

/** When this many clients are remembered, the queue forgets those that may begin at once anyway. */
const MAX_REMEMBERED = 10_000;

/** Uses start-time fair queueing. The tag of a client is the time that it has used, relative to the other clients. */
export class FairQueue<Task> {
  readonly #heap = new TagHeap<ClientTasks<Task>>();
  readonly #waitingByClient = new Map<unknown, ClientTasks<Task>>();
  /** the tags of clients without waiting tasks, while other clients have waiting tasks */
  readonly #tags = new Map<unknown, number>();
  #virtualTime = 0;

  get isEmpty(): boolean {
    return this.#heap.size === 0;
  }

  add(client: unknown, task: Task): void {
    const known = this.#waitingByClient.get(client);
    if (known) {
      known.waiting.push(task);
      return;
    }
    const tag = Math.max(this.#virtualTime, this.#tags.get(client) ?? 0);
    const first = { client, tag, waiting: [task], heapIndex: -1, heapNumber: -1 };
    this.#tags.delete(client);
    this.#waitingByClient.set(client, first);
    this.#heap.add(first);
  }

  /** Returns the next task. Call `used` when the task has ended. */
  take(): { readonly client: unknown; readonly task: Task } | undefined {
    const first = this.#heap.first();
    const task = first?.waiting.shift();
    if (first === undefined || task === undefined) return undefined;
    this.#virtualTime = first.tag;
    if (first.waiting.length === 0) {
      this.#heap.remove(first);
      this.#waitingByClient.delete(first.client);
      this.#tags.set(first.client, first.tag);
    }
    return { client: first.client, task };
  }

  /** Counts the time that a client has used. The unit is the same for all clients. */
  used(client: unknown, time: number): void {
    const task = this.#waitingByClient.get(client);
    if (task) {
      this.#heap.remove(task);
      task.tag += time;
      this.#heap.add(task);
    } else if (this.isEmpty) this.#tags.clear();
    else {
      this.#tags.set(client, Math.max(this.#virtualTime, this.#tags.get(client) ?? 0) + time);
      if (this.#tags.size > MAX_REMEMBERED) this.#forget();
    }
  }

  #forget(): void {
    for (const [client, tag] of this.#tags) if (tag <= this.#virtualTime) this.#tags.delete(client);
  }
}
