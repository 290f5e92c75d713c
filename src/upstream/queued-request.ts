// A request that waits in queues, and its attempt while it has a slot.

import { LightAbort } from '../directory/abortable.ts';
import type { WaitingClients } from '../directory/waiters.ts';
import type { ClientQueue, QueueEntry } from './client-queues.ts';
import type { Deadline } from './deadlines.ts';
import type { AttemptAbort } from './proxy-client.ts';

export interface PendingRequest {
  readonly deadline: Deadline;
  readonly waiters: WaitingClients;
}

/** @typeParam Self the kind of request that extends it */
export interface Queueable<Self> extends PendingRequest {
  /** Throws the failure to end with, if it must not be sent now. */
  throwIfHeldBack(): void;
  /** in the queues of its clients, while it waits */
  readonly entries: QueueEntry<Self>[];
  reject(reason: unknown): void;
  /** Stops listening to its waiters and its deadline. */
  end(): void;
}

export interface QueuedRequest extends Queueable<QueuedRequest> {
  /** from sending until its response is read */
  attempt: Attempt | null;
  /** Sends it. It frees its slot when it ends. */
  send(attempt: Attempt): void;
  /** Frees its slot earlier, when its response has arrived. */
  freeSlot(attempt: Attempt): void;
}

/** A request that has a slot. A class, because each request makes one. */
export class Attempt extends LightAbort implements AttemptAbort {
  readonly request: QueuedRequest;
  readonly startedAt: number;
  /** the queue of the client that the slot counts for; null while no client waits */
  queue: ClientQueue<QueuedRequest> | null;
  /** the client that waits for it, or waited last */
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
