// One request of an attack on a connection, and what came of it.

import { connect, type Socket } from 'node:net';
import { createResponseReader } from '../http-bytes.ts';
import type { Manner } from './attack.ts';

export interface Outcome {
  /** of the last answer; null when none was complete */
  readonly status: number | null;
  /** of all answers to these bytes */
  readonly bytes: number;
  /** the first error code in the answer */
  readonly code: string | null;
  /** errors of GraphQL, or a job that failed */
  readonly hasErrors: boolean;
  readonly hasInternalError: boolean;
  readonly isJson: boolean;
  /** of what the request made */
  readonly location: string | null;
  /** who ended it: an answer, the server by closing, the attacker who had enough, or the clock */
  readonly end: 'answered' | 'closed' | 'left' | 'too late';
}

const INTERNAL = Buffer.from('"INTERNAL_SERVER_ERROR"');
/** Of an answer, this much is looked at for errors; they may come at either end. */
const LOOKED_AT = 65_536;

/** Resolves in any case, at the latest after `limitMs`. */
export function exchange(port: number, bytes: Buffer, manner: Manner, limitMs: number): Promise<Outcome> {
  return new Promise((done) => {
    const localAddress = manner.from === 'many' ? nextAddress() : (manner.from ?? '127.0.0.1');
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress });
    const seen = createSeen();
    let left = manner.answers ?? 1;
    const finish = (end: Outcome['end']): void => {
      clearTimeout(limit);
      clearTimeout(leave);
      socket.destroy();
      done(seen.outcome(end));
    };
    const limit = setTimeout(() => finish(manner.read === undefined ? 'too late' : 'left'), limitMs);
    const leave = manner.leaveAfterMs && setTimeout(() => finish('left'), manner.leaveAfterMs);
    const read = createResponseReader({
      head: seen.head,
      body: seen.body,
      end() {
        left -= 1;
        if (left === 0) finish('answered');
      },
    });
    socket.on('data', read);
    receive(socket, manner);
    socket.on('connect', () => send(socket, bytes, manner));
    socket.on('error', () => undefined);
    socket.on('close', () => finish(seen.endsWithConnection() ? 'answered' : 'closed'));
  });
}

let addresses = 0;

/** All of 127.0.0.0/8 is this machine. */
function nextAddress(): string {
  addresses += 1;
  return `127.${1 + ((addresses >> 16) & 127)}.${(addresses >> 8) & 255}.${1 + (addresses % 254)}`;
}

function send(socket: Socket, bytes: Buffer, { write }: Manner): void {
  if (write === undefined) {
    socket.write(bytes);
    return;
  }
  const next = (at: number): void => {
    if (at >= bytes.length || socket.destroyed) return;
    socket.write(bytes.subarray(at, at + write.pieceBytes));
    setTimeout(next, write.everyMs, at + write.pieceBytes);
  };
  next(0);
}

function receive(socket: Socket, { read }: Manner): void {
  if (read === undefined) return;
  socket.pause();
  if (read === 'nothing') return;
  socket.on('data', () => socket.pause());
  const timer = setInterval(() => socket.resume(), read.everyMs);
  socket.once('close', () => clearInterval(timer));
}

interface Seen {
  /** Whether the answer is of the kind that only the end of its connection ends, as Node's own refusals. */
  endsWithConnection(): boolean;
  head(status: number, head: string): void;
  body(bytes: Buffer): void;
  outcome(end: Outcome['end']): Outcome;
}

function createSeen(): Seen {
  let status: number | null = null;
  let bytes = 0;
  let type = '';
  let location: string | null = null;
  let first = Buffer.alloc(0);
  let last = Buffer.alloc(0);
  let hasInternalError = false;
  let endsWithConnection = false;
  return {
    endsWithConnection: () => endsWithConnection,
    head(next, head) {
      status = next;
      endsWithConnection = !/\r\n(?:content-length|transfer-encoding):/i.test(head);
      type = /\r\ncontent-type: *([^\r;]*)/i.exec(head)?.[1] ?? '';
      location = /\r\nlocation: *([^\r]*)/i.exec(head)?.[1] ?? null;
    },
    body(part) {
      bytes += part.length;
      if (first.length < LOOKED_AT) first = Buffer.concat([first, part.subarray(0, LOOKED_AT)]);
      if (part.includes(INTERNAL)) hasInternalError = true;
      last = Buffer.concat([last, part]).subarray(-LOOKED_AT);
      if (last.includes(INTERNAL)) hasInternalError = true;
    },
    outcome(end) {
      const text = first.toString('latin1') + (bytes > LOOKED_AT ? last.toString('latin1') : '');
      const hasErrors = /"errors":\s*\[\s*\{|"state":"failed"/.test(text);
      const code = /"code":\s*"([A-Z_]+)"/.exec(hasErrors ? text : '')?.[1] ?? null;
      const isJson = /json|multipart|event-stream/.test(type);
      return { status, bytes, code, hasErrors, hasInternalError, isJson, location, end };
    },
  };
}
