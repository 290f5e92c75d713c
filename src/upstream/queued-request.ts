// Types of a request that waits in queues, and of its attempt while it has a slot.

import { LightAbort } from '../directory/abortable.ts';
import type { WaitingClients } from '../directory/waiters.ts';
import type { ClientQueue, QueueEntry } from './client-queues.ts';
import type { Deadline } from './deadlines.ts';
import type { AttemptAbort } from './proxy-client.ts';

export interface PendingRequest {
  readonly deadline: Deadline;
  readonly waiters: WaitingClients;
}

/** A request that can wait in queues. `Self` is the type that extends this interface. */
export interface Queueable<Self> extends PendingRequest {
  /** Throws if the request must not be sent now. The request then fails with the thrown error. */
  throwIfHeldBack(): void;
  /** The request's entries in the queues of its clients. Empty while the request does not wait. */
  readonly entries: QueueEntry<Self>[];
  reject(reason: unknown): void;
  /** Stops listening to its waiters and its deadline. */
  end(): void;
}

export interface QueuedRequest extends Queueable<QueuedRequest> {
  /** Null while the request waits. */
  attempt: Attempt | null;
  /** Sends the request. The slot becomes free when the request ends. */
  send(attempt: Attempt): void;
  /** Frees the slot when the response has arrived, before the request ends. */
  freeSlot(attempt: Attempt): void;
}

/** A request that has a slot. */
export class Attempt extends LightAbort implements AttemptAbort {
  readonly request: QueuedRequest;
  readonly startedAt: number;
  /** The queue of the client that the slot belongs to. Null while no client waits for the request. */
  queue: ClientQueue<QueuedRequest> | null;
  /** the client that the slot belongs to, or its last client */
  client: string;

  constructor(request: QueuedRequest, queue: ClientQueue<QueuedRequest>, startedAt: number) {
    super();
    this.request = request;
    this.startedAt = startedAt;
    this.queue = queue;
    this.client = queue.client;
  }

  onComplete(): void {
    this.request.freeSlot(this);
  }
}
