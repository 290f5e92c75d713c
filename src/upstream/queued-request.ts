// A request that waits in queues, and its attempt while the request has a slot.

import { LightAbort } from '../directory/abortable.ts';
import type { WaitingClients } from '../directory/waiters.ts';
import type { ClientQueue, QueueEntry } from './client-queues.ts';
import type { Deadline } from './deadlines.ts';
import type { AttemptAbort } from './proxy-client.ts';

export interface PendingRequest {
  readonly deadline: Deadline;
  readonly waiters: WaitingClients;
}

/** A request that can wait in queues. `Self` is the interface or class that extends this one. */
export interface Queueable<Self> extends PendingRequest {
  /** Throws if the request must not be sent now. The request then ends with this failure. */
  throwIfHeldBack(): void;
  /** Its entries in the queues of its clients. Empty when the request does not wait. */
  readonly entries: QueueEntry<Self>[];
  reject(reason: unknown): void;
  /** Stops listening to its waiters and its deadline. */
  end(): void;
}

export interface QueuedRequest extends Queueable<QueuedRequest> {
  /** Null before sending, and after the response is read. */
  attempt: Attempt | null;
  /** Sends the request. The slot becomes free when the request ends. */
  send(attempt: Attempt): void;
  /** Frees the slot earlier, when the response has arrived. */
  freeSlot(attempt: Attempt): void;
}

/** A request that has a slot. */
export class Attempt extends LightAbort implements AttemptAbort {
  readonly request: QueuedRequest;
  readonly startedAt: number;
  /** The queue of the client that the slot counts for. Null while no client waits. */
  queue: ClientQueue<QueuedRequest> | null;
  /** the client that the slot counts for, or counted for last */
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
