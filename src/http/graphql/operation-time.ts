// How long an operation may take: until its deadline, or until its client is gone.

import { setMaxListeners } from 'node:events';
import { GatewayError } from '../../errors.ts';
import { Abandoned } from '../../loaders/look-up-starter.ts';
import type { HttpRequest } from '../request/exchange.ts';

/** Makes nothing before it is needed: an operation that is done at once needs no signal and no timer. */
export class OperationTime {
  readonly #request: Pick<HttpRequest, 'signal'>;
  readonly #deadlineMs: number;
  readonly #begin: number;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param beginMs when the request came, by `performance.now` */
  constructor(request: Pick<HttpRequest, 'signal'>, deadlineMs: number, beginMs = performance.now()) {
    this.#request = request;
    this.#deadlineMs = deadlineMs;
    this.#begin = beginMs;
  }

  /** Aborted with DEADLINE_EXCEEDED at the deadline, and when the client is gone. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const made = new AbortController();
    this.#controller = made;
    // Every name of the operation waits on it; to Node more than ten listeners look like a leak.
    setMaxListeners(0, made.signal);
    const { signal: gone } = this.#request;
    // Why it is gone is its own affair: to the operation it is the end of a wait, and no error.
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

  /** From now on the deadline is watched for; it counts from the operation's beginning. */
  start(): void {
    if (this.signal.aborted) return;
    const end = () => this.#controller?.abort(exceeded(this.#deadlineMs));
    this.#timer = setTimeout(end, Math.max(0, this.#leftMs));
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** The operation has failed as a whole: what it still waits for is of no use. */
  abandon(): void {
    this.end();
    void this.signal;
    this.#controller?.abort(new Abandoned());
  }

  /** Throws the signal's reason. */
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
