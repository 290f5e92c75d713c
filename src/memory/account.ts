// Limits the memory for all running requests. A request reserves the bytes that it can need, and returns them at its end.
// If too few bytes are free, the request waits.

import { AdmissionQueue, type ReservingRequest, type WaitingOptions } from './admission-queue.ts';
import { MemoryShare } from './memory-share.ts';
import type { MemorySizes } from './memory-sizes.ts';
import type { Need, Reservation } from './reservation.ts';
import { RESERVED_BYTES } from './reserved-bytes.ts';

/** Downloads leave this part of the memory for responses, one of so many, to other responses. */
const KEPT_SHARE = 16;

/**
 * This share of the memory for small operations is for clients that have reserved less than a part of it. So a client with
 * hundreds of requests that wait for the directory never makes other clients wait.
 */
const NEWCOMER_SHARE = 1 / 8;
const NEWCOMER_PART = 1 / 8;

/** The memory for all requests, in five parts. Other files use only `open`, `heads`, `reservedBytes` and `isMemoryScarce`. */
export class MemoryAccount {
  /** Small operations have their own part, so that large operations never make them wait. */
  readonly smallHeap: MemoryShare;
  readonly largeHeap: MemoryShare;
  /** What connections hold before a request runs. Half of the small part, so that heads never fill the small part. */
  readonly heads: MemoryShare;
  readonly bodies: MemoryShare;
  readonly responses: MemoryShare;
  readonly smallQueue: AdmissionQueue;
  readonly bodyQueue: AdmissionQueue;
  readonly largeQueue: AdmissionQueue;
  /** the requests that have memory for a large operation or for a body, or that wait for such memory */
  readonly largeReservations: OpenReservations = new Map();
  /** the requests that have memory for a small operation */
  readonly smallReservations: OpenReservations = new Map();

  constructor({ heapBytes, bodyBytes, responseBytes }: MemorySizes, waiting: WaitingOptions) {
    this.smallHeap = new MemoryShare(heapBytes / 4);
    this.largeHeap = new MemoryShare((heapBytes * 3) / 4);
    this.heads = new MemoryShare(heapBytes / 8);
    this.bodies = new MemoryShare(bodyBytes);
    this.responses = new MemoryShare(responseBytes);
    const reservedByClient = (): ReadonlyMap<string, number> =>
      bytesByClient(this.largeReservations, 'largeBytes');
    this.smallQueue = new AdmissionQueue({
      ...waiting,
      reservedByClient: () => bytesByClient(this.smallReservations, 'smallBytes'),
    });
    this.bodyQueue = new AdmissionQueue({ ...waiting, reservedByClient });
    this.largeQueue = new AdmissionQueue({ ...waiting, reservedByClient });
  }

  /** Makes the reservation of a new request. It has no bytes yet. */
  open(): Reservation {
    return new OpenReservation(this);
  }

  /** the bytes that all requests have reserved now */
  get reservedBytes(): number {
    const { smallHeap, largeHeap, heads, bodies, responses } = this;
    return [smallHeap, largeHeap, heads, bodies, responses].reduce((sum, part) => sum + part.usedBytes, 0);
  }

  /** Whether requests wait for memory, or less than an eighth of the memory for responses is free. */
  get isMemoryScarce(): boolean {
    return (
      this.bodyQueue.size + this.largeQueue.size > 0 || !this.responses.has(this.responses.sizeBytes / 8)
    );
  }

  /** The bytes that the client's requests have reserved for responses. */
  responseBytesOf(client: string): number {
    return bytesByClient(this.largeReservations, 'responseBytes').get(client) ?? 0;
  }

  /** Whether the memory for small operations has enough bytes for this client. */
  hasSmall(bytes: number, requester: ReservingRequest['requester']): boolean {
    const { smallHeap, smallReservations } = this;
    const newcomerBytes = smallHeap.sizeBytes * NEWCOMER_SHARE;
    if (smallHeap.has(bytes + newcomerBytes)) return true;
    const ownBytes = bytesByClient(smallReservations, 'smallBytes').get(requester.client.key) ?? 0;
    return ownBytes + bytes <= newcomerBytes * NEWCOMER_PART && smallHeap.has(bytes);
  }

  /** Must be called when bytes were returned. Then waiting requests can start. */
  onReturn(): void {
    this.smallQueue.schedule();
    this.bodyQueue.schedule();
    this.largeQueue.schedule();
  }
}

type OpenReservations = Map<OpenReservation, ReservingRequest['requester']>;

/** Call it only while little memory is free, because to identify clients takes time. */
function bytesByClient(
  reservations: OpenReservations,
  kind: 'smallBytes' | 'largeBytes' | 'responseBytes',
): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const [reservation, { client }] of reservations) {
    bytes.set(client.key, (bytes.get(client.key) ?? 0) + reservation[kind]);
  }
  return bytes;
}

/** The reservation of a request. A class, because every request makes one, and a class needs less time and memory. */
class OpenReservation implements Reservation {
  readonly #account: MemoryAccount;
  #smallBytes = 0;
  #largeHeapBytes = 0;
  #bodyBytes = 0;
  #responseBytes = 0;
  #isClosed = false;

  constructor(account: MemoryAccount) {
    this.#account = account;
  }

  get smallBytes(): number {
    return this.#smallBytes;
  }

  get largeBytes(): number {
    return this.#largeHeapBytes + this.#bodyBytes + this.#responseBytes;
  }

  get responseBytes(): number {
    return this.#responseBytes;
  }

  admitRequest(request: ReservingRequest): Promise<void> | undefined {
    return this.#admitSmall(RESERVED_BYTES.request, request);
  }

  admitBody(bytes: number, request: ReservingRequest): Promise<void> | undefined {
    const { bodies, bodyQueue } = this.#account;
    const needed = Math.min(bytes, bodies.sizeBytes);
    const take = (): boolean => {
      if (!this.#take(bodies, needed)) return false;
      this.#bodyBytes += needed;
      return true;
    };
    this.#account.largeReservations.set(this, request.requester);
    return bodyQueue.size === 0 && take() ? undefined : this.#waitIn(bodyQueue, request, take);
  }

  admitOperation(need: Need, request: ReservingRequest): Promise<void> | undefined {
    const { largeQueue } = this.#account;
    if (need.heapBytes > RESERVED_BYTES.smallOperation) {
      if (this.#largeHeapBytes > 0) return undefined;
      this.#account.largeReservations.set(this, request.requester);
      const take = (): boolean => this.#takeLarge(need);
      return largeQueue.size === 0 && take() ? undefined : this.#waitIn(largeQueue, request, take);
    }
    const more = need.heapBytes + RESERVED_BYTES.request - this.#smallBytes;
    return more <= 0 ? undefined : this.#admitSmall(more, request);
  }

  grow(bytes: number): boolean {
    if (!this.#take(this.#account.largeHeap, bytes)) return false;
    this.#largeHeapBytes += bytes;
    return true;
  }

  shrink(bytes: number): void {
    const fewer = Math.min(bytes, this.#largeHeapBytes);
    this.#largeHeapBytes -= fewer;
    this.#account.largeHeap.usedBytes -= fewer;
    this.#account.onReturn();
  }

  growResponse(bytes: number): boolean {
    if (!this.#take(this.#account.responses, bytes)) return false;
    this.#responseBytes += bytes;
    return true;
  }

  admitDownload(bytes: number, { requester }: ReservingRequest): boolean {
    const account = this.#account;
    const { sizeBytes, usedBytes } = account.responses;
    const freeBytes = sizeBytes - usedBytes - sizeBytes / KEPT_SHARE;
    if (account.responseBytesOf(requester.client.key) + bytes > freeBytes) return false;
    account.largeReservations.set(this, requester);
    return this.growResponse(bytes);
  }

  settle(responseBytes: number): boolean {
    const isLarge = responseBytes > RESERVED_BYTES.smallResponse;
    if (this.largeBytes > 0) this.#returnLarge();
    return !isLarge || this.growResponse(responseBytes);
  }

  close(): void {
    this.#isClosed = true;
    if (this.#smallBytes > 0) this.#returnSmall();
    if (this.largeBytes > 0) this.#returnLarge();
    this.#account.largeReservations.delete(this);
  }

  /** Returns the bytes of the small part before the wait. Otherwise waiting requests would fill this part. */
  #waitIn(queue: AdmissionQueue, request: ReservingRequest, take: () => boolean): Promise<void> {
    this.#returnSmall();
    return queue.wait(request, take);
  }

  /** Returns false after `close`, so that an operation that still runs ends. */
  #take(part: MemoryShare, bytes: number): boolean {
    if (this.#isClosed || !part.has(bytes)) return false;
    part.usedBytes += bytes;
    return true;
  }

  #admitSmall(bytes: number, request: ReservingRequest): Promise<void> | undefined {
    const { smallQueue } = this.#account;
    if (smallQueue.size === 0 && this.#takeSmall(bytes, request)) return undefined;
    const all = this.#smallBytes + bytes;
    return this.#waitIn(smallQueue, request, () => this.#takeSmall(all, request));
  }

  #takeSmall(bytes: number, { requester }: ReservingRequest): boolean {
    const account = this.#account;
    if (!account.hasSmall(bytes, requester) || !this.#take(account.smallHeap, bytes)) return false;
    account.smallReservations.set(this, requester);
    this.#smallBytes += bytes;
    return true;
  }

  #takeLarge({ heapBytes, responseBytes }: Need): boolean {
    const { largeHeap, responses } = this.#account;
    const heap = Math.min(heapBytes, largeHeap.sizeBytes);
    const response = Math.min(responseBytes, responses.sizeBytes);
    if (!responses.has(response) || !this.#take(largeHeap, heap)) return false;
    responses.usedBytes += response;
    this.#largeHeapBytes += heap;
    this.#responseBytes += response;
    return true;
  }

  #returnSmall(): void {
    this.#account.smallReservations.delete(this);
    this.#account.smallHeap.usedBytes -= this.#smallBytes;
    this.#smallBytes = 0;
    this.#account.onReturn();
  }

  #returnLarge(): void {
    const account = this.#account;
    account.largeHeap.usedBytes -= this.#largeHeapBytes;
    account.bodies.usedBytes -= this.#bodyBytes;
    account.responses.usedBytes -= this.#responseBytes;
    this.#largeHeapBytes = 0;
    this.#bodyBytes = 0;
    this.#responseBytes = 0;
    account.onReturn();
  }
}
