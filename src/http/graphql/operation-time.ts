// How long an operation may take: until its deadline, or until its client leaves.

import { setMaxListeners } from 'node:events';
import { GatewayError } from '../../errors.ts';
import { Abandoned } from '../../loaders/look-up-starter.ts';
import type { HttpRequest } from '../request/exchange.ts';

/** Makes the signal and the timer at first use, because an operation that ends synchronously needs neither. */
export class OperationTime {
  readonly #request: Pick<HttpRequest, 'signal'>;
  readonly #deadlineMs: number;
  readonly #begin: number;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param beginMs when the request arrived, by `performance.now` */
  constructor(request: Pick<HttpRequest, 'signal'>, deadlineMs: number, beginMs = performance.now()) {
    this.#request = request;
    this.#deadlineMs = deadlineMs;
    this.#begin = beginMs;
  }

  /** Aborted with DEADLINE_EXCEEDED at the deadline. Aborted without this error when the client leaves. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const made = new AbortController();
    this.#controller = made;
    // Every name of the operation may add a listener. Node warns of a leak at more than ten.
    setMaxListeners(0, made.signal);
    const { signal: gone } = this.#request;
    // The reason of the client's signal is not passed on: for the operation it is no error.
    if (gone.aborted) made.abort();
    else {
      const leave = () => {
        this.end();
        made.abort();
      };
      gone.addEventListener('abort', leave, { once: true });
    }
    return made.signal;
  }

  /** Sets the timer of the deadline. The deadline counts from the arrival of the request. */
  start(): void {
    if (this.signal.aborted) return;
    const end = () => this.#controller?.abort(exceeded(this.#deadlineMs));
    this.#timer = setTimeout(end, Math.max(0, this.#leftMs));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Aborts the look-ups of an operation that has failed as a whole. */
  abandon(): void {
    this.end();
    void this.signal;
    this.#controller?.abort(new Abandoned());
  }

  /** Throws the signal's reason if the operation was aborted, or DEADLINE_EXCEEDED after the deadline. */
  throwIfEnded(): void {
    this.signal.throwIfAborted();
    if (this.#leftMs <= 0) throw exceeded(this.#deadlineMs);
  }

  get #leftMs(): number {
    return this.#begin + this.#deadlineMs - performance.now();
  }
}

function exceeded(deadlineMs: number): GatewayError {
  return new GatewayError('DEADLINE_EXCEEDED', {
    message: `The operation took longer than the ${deadlineMs} ms that this gateway allows. Ask for fewer names at once, or try again.`,
  });
}
