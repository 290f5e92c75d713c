// How long an operation may take: until its deadline, or until its client is gone.

import { setMaxListeners } from 'node:events';
import { GatewayError } from '../errors.ts';
import type { HttpRequest } from './exchange.ts';

export interface OperationTime {
  /** Aborted with DEADLINE_EXCEEDED at the deadline, and when the client is gone. Made when it is first asked for. */
  readonly signal: () => AbortSignal;
  /** The deadline counts from the operation's beginning; an operation that is done at once needs no timer. */
  start(): void;
  end(): void;
  readonly throwIfEnded: () => void;
}

export function createOperationTime(request: HttpRequest, deadlineMs: number): OperationTime {
  const begin = performance.now();
  let controller: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined;

  function signal(): AbortSignal {
    if (controller) return controller.signal;
    const made = new AbortController();
    controller = made;
    // Every name of the operation waits on it; to Node more than ten listeners look like a leak.
    setMaxListeners(0, made.signal);
    const { signal: gone } = request;
    if (gone.aborted) made.abort(gone.reason);
    else gone.addEventListener('abort', () => made.abort(gone.reason), { once: true });
    return made.signal;
  }

  const leftMs = (): number => begin + deadlineMs - performance.now();

  return {
    signal,
    start() {
      const aborted = signal();
      if (!aborted.aborted) timer = setTimeout(() => controller?.abort(exceeded(deadlineMs)), leftMs());
    },
    end: () => clearTimeout(timer),
    throwIfEnded() {
      signal().throwIfAborted();
      if (leftMs() <= 0) throw exceeded(deadlineMs);
    },
  };
}

function exceeded(deadlineMs: number): GatewayError {
  return new GatewayError('DEADLINE_EXCEEDED', {
    message: `The operation took longer than the ${deadlineMs} ms that this gateway allows. Ask for fewer names at once, or try again.`,
  });
}
