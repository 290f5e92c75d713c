// Receives one response from undici and limits its bytes.

import type { Dispatcher } from 'undici';
import { TURNS } from '../turns.ts';
import { failureOfStatus, isDirectoryFailure, tooLarge, type UpstreamFailure } from './upstream-failure.ts';

export interface ResponseHead {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Reads the responses to one kind of request. */
export interface ResponseReader<T> {
  /** value of the `accept` header */
  readonly accept: string;
  /** Maximum size of the body. Default: `maxBytes` of UpstreamResponseOptions. */
  readonly maxBytes?: number;
  /**
   * If false, the gateway skips the body: it receives and drops the bytes. Throws an UpstreamFailure if the response is
   * useless. Then the gateway also skips the body. If a skipped body exceeds MAX_SKIPPED_BYTES, the connection is closed.
   */
  wantsBody(head: ResponseHead): boolean;
  /**
   * Reads the body in two steps. The call of `parse` is the first step, the call of its result is the second. If the body
   * is large, other tasks run between the steps. Both steps throw an UpstreamFailure for an invalid response.
   */
  parse(head: ResponseHead, body: Buffer): () => T;
}

export interface ReadResponse<T> {
  readonly head: ResponseHead;
  readonly answer: T;
}

export interface UpstreamResponseOptions<T> {
  readonly reader: ResponseReader<T>;
  readonly maxBytes: number;
  /** All responses of a host share it. */
  readonly largeBodies: LargeBodies;
  /** Called before the body of a complete response is parsed. Not called if the response is useless or a failure. */
  readonly onComplete: () => void;
}

/** The large bodies of a host come one at a time, because to parse a body needs many times its size in memory. */
export interface LargeBodies {
  /** resolves when the last large body has been parsed or has failed */
  last: Promise<unknown>;
}

/** A body with more bytes than this is large. Most handle records have a few kilobytes. */
export const LARGE_BYTES = 200_000;
/** The gateway receives a skipped body up to this size, because a new connection would cost more. */
const MAX_SKIPPED_BYTES = 65_536;
/** The limit for the head, 1xx responses and trailers. undici does not accept a larger head. */
const MAX_FRAMING_BYTES = 16_384;
/** Each chunk of a body has a line with its length. Very short chunks cost much to parse, so the lines are limited. */
const BODY_BYTES_PER_FRAMING_BYTE = 16;
const NO_MORE_WANTED = new Error('the rest of the body is not wanted');
const NO_BYTES = Buffer.alloc(0);

/** Replaces `request` of undici, because `request` makes a stream. A stream costs more than all other steps of a look-up. */
export class UpstreamResponse<T> implements Dispatcher.DispatchHandler {
  /** Rejects with an UpstreamFailure, the reason of `end`, or an error of the connection. */
  readonly outcome: Promise<ReadResponse<T>>;
  /** called when the request is sent */
  onStart: (() => void) | undefined;
  /** Called when the response no longer uses its connection. `isOpen`: whether the connection is still open. */
  onLeave: ((isOpen: boolean) => void) | undefined;
  readonly #options: UpstreamResponseOptions<T>;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: ResponseHead = { status: 0, headers: {} };
  #isBodyWanted = true;
  /** the error of `wantsBody`: the response is useless */
  #failure: Error | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isLarge = false;
  #isEnded = false;
  /** the reason of `end`, for a request that has not started yet */
  #endReason: Error | undefined;
  #resolve!: (answer: ReadResponse<T>) => void;
  #reject!: (error: unknown) => void;

  constructor(options: UpstreamResponseOptions<T>) {
    this.#options = options;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True if the response is complete or has failed, and after `end`. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ends the request. If it was sent, also ends the connection. Does nothing if the response is complete. */
  end(reason: Error): void {
    if (this.#isEnded) return;
    this.#fail(reason);
    this.#endReason = reason;
    this.#controller?.abort(reason);
  }

  /** Returns how many more bytes may come. Ends the request if too many bytes came outside the body. */
  remainingBytesOrEnd(parsedBytes: number): number {
    const framingBytes = parsedBytes - this.#bytes;
    const remaining = MAX_FRAMING_BYTES + this.#bytes / BODY_BYTES_PER_FRAMING_BYTE - framingBytes;
    if (remaining < 1)
      this.end(tooLarge(`${framingBytes} bytes came beside ${this.#bytes} bytes of the body`));
    return remaining;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.onStart?.();
    // The request ended while it waited for a connection.
    if (this.#endReason !== undefined) controller.abort(this.#endReason);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHead['headers'],
  ): void {
    // The raw headers keep all bytes of the read in memory, and V8 frees such old objects late.
    controller.rawHeaders = null;
    if (status < 200) return;
    this.#head = { status, headers };
    try {
      this.#isBodyWanted = this.#options.reader.wantsBody(this.#head);
    } catch (error) {
      this.#isBodyWanted = false;
      this.#failure = error as Error;
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (!this.#isBodyWanted) {
      if (this.#bytes <= MAX_SKIPPED_BYTES) return;
      this.onResponseEnd();
      controller.abort(NO_MORE_WANTED);
      return;
    }
    this.#chunks.push(chunk);
    const maxBytes = Math.min(
      this.#options.maxBytes,
      this.#options.reader.maxBytes ?? this.#options.maxBytes,
    );
    if (this.#bytes > maxBytes) {
      this.end(tooLarge(`the body is larger than ${maxBytes} bytes`));
    } else if (this.#bytes > LARGE_BYTES && !this.#isLarge) {
      this.#isLarge = true;
      // While the gateway does not read, the directory cannot send more bytes.
      controller.pause();
      const { largeBodies } = this.#options;
      const resumed = largeBodies.last.then(() => (this.#isEnded ? undefined : controller.resume()));
      largeBodies.last = resumed.then(() => this.outcome).then(ignore, ignore);
    }
  }

  onResponseEnd(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // `#complete` must run later, because undici has not finished with this response.
    void RESOLVED.then(() => this.#complete());
  }

  /** Frees the connection (`onLeave`) and the slot in the request queue (`onComplete`) before the body is parsed. */
  #complete(): void {
    this.#leave(true);
    if (this.#failure) {
      this.#fail(this.#failure);
      return;
    }
    const isUsable = !isDirectoryFailure(this.#head.status);
    if (isUsable) this.#options.onComplete();
    if (this.#isLarge) void this.#readInSlices();
    else if (isUsable) TURNS.runLater(() => this.#read());
    else this.#read();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    void RESOLVED.then(() => this.#leave(false));
    if (!this.#isEnded) this.#fail(error);
  }

  #fail(error: Error): void {
    this.#isEnded = true;
    this.#chunks.length = 0;
    this.#reject(this.#failure ?? error);
  }

  #leave(isOpen: boolean): void {
    this.onLeave?.(isOpen);
    this.onLeave = undefined;
  }

  #read(): void {
    try {
      this.#resolve({ head: this.#head, answer: this.#parse()() });
    } catch (error) {
      this.#reject(error);
    }
  }

  /** Other tasks run between the two steps of `parse`. */
  async #readInSlices(): Promise<void> {
    try {
      await TURNS.next(null);
      const read = this.#parse();
      await TURNS.next(null);
      this.#resolve({ head: this.#head, answer: read() });
    } catch (error) {
      this.#reject(error);
    }
  }

  #parse(): () => T {
    // `splice` empties #chunks, so that this object does not keep the bytes in memory after `parse`.
    const chunks = this.#chunks.splice(0);
    const [first = NO_BYTES] = chunks;
    const body = chunks.length > 1 ? Buffer.concat(chunks, this.#bytes) : first;
    return this.#options.reader.parse(this.#head, body);
  }
}

const RESOLVED = Promise.resolve();
const ignore = (): void => {};

/** The failure of a response without a usable body. Only the status and `Retry-After` determine it. */
export function failureOfHead({ status, headers }: ResponseHead): UpstreamFailure {
  return failureOfStatus(status, firstValue(headers['retry-after']));
}

/** The first value of a header that a response can have several times. */
export function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
