import { gatewayBusy, type Reserving } from './admission-line.ts';

// Work within other work, such as the GraphQL operations of a tool: it uses the reservation around it, and never waits.

/** What the work around it has reserved for all that is nested, and what of that is in use. */
interface NestedBytes {
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

/**
 * What one request has in hand. Methods that admit return undefined where the bytes were free, else a promise that
 * resolves when they are; it rejects with GATEWAY_BUSY at the deadline, and with the reason of the client's signal.
 */
export interface Reservation {
  /** Admits the request itself. */
  admitRequest(by: Reserving): Promise<void> | undefined;
  /** Admits a body before it is read. */
  admitBody(bytes: number, by: Reserving): Promise<void> | undefined;
  /**
   * Admits an operation before it starts. While it waits it has nothing on the heap but the request: what was read
   * has to be read again. An operation that is admitted already is admitted at once.
   */
  admitOperation(need: Need, by: Reserving): Promise<void> | undefined;
  /** More bytes on the heap, for an operation under way. False: none are free. */
  grow(bytes: number): boolean;
  /** Returns bytes by which it has grown. */
  shrink(bytes: number): void;
  /** More bytes of the response, for an operation under way. False: none are free. */
  growResponse(bytes: number): boolean;
  /** The operation has ended: only its response is left. False: there are not enough bytes for that. */
  settle(responseBytes: number): boolean;
  /** Returns all bytes. The second time it does nothing. */
  close(): void;
}

/** What an operation may take. */
export interface Need {
  readonly heapBytes: number;
  readonly responseBytes: number;
}
