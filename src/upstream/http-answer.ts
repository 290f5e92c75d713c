// The answer to one request, as undici hands it over: no more of it than is allowed; large ones in turn.

import type { Dispatcher } from 'undici';
import { LARGE_BYTES, type LargeBodies, type ReadSoon } from './reading-turns.ts';
import { isOfDirectory, tooLarge } from './upstream-failure.ts';

export interface AnswerHead {
  readonly status: number;
  /** by their names in lower case, as they came */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How the answer to one kind of question is read. */
export interface AnswerReader<T> {
  /** media types, as the request names them */
  readonly accept: string;
  /** of the body; left out: as many as an answer may have at all */
  readonly maxBytes?: number;
  /**
   * Whether the body is read, as far as its head tells. Else it is passed over, so that the connection can be used
   * again. Throws an UpstreamFailure where nothing of the answer is of use: the connection is closed.
   */
  wantsBody(head: AnswerHead): boolean;
  /**
   * The first of two steps, between which others get their turn where the answer is large; the function it returns
   * is the other. Both throw an UpstreamFailure for what is no answer.
   */
  parse(head: AnswerHead, body: Buffer): () => T;
}

export interface ReadAnswer<T> {
  readonly head: AnswerHead;
  readonly answer: T;
}

export interface HttpAnswerOptions<T> {
  readonly reader: AnswerReader<T>;
  readonly maxBytes: number;
  /** where a body that turns out to be large waits for its turn */
  readonly large: LargeBodies;
  readonly readSoon: ReadSoon;
  /** Is told when all of it is there and says nothing ill of the directory; it is read after that. */
  readonly onWhole: () => void;
}

/** What follows the head of a redirect is a few hundred bytes: a new connection costs more than to read them. */
const MOST_PASSED_OVER_BYTES = 16_384;
/** Of a response with no body: head, 1xx responses, trailers. undici takes no head above 16 kB either. */
const MAX_FRAMING_BYTES = 16_384;
/** Each chunk of a body brings its length. Chunks below 100 bytes cost more to parse than what they hold. */
const BODY_BYTES_PER_FRAMING_BYTE = 16;
const NO_MORE_WANTED = new Error('the rest of the body is not wanted');
const NO_BYTES = Buffer.alloc(0);

/** undici's own `request` makes a stream of each answer, which costs more than all else that is done for a name. */
export class HttpAnswer<T> implements Dispatcher.DispatchHandler {
  /** Rejects with an UpstreamFailure, with what `end` was given, or with an error of the transport. */
  readonly outcome: Promise<ReadAnswer<T>>;
  /** Is called when its connection is done with it, which may be closed. */
  onLeave: ((isOpen: boolean) => void) | undefined;
  readonly #options: HttpAnswerOptions<T>;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: AnswerHead = { status: 0, headers: {} };
  #isBodyWanted = true;
  #controller: Dispatcher.DispatchController | undefined;
  #isLarge = false;
  /** of the large ones the one whose turn it is */
  #isInside = false;
  #isEnded = false;
  #reason: Error | undefined;
  #resolve!: (answer: ReadAnswer<T>) => void;
  #reject!: (error: unknown) => void;

  constructor(options: HttpAnswerOptions<T>) {
    this.#options = options;
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** It has come whole, failed, or was ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Ends the request, and with it its connection where it was sent. Nothing happens where the answer is there. */
  end(reason: Error): void {
    if (this.#isEnded) return;
    this.#fail(reason);
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Head, 1xx responses, chunk lengths and trailers may have a fixed size and a small share of the body's. */
  allowedBytes(parsedBytes: number): number {
    const framingBytes = parsedBytes - this.#bytes;
    const allowed = MAX_FRAMING_BYTES + this.#bytes / BODY_BYTES_PER_FRAMING_BYTE - framingBytes;
    if (allowed < 1) this.end(tooLarge(`${framingBytes} bytes came beside ${this.#bytes} bytes of the body`));
    return allowed;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was ended while it waited for a connection.
    if (this.#reason !== undefined) controller.abort(this.#reason);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHead['headers']): void {
    if (status < 200) return;
    this.#head = { status, headers };
    try {
      this.#isBodyWanted = this.#options.reader.wantsBody(this.#head);
    } catch (error) {
      this.end(error as Error);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (!this.#isBodyWanted) {
      if (this.#bytes <= MOST_PASSED_OVER_BYTES) return;
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
      // What has not been read yet stays with the directory.
      controller.pause();
      void this.#options.large.enter().then(() => {
        this.#isInside = true;
        if (this.#isEnded) this.#leaveLarge();
        else controller.resume();
      });
    }
  }

  onResponseEnd(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // undici is in the middle of an answer.
    void settled.then(() => this.#goOn());
  }

  /** The connection and the slot are at work again before the answer is looked at. */
  #goOn(): void {
    this.#leave(true);
    const isWell = !isOfDirectory(this.#head.status);
    if (isWell) this.#options.onWhole();
    if (this.#isLarge) void this.#readInTurns();
    else if (isWell) this.#options.readSoon(() => this.#read());
    else this.#read();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    void settled.then(() => this.#leave(false));
    if (!this.#isEnded) this.#fail(error);
  }

  #fail(error: Error): void {
    this.#isEnded = true;
    this.#chunks.length = 0;
    this.#leaveLarge();
    this.#reject(error);
  }

  #leave(isOpen: boolean): void {
    this.onLeave?.(isOpen);
    this.onLeave = undefined;
  }

  #leaveLarge(): void {
    if (!this.#isInside) return;
    this.#isInside = false;
    this.#options.large.leave();
  }

  #read(): void {
    try {
      this.#resolve({ head: this.#head, answer: this.#parse()() });
    } catch (error) {
      this.#reject(error);
    }
  }

  /** Lets others go first between two steps that take long. */
  async #readInTurns(): Promise<void> {
    try {
      await nextTurn();
      const read = this.#parse();
      await nextTurn();
      this.#resolve({ head: this.#head, answer: read() });
    } catch (error) {
      this.#reject(error);
    } finally {
      this.#leaveLarge();
    }
  }

  #parse(): () => T {
    // The answer may be kept for long, and its bytes no longer.
    const chunks = this.#chunks.splice(0);
    const [first = NO_BYTES] = chunks;
    const body = chunks.length > 1 ? Buffer.concat(chunks, this.#bytes) : first;
    return this.#options.reader.parse(this.#head, body);
  }
}

const settled = Promise.resolve();
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The first, of a header that came several times. */
export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
