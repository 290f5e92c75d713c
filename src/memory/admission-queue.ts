// The queue of requests that wait for memory.

import { gatewayBusy } from '../errors.ts';
import type { Clock } from '../time.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { TURNS } from '../turns.ts';

/** A request that reserves memory. The first read of `client` identifies the client, which takes time. */
export interface ReservingRequest {
  readonly requester: { readonly client: { readonly key: string } };
  /** aborted when the client aborts the request */
  readonly signal: AbortSignal;
}

export interface WaitingOptions {
  /** the maximum wait of a request */
  readonly deadlineMs: number;
  readonly after: Clock['after'];
  readonly trouble: Pick<TroubleLog, 'warn'>;
}

interface AdmissionQueueOptions extends WaitingOptions {
  /** Returns the reserved bytes by client. The client with the fewest bytes is first. */
  readonly reservedByClient: () => ReadonlyMap<string, number>;
}

interface Waiter {
  /** reserves the bytes; returns false if too few bytes are free */
  readonly take: () => boolean;
  readonly admit: () => void;
}

/** The queue is limited, because each waiting request keeps its headers and a small body in memory. */
const MAX_WAITING = 5_000;

/** Requests of one client start in the order of their arrival. */
export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions;
  readonly #waitersByClient = new Map<string, Set<Waiter>>();
  #size = 0;
  #isScheduled = false;

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Resolves when `take` has taken the bytes. Rejects with GATEWAY_BUSY at the deadline, or if too many requests wait.
   * If the client aborts, rejects with the reason of the signal.
   */
  wait({ requester, signal }: ReservingRequest, take: () => boolean): Promise<void> {
    const { deadlineMs, after, trouble } = this.#options;
    trouble.warn('memory', { waiting: this.#size + 1 }, 'Requests wait until enough memory is free.');
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#size >= MAX_WAITING) return Promise.reject(gatewayBusy());
    const client = requester.client.key;
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        this.#remove(client, waiter);
        signal.removeEventListener('abort', onAbort);
        cancel();
      };
      const onAbort = (): void => {
        stopWaiting();
        reject(signal.reason);
        // The next request can need fewer bytes.
        this.schedule();
      };
      const waiter: Waiter = {
        take,
        admit() {
          stopWaiting();
          resolve();
        },
      };
      const cancel = after(deadlineMs, () => {
        stopWaiting();
        reject(gatewayBusy());
        this.schedule();
      });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#add(client, waiter);
    });
  }

  /** Starts waiting requests in later turns of the event loop. Call it when bytes were returned. */
  schedule(): void {
    if (this.#size === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    TURNS.runLater(() => {
      this.#isScheduled = false;
      this.#admit();
    });
  }

  #admit(): void {
    const first = this.#first();
    // If the first request cannot start, no other request starts. Otherwise small requests could delay it for ever.
    if (!first?.take()) return;
    first.admit();
    this.schedule();
  }

  #first(): Waiter | undefined {
    const reservedByClient = this.#options.reservedByClient();
    let best: Set<Waiter> | undefined;
    let leastBytes = Number.POSITIVE_INFINITY;
    for (const [client, waiters] of this.#waitersByClient) {
      const bytes = reservedByClient.get(client) ?? 0;
      if (bytes < leastBytes) {
        leastBytes = bytes;
        best = waiters;
      }
    }
    for (const waiter of best ?? []) return waiter;
    return undefined;
  }

  #add(client: string, waiter: Waiter): void {
    const waiters = this.#waitersByClient.get(client) ?? new Set();
    this.#waitersByClient.set(client, waiters);
    waiters.add(waiter);
    this.#size += 1;
  }

  #remove(client: string, waiter: Waiter): void {
    const waiters = this.#waitersByClient.get(client);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waitersByClient.delete(client);
    this.#size -= 1;
  }
}
