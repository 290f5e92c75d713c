import type { Reserving } from './admission-line.ts';

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
