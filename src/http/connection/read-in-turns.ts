// Reads from connections in turns. Node reads from all connections that have data in one turn of the event loop, and
// parses all requests in it at once: one read of 64 kB with large heads takes as long as hundreds of small requests.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { TURNS } from '../../turns.ts';

/** To read from a connection counts this, because Node reads after the turn. */
const READ_MS = 0.5;

/** Connections from which nothing is read, because a stop first accepts all that wait. The stop removes them. */
export const heldConnections = new WeakSet<Socket>();

export interface ReadTurns {
  /**
   * Call it with each request.
   * @param isSmall whether the next read of the connection will probably be short: its client sent a small head, and then
   * waited for the response
   */
  onRequest(socket: Socket, isSmall: boolean): void;
  /** Reads nothing further from the connection until `resume`. */
  pause(socket: Socket): void;
  /** Reads from the connection when it is the turn of its address. */
  resume(socket: Socket): void;
}

/** Accepts all connections before it reads from one. Then it reads in a fair order of their addresses. */
export function readInTurns(server: Server): ReadTurns {
  /** Connections that can have a long next read: new connections, and those with large heads or many requests. */
  const suspects = new Set<Socket>();
  // An option of net.Server, which createServer of node:http does not pass on.
  Object.assign(server, { pauseOnConnect: true });
  server.on('connection', (socket) => {
    TURNS.onConnection();
    socket.once('close', () => suspects.delete(socket));
    resume(socket);
  });

  function pause(socket: Socket): void {
    suspects.delete(socket);
    socket.pause();
  }

  function resume(socket: Socket): void {
    void TURNS.next(socket.remoteAddress, READ_MS).then(() => {
      if (socket.destroyed || heldConnections.has(socket)) return;
      suspects.add(socket);
      socket.resume();
    });
  }

  return {
    onRequest(socket, isSmall) {
      if (suspects.size === 0 && isSmall) return;
      if (isSmall) suspects.delete(socket);
      else if (!socket.isPaused()) suspects.add(socket);
      if (TURNS.hasTime()) return;
      // A paused connection is not read, even if the system has already reported its data in this turn.
      for (const suspect of suspects) {
        suspect.pause();
        resume(suspect);
      }
      suspects.clear();
    },
    pause,
    resume,
  };
}
