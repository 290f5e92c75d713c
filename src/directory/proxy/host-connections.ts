// The connections to one host, with one request at a time on each.

import type { Dispatcher } from 'undici';
import { type BoundedSocket, boundSocket } from './bounded-socket.ts';
import { type ConnectionDispatcherOptions, createConnectionDispatchers } from './connection-dispatcher.ts';
import { PARSING_TURNS } from './parsing-turns.ts';

export interface HostConnectionsOptions extends ConnectionDispatcherOptions {
  readonly most: number;
}

/** What is told of a request how it goes, and tells by `onLeave` that its connection can be used again. */
export interface SentAnswer extends Dispatcher.DispatchHandler {
  readonly isEnded: boolean;
  onLeave: ((isOpen: boolean) => void) | undefined;
  /** How many more bytes of the socket may be parsed, after `parsedBytes`. Ends the request at zero. */
  allowedBytes(parsedBytes: number): number;
  end(reason: Error): void;
}

/** One connection at a time, made again when it has ended, and the request that is sent on it. */
interface Connection {
  readonly dispatcher: Dispatcher;
  socket: BoundedSocket | null;
  /** null: no request waits for the bytes that arrive now */
  answer: SentAnswer | null;
}

export interface HostConnections {
  /** Sends a request, which names the origin, as soon as there is a connection for it. */
  send(request: Dispatcher.DispatchOptions, answer: SentAnswer): void;
  /** Ends all that is under way. */
  close(): Promise<void>;
}

const CLOSED = new Error('the connections were closed');

/**
 * undici's own Pool gives a connection to the next request no sooner than all answers that came with the last one have
 * been worked on: with a burst of 64 the first waits for the other 63, and all are sent, and answered, together again.
 */
export function createHostConnections(options: HostConnectionsOptions): HostConnections {
  const { most } = options;
  const createDispatcher = createConnectionDispatchers(options);
  const connections: Connection[] = [];
  /** used last, taken first: it is not idle long enough to be closed by the other side */
  const free: Connection[] = [];
  const waiting: { readonly request: Dispatcher.DispatchOptions; readonly answer: SentAnswer }[] = [];
  let isClosed = false;

  function findFree(): Connection | undefined {
    const known = free.pop();
    if (known !== undefined || connections.length >= most) return known;
    const allowedBytes = (parsedBytes: number): number => connection.answer?.allowedBytes(parsedBytes) ?? 0;
    const dispatcher = createDispatcher((socket) => {
      connection.socket = boundSocket(socket, allowedBytes, PARSING_TURNS);
    });
    const connection: Connection = { dispatcher, socket: null, answer: null };
    connections.push(connection);
    return connection;
  }

  function dispatch(connection: Connection, request: Dispatcher.DispatchOptions, answer: SentAnswer): void {
    answer.onLeave = (isOpen) => leave(connection, isOpen);
    connection.answer = answer;
    connection.socket?.startCount();
    connection.dispatcher.dispatch(request, answer);
  }

  function leave(connection: Connection, isOpen: boolean): void {
    connection.answer = null;
    free.splice(isOpen ? free.length : 0, 0, connection);
    sendWaiting();
  }

  function sendWaiting(): void {
    while (waiting.length > 0) {
      if (waiting[0]?.answer.isEnded) {
        waiting.shift();
        continue;
      }
      const connection = findFree();
      if (connection === undefined) return;
      const next = waiting.shift();
      if (next) dispatch(connection, next.request, next.answer);
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
    async close() {
      isClosed = true;
      for (const { answer } of waiting.splice(0)) answer.end(CLOSED);
      await Promise.all(connections.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}
