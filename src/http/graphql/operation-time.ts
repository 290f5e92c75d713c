// Aborts an operation at its deadline, or when its client aborts the request.

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

  /** @param beginMs when the request arrived, on the clock of `performance.now` */
  constructor(request: Pick<HttpRequest, 'signal'>, deadlineMs: number, beginMs = performance.now()) {
    this.#request = request;
    this.#deadlineMs = deadlineMs;
    this.#begin = beginMs;
  }

  /** Aborts with DEADLINE_EXCEEDED at the deadline. Aborts with an ordinary AbortError when the client aborts. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    // Each look-up can add a listener. Without this line, Node warns of a leak at more than ten listeners.
    setMaxListeners(0, controller.signal);
    const { signal: clientSignal } = this.#request;
    // The reason of the client's signal is not passed on, because an abort by the client is no error of the operation.
    if (clientSignal.aborted) controller.abort();
    else {
      const onAbort = () => {
        this.end();
        controller.abort();
      };
      clientSignal.addEventListener('abort', onAbort, { once: true });
    }
    return controller.signal;
  }

  /** Starts the timer for the deadline. The time has been running since the request arrived. */
  start(): void {
    if (this.signal.aborted) return;
    const abort = () => this.#controller?.abort(deadlineExceeded(this.#deadlineMs));
    this.#timer = setTimeout(abort, Math.max(0, this.#leftMs));
  }

  /** Stops the timer. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** Aborts the look-ups after the operation has failed as a whole. */
  abandon(): void {
    this.end();
    void this.signal; // makes the controller
    this.#controller?.abort(new Abandoned());
  }

  /**
   * Throws the reason of the signal if it is aborted. Throws DEADLINE_EXCEEDED after the deadline, even without a
   * timer.
   */
  throwIfEnded(): void {
    this.signal.throwIfAborted();
    if (this.#leftMs <= 0) throw deadlineExceeded(this.#deadlineMs);
  }

  get #leftMs(): number {
    return this.#begin + this.#deadlineMs - performance.now();
  }
}

function deadlineExceeded(deadlineMs: number): GatewayError {
  return new GatewayError('DEADLINE_EXCEEDED', {
    message: `The operation took longer than the ${deadlineMs} ms that this gateway allows. Request fewer names at once, or try again.`,
  });
}
