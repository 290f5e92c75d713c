// Limits the memory for all running requests. A request reserves the bytes that it can need, and returns them at its end.
// If too few bytes are free, the request waits.

import { AdmissionQueue, type Reserving, type WaitingOptions } from './admission-queue.ts';
import type { Need, Reservation } from './reservation.ts';

/** The memory for all requests of a process together. */
export interface WorkMemorySizes {
  readonly heapBytes: number;
  /** outside the heap, for bodies of requests */
  readonly bodyBytes: number;
  /** outside the heap, for responses that clients have not read yet */
  readonly responseBytes: number;
}

/** Every request reserves these bytes, for its headers and its objects. */
const REQUEST_BYTES = 8_000;
/** Work that needs more memory is large work. */
const SMALL_BYTES = 256_000;

/** A response up to this size needs no other memory: the reservation of the request includes it. */
const SMALL_RESPONSE_BYTES = 32_000;

/** The maximum of waiting requests that start in one turn of the event loop. */
const SMALL_PER_TURN = 8;
const BODIES_PER_TURN = 4;

/** A part of the memory. */
class Part {
  readonly sizeBytes: number;
  usedBytes = 0;

  constructor(sizeBytes: number) {
    this.sizeBytes = Math.floor(sizeBytes);
  }

  has(bytes: number): boolean {
    return this.usedBytes + bytes <= this.sizeBytes;
  }
}

/** Other files use only `open`, `reservedBytes` and `isMemoryScarce`. */
export class WorkAccount {
  /** Small work has its own part, so that large work never makes it wait. */
  readonly small: Part;
  readonly large: Part;
  readonly bodies: Part;
  readonly responses: Part;
  readonly smallQueue: AdmissionQueue;
  readonly bodyQueue: AdmissionQueue;
  readonly largeQueue: AdmissionQueue;
  /** the requests that have memory for large work or for a body, or that wait for such memory */
  readonly largeWork = new Map<OpenReservation, Reserving['requester']>();

  constructor({ heapBytes, bodyBytes, responseBytes }: WorkMemorySizes, waiting: WaitingOptions) {
    this.small = new Part(heapBytes / 4);
    this.large = new Part((heapBytes * 3) / 4);
    this.bodies = new Part(bodyBytes);
    this.responses = new Part(responseBytes);
    const reservedByClient = this.#reservedByClient.bind(this);
    this.smallQueue = new AdmissionQueue({ ...waiting, maxPerTurn: SMALL_PER_TURN });
    this.bodyQueue = new AdmissionQueue({ ...waiting, maxPerTurn: BODIES_PER_TURN, reservedByClient });
    this.largeQueue = new AdmissionQueue({ ...waiting, maxPerTurn: 1, reservedByClient });
  }

  /** Makes the reservation of a new request. It has no bytes yet. */
  open(): Reservation {
    return new OpenReservation(this);
  }

  /** all bytes that are reserved now */
  get reservedBytes(): number {
    const { small, large, bodies, responses } = this;
    return small.usedBytes + large.usedBytes + bodies.usedBytes + responses.usedBytes;
  }

  /** Whether requests wait for memory, or less than an eighth of the memory for responses is free. */
  get isMemoryScarce(): boolean {
    return (
      this.bodyQueue.size + this.largeQueue.size > 0 || !this.responses.has(this.responses.sizeBytes / 8)
    );
  }

  /** The reserved bytes of large work. Called only while requests wait, because to identify clients takes time. */
  #reservedByClient(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const [{ largeBytes }, { client }] of this.largeWork) {
      bytes.set(client.key, (bytes.get(client.key) ?? 0) + largeBytes);
    }
    return bytes;
  }

  /** Called when bytes were returned. Then waiting requests can start. */
  onReturn(): void {
    this.smallQueue.schedule();
    this.bodyQueue.schedule();
    this.largeQueue.schedule();
  }
}

/** The reservation of a request. A class, because every request makes one, and a class needs less time and memory. */
class OpenReservation implements Reservation {
  readonly #account: WorkAccount;
  #small = 0;
  #large = 0;
  #body = 0;
  #response = 0;
  #isClosed = false;

  constructor(account: WorkAccount) {
    this.#account = account;
  }

  get largeBytes(): number {
    return this.#large + this.#body + this.#response;
  }

  admitRequest(by: Reserving): Promise<void> | undefined {
    const { smallQueue } = this.#account;
    if (smallQueue.size === 0 && this.#takeSmall(REQUEST_BYTES)) return undefined;
    return smallQueue.wait(by, () => this.#takeSmall(REQUEST_BYTES));
  }

  admitBody(bytes: number, by: Reserving): Promise<void> | undefined {
    const { bodies, bodyQueue } = this.#account;
    const needed = Math.min(bytes, bodies.sizeBytes);
    const take = (): boolean => {
      if (!this.#take(bodies, needed)) return false;
      this.#body += needed;
      return true;
    };
    this.#account.largeWork.set(this, by.requester);
    return bodyQueue.size === 0 && take() ? undefined : this.#waitIn(bodyQueue, by, take);
  }

  admitOperation(need: Need, by: Reserving): Promise<void> | undefined {
    const { smallQueue, largeQueue } = this.#account;
    if (need.heapBytes > SMALL_BYTES) {
      if (this.#large > 0) return undefined;
      this.#account.largeWork.set(this, by.requester);
      const take = (): boolean => this.#takeLarge(need);
      return largeQueue.size === 0 && take() ? undefined : this.#waitIn(largeQueue, by, take);
    }
    const more = need.heapBytes + REQUEST_BYTES - this.#small;
    if (more <= 0 || (smallQueue.size === 0 && this.#takeSmall(more))) return undefined;
    const all = this.#small + more;
    return this.#waitIn(smallQueue, by, () => this.#takeSmall(all));
  }

  grow(bytes: number): boolean {
    if (!this.#take(this.#account.large, bytes)) return false;
    this.#large += bytes;
    return true;
  }

  shrink(bytes: number): void {
    const fewer = Math.min(bytes, this.#large);
    this.#large -= fewer;
    this.#account.large.usedBytes -= fewer;
    this.#account.onReturn();
  }

  growResponse(bytes: number): boolean {
    if (!this.#take(this.#account.responses, bytes)) return false;
    this.#response += bytes;
    return true;
  }

  settle(responseBytes: number): boolean {
    const isLarge = responseBytes > SMALL_RESPONSE_BYTES;
    if (this.largeBytes > 0) this.#returnLarge();
    return !isLarge || this.growResponse(responseBytes);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#small > 0) this.#returnSmall();
    if (this.largeBytes > 0) this.#returnLarge();
    this.#account.largeWork.delete(this);
  }

  /** Returns the bytes of the small part before the wait. Otherwise waiting requests would fill this part. */
  #waitIn(queue: AdmissionQueue, by: Reserving, take: () => boolean): Promise<void> {
    this.#returnSmall();
    return queue.wait(by, take);
  }

  /** False after `close`, so that work that is still running ends. */
  #take(part: Part, bytes: number): boolean {
    if (this.#isClosed || !part.has(bytes)) return false;
    part.usedBytes += bytes;
    return true;
  }

  #takeSmall(bytes: number): boolean {
    if (!this.#take(this.#account.small, bytes)) return false;
    this.#small += bytes;
    return true;
  }

  #takeLarge({ heapBytes, responseBytes }: Need): boolean {
    const { large, responses } = this.#account;
    const heap = Math.min(heapBytes, large.sizeBytes);
    const response = Math.min(responseBytes, responses.sizeBytes);
    if (!responses.has(response) || !this.#take(large, heap)) return false;
    responses.usedBytes += response;
    this.#large += heap;
    this.#response += response;
    return true;
  }

  #returnSmall(): void {
    this.#account.small.usedBytes -= this.#small;
    this.#small = 0;
    this.#account.onReturn();
  }

  #returnLarge(): void {
    const account = this.#account;
    account.large.usedBytes -= this.#large;
    account.bodies.usedBytes -= this.#body;
    account.responses.usedBytes -= this.#response;
    this.#large = 0;
    this.#body = 0;
    this.#response = 0;
    account.onReturn();
  }
}
