// A request that waits for its turn, or has it.

import type { ClientsWaiting } from '../waiters.ts';
import type { Line, Place } from './client-lines.ts';
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
  /** while it has a slot */
  attempt: Attempt | null;
  /** Sends it. It gives its slot back by itself when it has ended. */
  send(attempt: Attempt): void;
  reject(reason: unknown): void;
  /** Stops listening to its waiters and its lifetime. */
  end(): void;
}

/** A request that has a slot. */
export interface Attempt {
  readonly request: QueuedRequest;
  readonly controller: AbortController;
  readonly startedAt: number;
  /** on whose account it runs; null while nobody waits for its answer */
  line: Line<QueuedRequest> | null;
  /** the client that waits for it, or did last */
  client: string;
}
