// The waiting work of clients. The client that has used the least time comes first.

import { type Tagged, TagHeap } from './tag-heap.ts';

interface ClientWork<Work> extends Tagged {
  readonly client: unknown;
  readonly waiting: Work[];
}

/** When this many clients are remembered, the queue forgets those that may begin at once anyway. */
const MAX_REMEMBERED = 10_000;

/** Uses start-time fair queueing. The tag of a client is the time that it has used, relative to the other clients. */
export class FairQueue<Work> {
  readonly #heap = new TagHeap<ClientWork<Work>>();
  readonly #waitingByClient = new Map<unknown, ClientWork<Work>>();
  /** the tags of clients without waiting work, while other clients have waiting work */
  readonly #tags = new Map<unknown, number>();
  #virtualTime = 0;

  get isEmpty(): boolean {
    return this.#heap.size === 0;
  }

  add(client: unknown, work: Work): void {
    const known = this.#waitingByClient.get(client);
    if (known) {
      known.waiting.push(work);
      return;
    }
    const tag = Math.max(this.#virtualTime, this.#tags.get(client) ?? 0);
    const first = { client, tag, waiting: [work], heapIndex: -1, heapNumber: -1 };
    this.#tags.delete(client);
    this.#waitingByClient.set(client, first);
    this.#heap.add(first);
  }

  /** Returns the next work. Call `used` when the work has ended. */
  take(): { readonly client: unknown; readonly work: Work } | undefined {
    const first = this.#heap.first();
    const work = first?.waiting.shift();
    if (first === undefined || work === undefined) return undefined;
    this.#virtualTime = first.tag;
    if (first.waiting.length === 0) {
      this.#heap.remove(first);
      this.#waitingByClient.delete(first.client);
      this.#tags.set(first.client, first.tag);
    }
    return { client: first.client, work };
  }

  /** Counts the time that a client has used. The unit is the same for all clients. */
  used(client: unknown, time: number): void {
    const work = this.#waitingByClient.get(client);
    if (work) {
      this.#heap.remove(work);
      work.tag += time;
      this.#heap.add(work);
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
