// Who may send a request to the directory, and when: clients take turns, and nobody holds what belongs to others.

import { clientWaiting } from '../directory/waiters.ts';
import { type ClientLines, createClientLines, type Line } from './client-lines.ts';
import type { SentFor } from './proxy-client.ts';
import type { Time } from './question-deadline.ts';
import { createQueueRoom } from './queue-room.ts';
import type { Attempt, QueuedQuestion, QueuedRequest } from './queued-request.ts';
import type { RequestRate } from './request-rate.ts';
import { createAnswerTimes, createRunningRequests } from './running-requests.ts';
import { isDeadline } from './upstream-failure.ts';

export interface RequestQueue {
  /**
   * Sends a request when it is the turn of one of the clients that wait for it. A request whose slot is taken
   * back for another client has its signal aborted, and is sent again at a later turn. Rejects as `send` does,
   * with GATEWAY_BUSY where there was no room for it before its deadline, or with the reason of its lifetime.
   * @param send may give the slot back before its promise settles, by `answered`: what is left to be done needs none
   * @param throwIfHeldBack ends it with what it throws, now or when it would have its turn, which another then has
   */
  run<T>(
    asked: QueuedQuestion,
    throwIfHeldBack: () => void,
    send: (attempt: SentFor) => Promise<T>,
  ): Promise<T>;
}

/** What the queue is at, and what it has done since it was made. */
export interface QueueCounts {
  /** places in all lines */
  waiting: number;
  running: number;
  takenBack: number;
  refused: number;
}

export interface RequestQueueOptions {
  /** requests that run at a time */
  readonly slots: number;
  readonly maxWaiting: number;
  readonly rate: RequestRate | null;
  readonly time: Time;
  readonly counts: QueueCounts;
}

/** Why a request ends whose slot another client needs. It says nothing of the directory. */
const TAKEN_BACK = new Error('the slot was taken back for another client');

const MOST_IN_A_TURN = 250;

/** What can be done next: a line to be served, and the slot that has to be taken back for it. */
interface Turn {
  readonly line: Line<QueuedRequest>;
  readonly slot: Attempt | null;
}

export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { slots, rate, time, counts } = options;
  const lines: ClientLines<QueuedRequest> = createClientLines(() => time.now());
  const times = createAnswerTimes(slots);
  const running = createRunningRequests({ slots, lines, times, time });
  const room = createQueueRoom({ ...options, lines, times });
  // The last slots are for clients that have none: who asks little finds one free.
  const kept = slots < 8 ? 0 : Math.ceil(slots / 16);
  let isServing = false;
  let served = 0;
  let asksRate = false;
  let servesSoon = false;
  let alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  /** Frees the slot of a request at once. Whoever wants its answer waits for another turn. */
  function takeBack(attempt: Attempt): void {
    const { request } = attempt;
    const isWanted = attempt.line !== null;
    running.release(attempt);
    request.attempt = null;
    attempt.abort(TAKEN_BACK);
    if (!isWanted) {
      request.waiters.giveUp();
      return;
    }
    times.takenBack();
    counts.takenBack += 1;
    room.enter(request);
  }

  function serveAt(at: number): void {
    if (alarm !== undefined && alarm.at <= at) return;
    alarm?.cancel();
    const ring = (): void => {
      alarm = undefined;
      serve();
    };
    alarm = { at, cancel: time.alarm(at - time.now(), ring) };
  }

  function findTurn(): Turn | undefined {
    // Where there are several, one more may come.
    const share = lines.present > 1 ? slots / (lines.present + 1) : slots;
    const line = lines.next(share);
    if (!line) return undefined;
    const free = slots - running.size;
    const isAlone = lines.present === 1;
    const mayTakeLast = !line.givesWay && (isAlone || line.running === 0);
    if (free > (mayTakeLast ? 0 : kept)) return { line, slot: null };
    const slot = running.slotFor(line);
    if (slot && 'request' in slot) return { line, slot };
    if (slot) serveAt(slot.at);
    return undefined;
  }

  /** The next turn of a request that is worth being sent. Those before it that are not have ended. */
  function nextTurn(): (Turn & { readonly request: QueuedRequest }) | undefined {
    for (;;) {
      // Requests that all fail at once would leave nobody else a turn of the event loop.
      if (served === MOST_IN_A_TURN) {
        serveInNextTurn();
        return undefined;
      }
      const turn = findTurn();
      const request = turn?.line.first?.item;
      if (!turn || !request) return undefined;
      if (room.isWorthSending(request)) return { ...turn, request };
      served += 1;
    }
  }

  function serveNext(): boolean {
    const turn = nextTurn();
    if (!turn) return false;
    const { line, slot, request } = turn;
    if (slot) takeBack(slot);
    lines.serve(line);
    const attempt = running.begin(line, request);
    room.leave(request);
    served += 1;
    request.send(attempt);
    return true;
  }

  function serve(): void {
    if (isServing) return;
    isServing = true;
    lines.forgetIdle();
    if (rate === null) while (serveNext());
    else if (!asksRate && nextTurn()) void serveAtRate(rate);
    isServing = false;
    counts.waiting = lines.waiting;
    counts.running = running.size;
  }

  /** Who is served is decided when a request may be sent: until then somebody else may have come. */
  async function serveAtRate({ take }: RequestRate): Promise<void> {
    asksRate = true;
    await take();
    asksRate = false;
    serveNext();
    serve();
  }

  /** A client that leaves leaves with all of its look-ups: none of them gets the slot of another. */
  function serveInNextTurn(): void {
    if (servesSoon) return;
    servesSoon = true;
    setImmediate(() => {
      servesSoon = false;
      served = 0;
      serve();
    });
  }

  function watch(request: QueuedRequest): () => void {
    return request.waiters.watch({
      joined(client) {
        if (request.attempt) running.join(request.attempt, client);
        else if (!request.life.isAborted) {
          room.standInLine(request, client);
          serve();
        }
      },
      left(client) {
        if (request.attempt) running.leave(request.attempt, client);
        else room.leaveLine(request, client);
        serveInNextTurn();
      },
      goesOn: () => request.attempt !== null,
    });
  }

  function endOfLife(request: QueuedRequest): void {
    const { attempt } = request;
    const { reason } = request.life;
    if (attempt) {
      running.release(attempt);
      request.attempt = null;
      attempt.abort(reason);
    } else if (isDeadline(reason) && request.places.length > 0) room.refuse(request);
    else room.end(request, reason);
    serveInNextTurn();
  }

  function freeSlot(attempt: Attempt): void {
    if (running.release(attempt)) serve();
  }

  return {
    run: ({ life, waiters }, throwIfHeldBack, send) =>
      new Promise((resolve, reject) => {
        clientWaiting(waiters);
        if (life.isAborted) throw life.reason;
        throwIfHeldBack();
        const request: QueuedRequest = {
          throwIfHeldBack,
          life,
          waiters,
          places: [],
          attempt: null,
          reject,
          freeSlot,
          end() {
            life.onAbort(null);
            unwatch();
          },
          send(attempt) {
            const settle = (tell: () => void): void => {
              // What was taken back has gone back to its lines.
              if (attempt.reason === TAKEN_BACK) return;
              request.end();
              tell();
              freeSlot(attempt);
            };
            send(attempt).then(
              (answer) => {
                times.answered(time.now() - attempt.startedAt);
                settle(() => resolve(answer));
              },
              (error: unknown) => settle(() => reject(error)),
            );
          },
        };
        life.onAbort(() => endOfLife(request));
        const unwatch = watch(request);
        room.enter(request);
        serve();
      }),
  };
}
