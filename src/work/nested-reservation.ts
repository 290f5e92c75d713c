// Work within other work, such as the GraphQL operations of a tool: it uses the reservation around it, and never waits.

import { gatewayBusy } from './admission-line.ts';
import type { Need, Reservation } from './reservation.ts';

/** What the work around it has reserved for all that is nested, and what of that is in use. */
export interface NestedBytes {
  readonly reservedBytes: number;
  usedBytes: number;
}

/** It takes free bytes for what goes beyond the reservation. Throws GATEWAY_BUSY where none are free. */
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
    // The response becomes objects at once.
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

  /** What the operation returned belongs to the work around it, which is to keep little of it. */
  settle(): boolean {
    this.close();
    return true;
  }

  close(): void {
    this.shrink(this.#grownBytes + this.#usedBytes);
  }
}
