// Work within other work, such as the GraphQL operations of a tool: it uses the reservation around it, and never waits.

import type { Need, Reservation } from './account.ts';
import { gatewayBusy } from './admission-line.ts';

/** Its operations take free bytes for as long as they run. Throws GATEWAY_BUSY where none are free. */
export class NestedReservation implements Reservation {
  readonly #outer: Reservation;
  #bytes = 0;

  constructor(outer: Reservation) {
    this.#outer = outer;
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
    if (!this.#outer.grow(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  shrink(bytes: number): void {
    this.#bytes -= bytes;
    this.#outer.shrink(bytes);
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
    this.shrink(this.#bytes);
  }
}
