// Limits the memory for heads of requests, which Node parses before the gateway can reserve memory. A head waits for its
// client while it is unfinished, while its body is missing, or while the client has not read an earlier response.

import type { IncomingMessage } from 'node:http';
import type { MemoryShare } from '../../memory/memory-share.ts';
import { arrivingBytes, MAX_HEADERS } from '../../memory/memory-sizes.ts';
import { RESERVED_BYTES } from '../../memory/reserved-bytes.ts';
import type { ConnectedClient, Connection } from './connection.ts';

/** The shortest header has a name, a colon and a line end. */
const MIN_HEADER_BYTES = 4;

/** At the limit, this share of the memory becomes free. Otherwise each further head would start a search. */
const FREED_SHARE = 1 / 8;

/** The characters of the target, and of all names and values. */
export function charactersOf({ rawHeaders, url = '' }: IncomingMessage): number {
  let characters = url.length;
  for (const text of rawHeaders) characters += text.length;
  return characters;
}

/** The account has the bytes of longer responses. */
function unreadBytes({ socket: { writableLength } }: Connection): number {
  return writableLength <= RESERVED_BYTES.smallResponse ? writableLength : 0;
}

/** @param end ends a connection, and calls `forget` */
export function createHeadLimiter(
  memory: Pick<MemoryShare, 'sizeBytes' | 'usedBytes'>,
  clients: ReadonlyMap<string, ConnectedClient>,
  end: (connection: Connection) => void,
) {
  let waitingBytes = 0;
  let runningBytes = 0;
  /** False after a search that could end no connection. The next measurement allows the next search. */
  let canSearch = true;

  function addWaiting(connection: Connection, bytes: number): void {
    if (connection.isForgotten) return;
    connection.waitingBytes += bytes;
    connection.client.waitingBytes += bytes;
    waitingBytes += bytes;
    memory.usedBytes += bytes;
    if (waitingBytes > memory.sizeBytes && bytes > 0 && canSearch) makeRoom();
  }

  function addRunning(connection: Connection, bytes: number): void {
    if (connection.isForgotten) return;
    connection.runningBytes += bytes;
    connection.client.runningBytes += bytes;
    runningBytes += bytes;
    memory.usedBytes += bytes;
  }

  /** Ends connections of the client with the most bytes: first the largest, then those that have waited longest. */
  function makeRoom(): void {
    const goalBytes = memory.sizeBytes * (1 - FREED_SHARE);
    const byBytes = [...clients.values()].sort((a, b) => b.waitingBytes - a.waitingBytes);
    canSearch = false;
    for (const client of byBytes) {
      const waiting = [...client.connections]
        // If the gateway itself makes a body wait, the client is not the cause.
        .filter((connection) => connection.waitingBytes > 0 && !connection.body.request?.isHeld)
        .sort((a, b) => b.waitingBytes - a.waitingBytes || a.sinceMs - b.sinceMs);
      for (const connection of waiting) {
        end(connection);
        canSearch = waitingBytes <= goalBytes;
        if (canSearch) return;
      }
    }
  }

  return {
    addWaiting,
    /** Counts the head of a request. Returns false if its client, or all clients, have too many large heads. */
    begin(connection: Connection, bytes: number): boolean {
      const largeBytes = Math.max(0, bytes - RESERVED_BYTES.request);
      addRunning(connection, largeBytes);
      if (largeBytes === 0) return true;
      return connection.client.runningBytes <= memory.sizeBytes / 2 && runningBytes <= memory.sizeBytes;
    },
    /** Call it when the response is written. */
    finish(connection: Connection, bytes: number): void {
      if (bytes > RESERVED_BYTES.request) addRunning(connection, RESERVED_BYTES.request - bytes);
    },
    /** Measures the heads that are arriving, and short responses that wait for their client. Call it several times in a second. */
    measure(): void {
      canSearch = true;
      for (const { connections } of clients.values()) {
        for (const connection of connections) {
          const characters = connection.measureUnparsed();
          const headers = Math.min(characters / MIN_HEADER_BYTES, MAX_HEADERS);
          const bytes = arrivingBytes(characters, headers) + unreadBytes(connection);
          if (bytes !== connection.unfinishedBytes)
            addWaiting(connection, bytes - connection.unfinishedBytes);
          connection.unfinishedBytes = bytes;
        }
      }
    },
    forget(connection: Connection): void {
      addWaiting(connection, -connection.waitingBytes);
      addRunning(connection, -connection.runningBytes);
    },
  };
}
