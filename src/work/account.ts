// The account of all work in hand, in bytes: a request reserves what it may take, and returns it when it ends.

import { AdmissionLine, type Reserving, type WaitingOptions } from './admission-line.ts';
import type { Need, Reservation } from './reservation.ts';

/** How many bytes all requests of a process may have in hand together. */
export interface AccountSizes {
  readonly heapBytes: number;
  /** outside the heap, for bodies of requests */
  readonly bodyBytes: number;
  /** outside the heap, for responses that clients have yet to read */
  readonly responseBytes: number;
}

export interface WorkAccount {
  /** For a request that has reserved nothing yet. */
  open(): Reservation;
  /** all bytes that are reserved now */
  readonly reservedBytes: number;
  /** Whether requests wait, or are about to be refused, for bytes that slow clients may hold. */
  readonly isWaitedFor: boolean;
}

/** What every request reserves: its head, and what waits for its response. */
const REQUEST_BYTES = 8_000;
/** Work that takes more belongs to the large part. */
const SMALL_BYTES = 256_000;

/** What small work has reserved covers a response up to this size. */
const SMALL_RESPONSE_BYTES = 32_000;

/** Requests that start in one turn of the event loop, of those that have waited. */
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

export function createWorkAccount(sizes: AccountSizes, waiting: WaitingOptions): WorkAccount {
  return new Account(sizes, waiting);
}

class Account implements WorkAccount {
  /** Small work has its own part, so that large work never makes it wait. */
  readonly small: Part;
  readonly large: Part;
  readonly bodies: Part;
  readonly responses: Part;
  readonly smallLine: AdmissionLine;
  readonly bodyLine: AdmissionLine;
  readonly largeLine: AdmissionLine;
  /** the askers of requests that have reserved large work, or wait for it */
  readonly largeWork = new Map<Held, Reserving['requester']>();

  constructor({ heapBytes, bodyBytes, responseBytes }: AccountSizes, waiting: WaitingOptions) {
    this.small = new Part(heapBytes / 4);
    this.large = new Part((heapBytes * 3) / 4);
    this.bodies = new Part(bodyBytes);
    this.responses = new Part(responseBytes);
    const inHand = this.#inHand.bind(this);
    this.smallLine = new AdmissionLine({ ...waiting, mostInATurn: SMALL_IN_A_TURN });
    this.bodyLine = new AdmissionLine({ ...waiting, mostInATurn: BODIES_IN_A_TURN, inHand });
    this.largeLine = new AdmissionLine({ ...waiting, mostInATurn: 1, inHand });
  }

  open(): Reservation {
    return new Held(this);
  }

  get reservedBytes(): number {
    const { small, large, bodies, responses } = this;
    return small.usedBytes + large.usedBytes + bodies.usedBytes + responses.usedBytes;
  }

  get isWaitedFor(): boolean {
    return this.bodyLine.size + this.largeLine.size > 0 || !this.responses.has(this.responses.sizeBytes / 8);
  }

  /** Bytes of large work by client. To identify a client takes time, so it is done only while requests wait. */
  #inHand(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const [{ largeBytes }, { client }] of this.largeWork) {
      bytes.set(client.key, (bytes.get(client.key) ?? 0) + largeBytes);
    }
    return bytes;
  }

  returned(): void {
    this.smallLine.schedule();
    this.bodyLine.schedule();
    this.largeLine.schedule();
  }
}

/** A class with plain fields: every request makes one. */
class Held implements Reservation {
  readonly #account: Account;
  #small = 0;
  #large = 0;
  #body = 0;
  #response = 0;
  #isClosed = false;

  constructor(account: Account) {
    this.#account = account;
  }

  /** Beside what every request has. */
  get largeBytes(): number {
    return this.#large + this.#body + this.#response;
  }

  admitRequest(by: Reserving): Promise<void> | undefined {
    const { smallLine } = this.#account;
    if (smallLine.size === 0 && this.#takeSmall(REQUEST_BYTES)) return undefined;
    return smallLine.wait(by, () => this.#takeSmall(REQUEST_BYTES));
  }

  admitBody(bytes: number, by: Reserving): Promise<void> | undefined {
    const { bodies, bodyLine } = this.#account;
    const needed = Math.min(bytes, bodies.sizeBytes);
    const take = (): boolean => {
      if (!this.#take(bodies, needed)) return false;
      this.#body += needed;
      return true;
    };
    this.#account.largeWork.set(this, by.requester);
    return bodyLine.size === 0 && take() ? undefined : this.#waitIn(bodyLine, by, take);
  }

  admitOperation(need: Need, by: Reserving): Promise<void> | undefined {
    const { smallLine, largeLine } = this.#account;
    if (need.heapBytes > SMALL_BYTES) {
      if (this.#large > 0) return undefined;
      this.#account.largeWork.set(this, by.requester);
      const take = (): boolean => this.#takeLarge(need);
      return largeLine.size === 0 && take() ? undefined : this.#waitIn(largeLine, by, take);
    }
    const more = need.heapBytes + REQUEST_BYTES - this.#small;
    if (more <= 0 || (smallLine.size === 0 && this.#takeSmall(more))) return undefined;
    const all = this.#small + more;
    return this.#waitIn(smallLine, by, () => this.#takeSmall(all));
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
    this.#account.returned();
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

  /** It returns what it has of the small part: many that wait, each with a little, would fill that part. */
  #waitIn(line: AdmissionLine, by: Reserving, take: () => boolean): Promise<void> {
    this.#returnSmall();
    return line.wait(by, take);
  }

  /** After its end a request gets nothing: whatever of it goes on ends. */
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
    this.#account.returned();
  }

  #returnLarge(): void {
    const account = this.#account;
    account.large.usedBytes -= this.#large;
    account.bodies.usedBytes -= this.#body;
    account.responses.usedBytes -= this.#response;
    this.#large = 0;
    this.#body = 0;
    this.#response = 0;
    account.returned();
  }
}
