// Sends one request of an attack, on its own connection, and returns the outcome. Also sends all requests of an attack.

import type { Socket } from 'node:net';
import { fieldOf, openConnection } from '../../bench/http-bytes.ts';
import type { Attack, Manner } from './attack.ts';
import { list } from './requests.ts';

export interface Outcome {
  /** The status of the last response; null: no head arrived. */
  readonly status: number | null;
  /** The number of body bytes in all responses to the request. */
  readonly bytes: number;
  /** the first error code in the response */
  readonly code: string | null;
  /** whether a response has errors of GraphQL, or reports a failed job */
  readonly hasErrors: boolean;
  readonly hasInternalError: boolean;
  readonly isJson: boolean;
  /** The `Location` field: the address of what the request created, such as a job. */
  readonly location: string | null;
  /** why it ended: all responses came, the server closed the connection, the client did, or the time limit passed */
  readonly end: 'complete' | 'closed' | 'client closed' | 'too late';
}

const INTERNAL = Buffer.from('"INTERNAL_SERVER_ERROR"');
/** Errors may come at either end of a response, so the search for them covers this many bytes of each end. */
const SEARCHED_BYTES = 65_536;

/** Sends one request. Always resolves, at most `limitMs` later. */
function attackOnce(port: number, bytes: Buffer, manner: Manner, limitMs: number): Promise<Outcome> {
  return new Promise((done) => {
    const outcomeReader = createOutcomeReader();
    let responsesLeft = manner.responses ?? 1;
    const finish = (end: Outcome['end']): void => {
      clearTimeout(limit);
      clearTimeout(closeTimer);
      socket.destroy();
      done(outcomeReader.outcome(end));
    };
    const limit = setTimeout(() => finish(manner.read === undefined ? 'too late' : 'client closed'), limitMs);
    const closeTimer = manner.leaveAfterMs && setTimeout(() => finish('client closed'), manner.leaveAfterMs);
    const end = (): void => {
      responsesLeft -= 1;
      if (responsesLeft === 0) finish('complete');
    };
    const address = manner.from === 'many' ? nextAddress() : manner.from;
    const socket = openConnection(port, { ...outcomeReader, end }, () => finish('closed'), address);
    receive(socket, manner);
    socket.on('connect', () => send(socket, bytes, manner));
  });
}

let addresses = 0;

/** Returns the next address of this machine: all addresses in 127.0.0.0/8 are its own. */
function nextAddress(): string {
  addresses += 1;
  return `127.${1 + ((addresses >> 16) & 127)}.${(addresses >> 8) & 255}.${1 + (addresses % 254)}`;
}

function send(socket: Socket, bytes: Buffer, { write }: Manner): void {
  const { pieceBytes, everyMs } = write ?? { pieceBytes: bytes.length, everyMs: 0 };
  const next = (at: number): void => {
    if (at >= bytes.length || socket.destroyed) return;
    socket.write(bytes.subarray(at, at + pieceBytes));
    if (write) setTimeout(next, everyMs, at + pieceBytes);
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

function createOutcomeReader() {
  let [status, head, bytes]: [number | null, string, number] = [null, '', 0];
  let [first, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  let hasInternalError = false;
  return {
    head(next: number, text: string): void {
      status = next;
      head = text;
    },
    body(part: Buffer): void {
      bytes += part.length;
      if (first.length < SEARCHED_BYTES) first = Buffer.concat([first, part.subarray(0, SEARCHED_BYTES)]);
      last = Buffer.concat([last, part]);
      hasInternalError ||= last.includes(INTERNAL);
      last = last.subarray(-SEARCHED_BYTES);
    },
    outcome(end: Outcome['end']): Outcome {
      const text = first.toString('latin1') + (bytes > SEARCHED_BYTES ? last.toString('latin1') : '');
      const hasErrors = /"errors":\s*\[\s*\{|"state":"failed"/.test(text);
      const code = /"code":\s*"([A-Z_]+)"/.exec(hasErrors ? text : '')?.[1] ?? null;
      const isJson = /json|multipart|event-stream/.test(fieldOf(head, 'content-type')?.split(';')[0] ?? '');
      const location = fieldOf(head, 'location');
      return { status, bytes, code, hasErrors, hasInternalError, isJson, location, end };
    },
  };
}

interface SentAttack {
  readonly outcomes: readonly Outcome[];
  readonly sentBytes: number;
  /** the largest size that was not refused; null: there was no search */
  readonly size: number | null;
}

/**
 * Sends all requests of an attack.
 * @param limitMs The time limit of each request. Also, no request starts later than this after the call.
 */
export async function sendAll(
  attack: Attack,
  requests: readonly Buffer[],
  port: number,
  limitMs: number,
): Promise<SentAttack> {
  const outcomes: Outcome[] = [];
  let sentBytes = 0;
  const until = performance.now() + limitMs;
  const queue = requests.values();
  const clients = list(Math.min(attack.atOnce, requests.length), async () => {
    for (const bytes of queue) {
      if (performance.now() > until) return;
      sentBytes += bytes.length;
      outcomes.push(await attackOnce(port, bytes, attack, limitMs));
    }
  });
  await Promise.all(clients);
  return { outcomes, sentBytes, size: null };
}

/** How often the search halves its step after it has found an allowed size. */
const SEARCH_STEPS = 3;

/** Sends requests of the largest size that the search finds allowed. `sentBytes` includes the requests of the search. */
export async function sendLargest(
  attack: Attack,
  maxSize: number,
  port: number,
  limitMs: number,
): Promise<SentAttack> {
  let sentBytes = 0;
  const failed: Outcome[] = [];
  const isAllowed = async (size: number): Promise<boolean> => {
    const bytes = attack.bytes(0, size);
    sentBytes += bytes.length;
    const outcome = await attackOnce(port, bytes, attack, limitMs);
    if (outcome.end !== 'complete') failed.push(outcome);
    return outcome.status === 200 && outcome.code !== 'LIMIT_EXCEEDED';
  };
  let size = maxSize;
  while (size >= 1 && !(await isAllowed(size)) && failed.length === 0) size = Math.floor(size / 2);
  let step = Math.floor(size / 2);
  for (let n = 0; failed.length === 0 && size >= 1 && size < maxSize && n < SEARCH_STEPS; n += 1) {
    if (await isAllowed(size + step)) size += step;
    step = Math.floor(step / 2);
  }
  if (failed.length > 0) return { outcomes: failed, sentBytes, size };
  const requests = list(size < 1 ? 0 : attack.requests, (n) => attack.bytes(n, size));
  const sent = await sendAll(attack, requests, port, limitMs);
  return { outcomes: sent.outcomes, sentBytes: sentBytes + sent.sentBytes, size: Math.max(0, size) };
}
