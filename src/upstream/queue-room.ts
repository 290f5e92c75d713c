// How many requests may wait, and what those are told for which there is no room.

import type { ClientLines } from './client-lines.ts';
import type { QueuedRequest } from './queued-request.ts';
import type { RequestRate } from './request-rate.ts';
import type { AnswerTimes } from './running-requests.ts';
import { gatewayBusy, type UpstreamFailure } from './upstream-failure.ts';

export interface QueueRoom {
  /** Puts a request at the end of the lines of all its clients. It is refused where it gets no place. */
  enter(request: QueuedRequest): void;
  /** Puts it at the end of one client's line, if there is room. */
  standInLine(request: QueuedRequest, client: string): void;
  /** Takes it out of one client's line, if it is there. */
  leaveLine(request: QueuedRequest, client: string): void;
  leave(request: QueuedRequest): void;
  /** Ends it with GATEWAY_BUSY. */
  refuse(request: QueuedRequest): void;
  end(request: QueuedRequest, reason: unknown): void;
  /** False where it has ended, since it is too late for it or it is held back. */
  isWorthSending(request: QueuedRequest): boolean;
}

export interface QueueRoomOptions {
  readonly lines: ClientLines<QueuedRequest>;
  readonly maxWaiting: number;
  readonly slots: number;
  readonly rate: RequestRate | null;
  readonly times: AnswerTimes;
  readonly counts: { refused: number };
}

const MAX_RETRY_AFTER_SECONDS = 60;
/** No answer comes within that. */
const LEAST_LEFT_MS = 10;

export function createQueueRoom(options: QueueRoomOptions): QueueRoom {
  const { lines, maxWaiting, slots, rate, times, counts } = options;
  const errors = new Map<number, UpstreamFailure>();

  /** How long the longest of its clients' lines takes, if all go on as they are. */
  function secondsUntilRoom({ waiters }: QueuedRequest): number {
    const perSecond = Math.min(
      rate?.perSecond ?? Number.POSITIVE_INFINITY,
      (slots * 1_000) / Math.max(1, times.typicalMs),
    );
    const ahead = Math.max(0, ...Array.from(waiters.clients(), lines.waitingOf));
    const seconds = Math.ceil(((ahead + 1) * Math.max(1, lines.busy)) / perSecond);
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, seconds));
  }

  /** Not even with the whole rate for this client would its turn come in time. */
  function comesTooLate(client: string, leftMs: number): boolean {
    if (rate === null) return false;
    const ahead = lines.waitingOf(client);
    return rate.admits ? !rate.admits(ahead, leftMs) : ahead >= rate.perSecond * (leftMs / 1_000 + 1);
  }

  /** Whether there is a place, for which whoever has most waiting gives up the newest of theirs. */
  function findRoom(client: string): boolean {
    if (lines.waiting < maxWaiting) return true;
    const longest = lines.longest();
    const newest = longest?.last;
    if (!longest || !newest || lines.waitingOf(client) + 1 >= longest.waiting) return false;
    leaveLine(newest.item, longest.client);
    if (newest.item.places.length === 0) refuse(newest.item);
    return true;
  }

  function standInLine(request: QueuedRequest, client: string): void {
    if (comesTooLate(client, request.life.leftMs()) || !findRoom(client)) return;
    request.places.push(lines.join(client, request));
  }

  function leaveLine({ places }: QueuedRequest, client: string): void {
    const at = places.findIndex(({ line }) => line.client === client);
    if (at >= 0) for (const place of places.splice(at, 1)) lines.leave(place);
  }

  function leave({ places }: QueuedRequest): void {
    for (const place of places.splice(0)) lines.leave(place);
  }

  /** One error for many: they come by the thousand, and differ by nothing else. */
  function busy(retryAfterSeconds: number): UpstreamFailure {
    const known = errors.get(retryAfterSeconds);
    if (known) return known;
    const error = gatewayBusy(retryAfterSeconds);
    errors.set(retryAfterSeconds, error);
    return error;
  }

  function end(request: QueuedRequest, reason: unknown): void {
    leave(request);
    request.end();
    request.reject(reason);
  }

  function refuse(request: QueuedRequest): void {
    counts.refused += 1;
    end(request, busy(secondsUntilRoom(request)));
  }

  return {
    enter(request) {
      for (const client of request.waiters.clients()) standInLine(request, client);
      if (request.places.length === 0) refuse(request);
    },
    standInLine,
    leaveLine,
    leave,
    refuse,
    end,
    isWorthSending(request) {
      if (request.life.leftMs() < LEAST_LEFT_MS) {
        refuse(request);
        return false;
      }
      try {
        request.throwIfHeldBack();
        return true;
      } catch (error) {
        end(request, error);
        return false;
      }
    },
  };
}
