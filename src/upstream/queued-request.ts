// A request that waits for its turn, or has it.

import { OwnAbort } from '../directory/abortable.ts';
import type { ClientsWaiting } from '../directory/waiters.ts';
import type { Line, Place } from './client-lines.ts';
import type { SentFor } from './proxy-client.ts';
import type { Lifetime } from './question-deadline.ts';

export interface QueuedQuestion {
  readonly life: Lifetime;
  readonly waiters: ClientsWaiting;
}

export interface QueuedRequest extends QueuedQuestion {
  /** Throws what it is to end with where it must not be sent now. */
  throwIfHeldBack(): void;
  /** in the lines of its clients, while it waits */
  readonly places: Place<QueuedRequest>[];
  /** while it is sent, until its answer is read */
  attempt: Attempt | null;
  /** Sends it. It gives its slot back by itself when it has ended. */
  send(attempt: Attempt): void;
  /** Gives its slot back before that: its answer is there. */
  freeSlot(attempt: Attempt): void;
  reject(reason: unknown): void;
  /** Stops listening to its waiters and its lifetime. */
  end(): void;
}

/** A request that has a slot. A class, since each that is sent makes one. */
export class Attempt extends OwnAbort implements SentFor {
  readonly request: QueuedRequest;
  readonly startedAt: number;
  /** on whose account it runs; null while nobody waits for its answer */
  line: Line<QueuedRequest> | null;
  /** the client that waits for it, or did last */
  client: string;

  constructor(request: QueuedRequest, line: Line<QueuedRequest>, startedAt: number) {
    super();
    this.request = request;
    this.startedAt = startedAt;
    this.line = line;
    this.client = line.client;
  }

  answered(): void {
    this.request.freeSlot(this);
  }
}
