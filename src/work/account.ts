// The account of all work in hand, in bytes. A request reserves the memory that it may need, and returns it at its end.

import { AdmissionQueue, type Reserving, type WaitingOptions } from './admission-queue.ts';
import type { Need, Reservation } from './reservation.ts';

/** The memory for all requests of a process together. */
export interface WorkMemorySizes {
  readonly heapBytes: number;
  /** outside the heap, for bodies of requests */
  readonly bodyBytes: number;
  /** outside the heap, for responses that clients have yet to read */
  readonly responseBytes: number;
}

export interface WorkAccount {
  /** Makes the empty reservation of a new request. */
  open(): Reservation;
  /** all bytes that are reserved now */
  readonly reservedBytes: number;
  /** Whether requests wait for memory, or memory for responses is scarce. Slow clients may hold this memory. */
  readonly isMemoryScarce: boolean;
}

/** Every request reserves this, for its headers and its objects. */
const REQUEST_BYTES = 8_000;
/** Work that needs more memory than this is large work. */
const SMALL_BYTES = 256_000;

/** The reservation of small work includes a response up to this size. */
const SMALL_RESPONSE_BYTES = 32_000;

/** Waiting requests that start in one turn of the event loop. */
const SMALL_IN_A_TURN = 8;
const BODIES_IN_A_TURN = 4;

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

export function createWorkAccount(sizes: WorkMemorySizes, waiting: WaitingOptions): WorkAccount {
  return new Account(sizes, waiting);
}

class Account implements WorkAccount {
  /** Small work has its own part, so that large work never makes it wait. */
  readonly small: Part;
  readonly large: Part;
  readonly bodies: Part;
  readonly responses: Part;
  readonly smallQueue: AdmissionQueue;
  readonly bodyQueue: AdmissionQueue;
  readonly largeQueue: AdmissionQueue;
  /** by reservation: the requester, if the request has reserved large work or waits for it */
  readonly largeWork = new Map<OpenReservation, Reserving['requester']>();

  constructor({ heapBytes, bodyBytes, responseBytes }: WorkMemorySizes, waiting: WaitingOptions) {
    this.small = new Part(heapBytes / 4);
    this.large = new Part((heapBytes * 3) / 4);
    this.bodies = new Part(bodyBytes);
    this.responses = new Part(responseBytes);
    const inHand = this.#inHand.bind(this);
    this.smallQueue = new AdmissionQueue({ ...waiting, mostInATurn: SMALL_IN_A_TURN });
    this.bodyQueue = new AdmissionQueue({ ...waiting, mostInATurn: BODIES_IN_A_TURN, inHand });
    this.largeQueue = new AdmissionQueue({ ...waiting, mostInATurn: 1, inHand });
  }

  open(): Reservation {
    return new OpenReservation(this);
  }

  get reservedBytes(): number {
    const { small, large, bodies, responses } = this;
    return small.usedBytes + large.usedBytes + bodies.usedBytes + responses.usedBytes;
  }

  get isMemoryScarce(): boolean {
    return (
      this.bodyQueue.size + this.largeQueue.size > 0 || !this.responses.has(this.responses.sizeBytes / 8)
    );
  }

  /** Bytes of large work by client. Called only while requests wait, because it takes time to identify a client. */
  #inHand(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const [{ largeBytes }, { client }] of this.largeWork) {
      bytes.set(client.key, (bytes.get(client.key) ?? 0) + largeBytes);
    }
    return bytes;
  }

  /** Bytes were returned, so waiting requests may start. */
  onReturn(): void {
    this.smallQueue.schedule();
    this.bodyQueue.schedule();
    this.largeQueue.schedule();
  }
}

/** A class with plain fields, because every request makes one. */
class OpenReservation implements Reservation {
  readonly #account: Account;
  #small = 0;
  #large = 0;
  #body = 0;
  #response = 0;
  #isClosed = false;

  constructor(account: Account) {
    this.#account = account;
  }

  /** The reserved bytes without the part for small work. */
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

  /** Returns the bytes of the small part first. Otherwise many waiting requests would fill this part. */
  #waitIn(queue: AdmissionQueue, by: Reserving, take: () => boolean): Promise<void> {
    this.#returnSmall();
    return queue.wait(by, take);
  }

  /** After `close`, a request gets no bytes, so that its remaining work ends. */
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
