// Which requests have a slot, on whose account, and which of the slots can be taken back.

import type { ClientLines, Line } from './client-lines.ts';
import type { Time } from './question-deadline.ts';
import { Attempt, type QueuedRequest } from './queued-request.ts';

// How long the directory takes to answer lately, and so how long a request may hold a slot that another client needs.

export interface AnswerTimes {
  /** milliseconds that a quarter of the answers took less than; 0 before the first one */
  readonly typicalMs: number;
  /** after which a slot above a client's share can be taken back */
  readonly limitMs: number;
  answered(ms: number): void;
  takenBack(): void;
}

const LIMIT_MS = 500;
const MAX_TYPICAL_MS = 10_000;
/** A step up for a slower answer, three down for a faster one: it comes to rest where three of four are slower. */
const STEP = 1.1;

/** A quarter, since who wants slots to be kept for long must not make it look as if all answers took long. */
export function createAnswerTimes(slots: number): AnswerTimes {
  let typicalMs = 0;
  let takenBackInARow = 0;
  return {
    get typicalMs() {
      return typicalMs;
    },
    get limitMs() {
      // Where every slot was taken back and no answer came, the directory is slow for everybody.
      const doublings = Math.min(5, Math.floor(takenBackInARow / slots));
      return Math.max(LIMIT_MS, 2 * typicalMs) * 2 ** doublings;
    },
    answered(ms) {
      takenBackInARow = 0;
      const next = typicalMs === 0 ? ms : typicalMs * (ms > typicalMs ? STEP : STEP ** -3);
      typicalMs = Math.min(MAX_TYPICAL_MS, Math.max(1, next));
    },
    takenBack() {
      takenBackInARow += 1;
    },
  };
}

export interface RunningRequests {
  readonly size: number;
  /** Gives a slot to the first request of a line. Its places are left by whoever calls. */
  begin(line: Line<QueuedRequest>, request: QueuedRequest): Attempt;
  /** Frees a slot; false where it is free already. */
  release(attempt: Attempt): boolean;
  /** A client waits from now on for what runs. */
  join(attempt: Attempt, client: string): void;
  /** A client waits no more for what runs, which goes on at the cost of another, or of nobody. */
  leave(attempt: Attempt, client: string): void;
  /**
   * The slot that can be taken back for a line: one above its client's share for a line below its own, or one
   * for whose answer nobody waits any more. That one is given at once to another client that has none, which few
   * do at a time: it costs a connection, and the answer is likely to come soon. Where there is none yet, when
   * there will be; undefined: none.
   */
  slotFor(line: Line<QueuedRequest>): Attempt | { readonly at: number } | undefined;
}

export interface RunningRequestsOptions {
  readonly slots: number;
  readonly lines: ClientLines<QueuedRequest>;
  readonly times: AnswerTimes;
  readonly time: Time;
}

export function createRunningRequests(options: RunningRequestsOptions): RunningRequests {
  const { slots, lines, times, time } = options;
  /** oldest first */
  const attempts = new Set<Attempt>();
  let unwanted = 0;

  return {
    get size() {
      return attempts.size;
    },

    begin(line, request) {
      const attempt = new Attempt(request, lines.charge(line.client), time.now());
      request.attempt = attempt;
      attempts.add(attempt);
      return attempt;
    },

    release(attempt) {
      if (!attempts.delete(attempt)) return false;
      if (attempt.line) lines.discharge(attempt.line);
      else unwanted -= 1;
      return true;
    },

    join(attempt, client) {
      if (attempt.line !== null || !attempts.has(attempt)) return;
      attempt.line = lines.charge(client);
      attempt.client = client;
      unwanted -= 1;
    },

    leave(attempt, client) {
      if (attempt.line?.client !== client || !attempts.has(attempt)) return;
      lines.discharge(attempt.line);
      const [other] = attempt.request.waiters.clients();
      attempt.line = other === undefined ? null : lines.charge(other);
      attempt.client = other ?? client;
      if (attempt.line === null) unwanted += 1;
    },

    slotFor(line) {
      const now = time.now();
      const share = slots / lines.busy;
      let soonest = Number.POSITIVE_INFINITY;
      const isAlone = lines.busy === 1;
      if (unwanted === 0 && (isAlone || line.running >= share)) return undefined;
      for (const attempt of attempts) {
        if (attempt.line !== null && !isOwed(line, attempt.line, share)) continue;
        const isAtOnce = attempt.line === null && line.running === 0 && line.client !== attempt.client;
        const at = attempt.startedAt + (isAtOnce ? 0 : times.limitMs);
        if (at <= now) return attempt;
        soonest = Math.min(soonest, at);
      }
      return soonest === Number.POSITIVE_INFINITY ? undefined : { at: soonest };
    },
  };
}

/** Whether a line may have a slot of another: one above the other's share, which would then not have fewer. */
function isOwed(line: Line<unknown>, holder: Line<unknown>, share: number): boolean {
  if (line.running >= share || holder.running <= share || (line.givesWay && !holder.givesWay)) return false;
  return line.running === 0 || holder.running - 1 > line.running;
}
