// A name that waits for a request to an agency's API.

import type { Requester } from '../../directory/requester.ts';
import type { HandleName } from '../../doi/name.ts';
import type { QueueEntry } from '../client-queues.ts';
import type { PendingRequest, WaitingRequest } from '../queued-request.ts';

/** A class, because a request for a thousand names makes a thousand. */
export class WaitingName<Item> implements WaitingRequest<WaitingName<Item>> {
  readonly name: HandleName;
  /** as it stands in a request */
  readonly encoded: string;
  readonly requester: Requester;
  readonly deadline: PendingRequest['deadline'];
  readonly waiters: PendingRequest['waiters'];
  readonly entries: QueueEntry<WaitingName<Item>>[] = [];
  readonly found: Promise<Item | null>;
  /** names in the next request with this one, at most: a request that was refused is sent again in halves */
  mostNames: number;
  /** while a request for it runs */
  isSent = false;
  isEnded = false;
  #resolve!: (item: Item | null) => void;
  #reject!: (reason: unknown) => void;
  #unwatch: (() => void) | undefined;

  constructor(
    name: HandleName,
    encoded: string,
    requester: Requester,
    { deadline, waiters }: PendingRequest,
    mostNames: number,
  ) {
    this.name = name;
    this.encoded = encoded;
    this.requester = requester;
    this.deadline = deadline;
    this.waiters = waiters;
    this.mostNames = mostNames;
    this.found = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Until it ends: `onAbort` hears of the deadline, and the others of clients that join and leave while it waits. */
  listen(onAbort: () => void, joined: (client: string) => void, left: (client: string) => void): void {
    this.deadline.onAbort(onAbort);
    this.#unwatch = this.waiters.watch({
      joined: (client) => {
        if (!this.isSent) joined(client);
      },
      left: (client) => {
        if (!this.isSent) left(client);
      },
      // Other names are in the same request.
      goesOn: () => this.isSent,
    });
  }

  /** An open circuit sends nothing, but its names may wait until it closes. */
  throwIfHeldBack(): void {}

  resolve(item: Item | null): void {
    this.end();
    this.#resolve(item);
  }

  reject(reason: unknown): void {
    this.end();
    this.#reject(reason);
  }

  end(): void {
    this.isEnded = true;
    this.deadline.onAbort(null);
    this.#unwatch?.();
  }
}
