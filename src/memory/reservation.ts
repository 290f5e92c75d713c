// The interface of a reservation (the reserved memory of one request), and the reservation of a nested operation.

import { gatewayBusy } from '../errors.ts';
import type { ReservingRequest } from './admission-queue.ts';

/** The bytes of the outer reservation that are for nested operations. All nested operations together use them. */
interface NestedBytes {
  readonly reservedBytes: number;
  usedBytes: number;
}

/**
 * The reservation inside a request, such as for the GraphQL operations of a tool. It uses bytes of the outer
 * reservation, and never waits. If the outer reservation is too small, it reserves more bytes, or throws GATEWAY_BUSY.
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

  admitDownload(bytes: number): boolean {
    return this.grow(bytes);
  }

  /** Releases all bytes, because the outer request keeps only a small part of the response. */
  settle(): boolean {
    this.close();
    return true;
  }

  close(): void {
    this.shrink(this.#grownBytes + this.#usedBytes);
  }
}

/**
 * The reserved memory of one request. The `admit` methods return undefined if the bytes were free. Else they return a
 * promise that resolves when the bytes are reserved. The promise rejects with GATEWAY_BUSY at the deadline or if too many
 * requests wait, and with the reason of the signal if the client aborts.
 */
export interface Reservation {
  /** Call it before the request is handled. */
  admitRequest(request: ReservingRequest): Promise<void> | undefined;
  /** Call it before reading the body. */
  admitBody(bytes: number, request: ReservingRequest): Promise<void> | undefined;
  /**
   * Call it before executing an operation. During the wait, the caller must not keep parsed data: it must parse the
   * request again. If the memory is reserved already, returns undefined.
   */
  admitOperation(need: Need, request: ReservingRequest): Promise<void> | undefined;
  /** Reserves more heap for a running operation. False: too few bytes are free. */
  grow(bytes: number): boolean;
  /** Returns bytes that `grow` has reserved. */
  shrink(bytes: number): void;
  /** Reserves more memory for the response of a running operation. False: too few bytes are free. */
  growResponse(bytes: number): boolean;
  /**
   * Reserves memory for a response that is sent part by part. False: too few bytes are free, or the client would have more
   * bytes than are free for all others.
   */
  admitDownload(bytes: number, request: ReservingRequest): boolean;
  /** Call it at the end of the operation. Keeps only the bytes of the response. False: too few bytes are free. */
  settle(responseBytes: number): boolean;
  /** Returns all bytes. A second call does nothing. */
  close(): void;
}

/** The memory that an operation can need. */
export interface Need {
  readonly heapBytes: number;
  readonly responseBytes: number;
}
