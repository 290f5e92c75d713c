// The answer to one request, as undici hands it over: JSON and no more than is allowed; large ones in turn.

import type { Dispatcher } from 'undici';
import { MalformedRecordError, parseJson } from '../../handle/json.ts';
import { LARGE_BYTES, type LargeBodies } from './large-bodies.ts';
import { badResponse, failureOfStatus } from './upstream-failure.ts';

export interface JsonResponse {
  readonly status: number;
  /** the header as it came */
  readonly retryAfter: string | undefined;
  readonly json: unknown;
}

/** undici's own `request` makes a stream of each answer, which costs more than all else that is done for a name. */
export class JsonAnswer implements Dispatcher.DispatchHandler {
  /** Rejects with an UpstreamFailure, with what `end` was given, or with an error of the transport. */
  readonly whole: Promise<JsonResponse>;
  readonly #maxBytes: number;
  readonly #large: LargeBodies;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #retryAfter: string | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isLarge = false;
  /** of the large ones the one whose turn it is */
  #isInside = false;
  #isEnded = false;
  #reason: Error | undefined;
  #resolve!: (response: JsonResponse) => void;
  #reject!: (error: unknown) => void;

  /** @param large where a body that turns out to be large waits for its turn */
  constructor(maxBytes: number, large: LargeBodies) {
    this.#maxBytes = maxBytes;
    this.#large = large;
    this.whole = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Ends the request, and with it its connection where it was sent. Nothing happens where the answer is there. */
  end(reason: Error): void {
    if (this.#isEnded) return;
    this.#fail(reason);
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was ended while it waited for a connection.
    if (this.#reason !== undefined) controller.abort(this.#reason);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = single(headers['retry-after']);
    if (!isJson(headers['content-type'])) this.end(failureOfStatus(status, this.#retryAfter));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#maxBytes) {
      this.end(badResponse(`the body is larger than ${this.#maxBytes} bytes`));
    } else if (this.#bytes > LARGE_BYTES && !this.#isLarge) {
      this.#isLarge = true;
      // What has not been read yet stays with the directory.
      controller.pause();
      void this.#large.enter().then(() => {
        this.#isInside = true;
        if (this.#isEnded) this.#leave();
        else controller.resume();
      });
    }
  }

  onResponseEnd(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (this.#isLarge) {
      void this.#readInTurns();
      return;
    }
    try {
      this.#resolve(this.#read());
    } catch (error) {
      this.#reject(error);
    }
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (!this.#isEnded) this.#fail(error);
  }

  #fail(error: Error): void {
    this.#isEnded = true;
    this.#chunks.length = 0;
    this.#leave();
    this.#reject(error);
  }

  #leave(): void {
    if (!this.#isInside) return;
    this.#isInside = false;
    this.#large.leave();
  }

  /** Lets others go first between two steps that take long. */
  async #readInTurns(): Promise<void> {
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    try {
      await nextTurn();
      const response = this.#read();
      await nextTurn();
      this.#resolve(response);
    } catch (error) {
      this.#reject(error);
    } finally {
      this.#leave();
    }
  }

  #read(): JsonResponse {
    const status = this.#status;
    const retryAfter = this.#retryAfter;
    try {
      return { status, retryAfter, json: parseJson(textOf(this.#chunks)) };
    } catch (error) {
      if (!(error instanceof MalformedRecordError)) throw error;
      throw isSuccess(status) ? badResponse(error) : failureOfStatus(status, retryAfter);
    }
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  try {
    return UTF_8.decode(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
  } catch {
    throw badResponse('the body is not UTF-8');
  }
}

/** HTML error pages come with any status, so the content type decides whether a body is looked at. */
function isJson(contentType: string | string[] | undefined): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(single(contentType) ?? '');
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
