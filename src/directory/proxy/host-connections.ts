// The connections to one host, with one request at a time on each.

import type { LookupFunction } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

export interface HostConnectionsOptions {
  readonly origin: string;
  readonly most: number;
  /** finds the addresses of the host; left out: as Node does */
  readonly lookup?: LookupFunction | undefined;
}

/** What is told of a request how it goes, and tells by `onLeave` that its connection can be used again. */
export interface SentAnswer extends Dispatcher.DispatchHandler {
  readonly isEnded: boolean;
  onLeave: ((isOpen: boolean) => void) | undefined;
  end(reason: Error): void;
}

export interface HostConnections {
  /** Sends a request as soon as there is a connection for it. */
  send(request: Dispatcher.DispatchOptions, answer: SentAnswer): void;
  /** whether a connection was ever made */
  readonly hasConnected: boolean;
  /** Ends all that is under way. */
  close(): Promise<void>;
}

const CLOSED = new Error('the connections were closed');

/**
 * undici's own Pool gives a connection to the next request no sooner than all answers that came with the last one have
 * been worked on: with a burst of 64 the first waits for the other 63, and all are sent, and answered, together again.
 */
export function createHostConnections({ origin, most, lookup }: HostConnectionsOptions): HostConnections {
  // One time-out rules each attempt as a whole, so undici's own are off.
  const connect = buildConnector({ timeout: 0, ...(lookup && { lookup }) });
  const clients: Client[] = [];
  /** used last, taken first: it is not idle long enough to be closed by the other side */
  const free: Client[] = [];
  const waiting: { readonly request: Dispatcher.DispatchOptions; readonly answer: SentAnswer }[] = [];
  let isClosed = false;
  let hasConnected = false;

  function findFree(): Client | undefined {
    const known = free.pop();
    if (known !== undefined || clients.length >= most) return known;
    const client = new Client(origin, { connect, headersTimeout: 0, bodyTimeout: 0 });
    client.once('connect', () => {
      hasConnected = true;
    });
    clients.push(client);
    return client;
  }

  function dispatch(client: Client, request: Dispatcher.DispatchOptions, answer: SentAnswer): void {
    answer.onLeave = (isOpen) => leave(client, isOpen);
    client.dispatch(request, answer);
  }

  function leave(client: Client, isOpen: boolean): void {
    free.splice(isOpen ? free.length : 0, 0, client);
    sendWaiting();
  }

  function sendWaiting(): void {
    while (waiting.length > 0) {
      if (waiting[0]?.answer.isEnded) {
        waiting.shift();
        continue;
      }
      const client = findFree();
      if (client === undefined) return;
      const next = waiting.shift();
      if (next) dispatch(client, next.request, next.answer);
    }
  }

  return {
    send(request, answer) {
      if (isClosed) answer.end(CLOSED);
      else {
        waiting.push({ request, answer });
        sendWaiting();
      }
    },
    get hasConnected() {
      return hasConnected;
    },
    async close() {
      isClosed = true;
      for (const { answer } of waiting.splice(0)) answer.end(CLOSED);
      await Promise.all(clients.map((client) => client.destroy()));
    },
  };
}
