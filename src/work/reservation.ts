import { gatewayBusy, type Reserving } from './admission-queue.ts';

/** Bytes that a reservation has for all nested work together. */
interface NestedBytes {
  readonly reservedBytes: number;
  usedBytes: number;
}

/**
 * For work within other work, such as the GraphQL operations of a tool. It uses the outer reservation and never waits.
 * If that is too small, it takes more bytes from the account, or throws GATEWAY_BUSY.
 */
export class NestedReservation implements Reservation {
  readonly #outer: Reservation;
  readonly #nested: NestedBytes;
  #usedBytes = 0;
  #grownBytes = 0;

  constructor(outer: Reservation, nested: NestedBytes) {
    this.#outer = outer;
    this.#nested = nested;
  }

  admitRequest(): undefined {
    return undefined;
  }

  admitBody(): undefined {
    return undefined;
  }

  admitOperation({ heapBytes, responseBytes }: Need): undefined {
    // The response becomes objects on the heap at once.
    if (!this.grow(heapBytes + responseBytes)) throw gatewayBusy();
    return undefined;
  }

  grow(bytes: number): boolean {
    const reserved = Math.min(bytes, this.#nested.reservedBytes - this.#nested.usedBytes);
    if (bytes > reserved && !this.#outer.grow(bytes - reserved)) return false;
    this.#nested.usedBytes += reserved;
    this.#usedBytes += reserved;
    this.#grownBytes += bytes - reserved;
    return true;
  }

  shrink(bytes: number): void {
    const grown = Math.min(bytes, this.#grownBytes);
    const used = Math.min(bytes - grown, this.#usedBytes);
    this.#outer.shrink(grown);
    this.#nested.usedBytes -= used;
    this.#grownBytes -= grown;
    this.#usedBytes -= used;
  }

  growResponse(bytes: number): boolean {
    return this.grow(bytes);
  }

  /** Returns all bytes, because the outer work keeps only a small part of the response. */
  settle(): boolean {
    this.close();
    return true;
  }

  close(): void {
    this.shrink(this.#grownBytes + this.#usedBytes);
  }
}

/**
 * The reserved memory of one request. The `admit` methods return undefined if the bytes were free, else a promise. The
 * promise resolves when the bytes are free. It rejects with GATEWAY_BUSY at the deadline, and if the client aborts.
 */
export interface Reservation {
  /** Admits the request itself. */
  admitRequest(by: Reserving): Promise<void> | undefined;
  /** Admits a body before it is read. */
  admitBody(bytes: number, by: Reserving): Promise<void> | undefined;
  /**
   * Admits an operation before it starts. While the operation waits, it must keep only the request in memory: parsed data
   * must be dropped and parsed again. A second call for an admitted operation returns undefined.
   */
  admitOperation(need: Need, by: Reserving): Promise<void> | undefined;
  /** Reserves more heap for a running operation. False: too few bytes are free. */
  grow(bytes: number): boolean;
  /** Returns bytes that `grow` has reserved. */
  shrink(bytes: number): void;
  /** Reserves more memory for the response of a running operation. False: too few bytes are free. */
  growResponse(bytes: number): boolean;
  /** At the end of the operation: keeps only the bytes of its response. False: too few bytes are free for it. */
  settle(responseBytes: number): boolean;
  /** Returns all bytes. A second call does nothing. */
  close(): void;
}

/** The memory that an operation may need. */
export interface Need {
  readonly heapBytes: number;
  readonly responseBytes: number;
}
