// Look-ups of many names in few requests. The clients that wait share the names of each request.

import { LightAbort } from '../../directory/abortable.ts';
import type { LookUpOptions } from '../../directory/directory.ts';
import { OWN_WORK, type Requester } from '../../directory/requester.ts';
import { oneWaiter } from '../../directory/waiters.ts';
import { canonicalName, type HandleName } from '../../doi/name.ts';
import { createDeadlines, type Deadline, type Time } from '../deadlines.ts';
import type { ProxyBase, UpstreamRequest } from '../proxy-base.ts';
import { heldBack, UpstreamFailure } from '../upstream-failure.ts';
import type { UpstreamPolicyOptions } from '../upstream-policy.ts';
import { type ApiRate, type ApiSlots, type Permit, statedConcurrency } from './api-rate.ts';
import { createNameQueue, WaitingName } from './waiting-names.ts';

/** What a request for several names brought. */
export type BatchAnswer<Item> =
  | {
      readonly kind: 'FOUND';
      /** null: the response has nothing for this name */
      readonly find: (name: HandleName) => Item | null;
    }
  /** The service refused the request because of these names. Empty if the response does not say which. */
  | { readonly kind: 'REFUSED'; readonly names: ReadonlySet<HandleName> };

export interface NameBatches<Item> {
  /**
   * What the service has for a name; null if a request found nothing, or cannot hold the name. Rejects with an
   * UpstreamFailure, with the reason of the signal, or with the reason of waiters who have left.
   */
  find(name: HandleName, options: LookUpOptions): Promise<Item | null>;
  /** Whether a request would have to wait now. */
  readonly isBusy: boolean;
  /** Names may wait no longer, or may be sent again: the circuit has changed, or more names will not come. */
  wake(): void;
  /** Ends look-ups that began at this moment or earlier. */
  giveUp(begunBy: number, reason: UpstreamFailure): void;
  close(): void;
}

export interface NameBatchesOptions<Item> {
  readonly base: ProxyBase;
  readonly rate: ApiRate;
  /** of this and the other kind of request */
  readonly slots: ApiSlots;
  /** called when a slot is free: both kinds may need it */
  readonly onFreeSlot: () => void;
  /** names in one request, at most */
  readonly maxNames: number;
  /** of path and query, at most */
  readonly maxPathBytes: number;
  readonly encode: (name: HandleName) => string;
  readonly request: (encodedNames: readonly string[]) => UpstreamRequest<BatchAnswer<Item>>;
  /** whether names are about to come whose agency is being looked up: a request that is not full waits a little */
  readonly isMoreComing: () => boolean;
  readonly deadlineMs: number;
  readonly time: Time;
  readonly report: UpstreamPolicyOptions['report'];
}

/** How long a request that is not full waits for more names. */
const MAX_LINGER_MS = 150;
/** The estimate of one request, before any response. */
const TYPICAL_MS = 200;

export function createNameBatches<Item>(options: NameBatchesOptions<Item>): NameBatches<Item> {
  const { base, rate, slots, maxNames, time, deadlineMs, report } = options;
  const { circuit } = base;
  const deadlines = createDeadlines(deadlineMs, time);
  const times = { typicalMs: TYPICAL_MS };
  const waiting = createNameQueue<Item>({
    ...options,
    basePathBytes: options.request([]).path.length,
    times,
  });
  let permit: Permit | null = null;
  let isServing = false;
  let isClosed = false;
  /** of the name that came last */
  let last: Requester | undefined;
  /** when the request that is not full began to wait for more names; null: it does not wait */
  let lingersSince: number | null = null;
  let cancelLinger = (): void => {};

  /** Whether to wait for more names. */
  function lingers(): boolean {
    const now = time.now();
    const isMoreComing = (last?.batch?.toCome ?? 0) > 0 || options.isMoreComing();
    if (waiting.count >= maxNames || !isMoreComing) lingersSince = null;
    else lingersSince ??= now;
    if (lingersSince === null || now - lingersSince >= MAX_LINGER_MS) return false;
    cancelLinger();
    cancelLinger = time.alarm(lingersSince + MAX_LINGER_MS - now, serve);
    return true;
  }

  function canSend(): boolean {
    return waiting.count > 0 && slots.running < slots.maxRunning && !circuit.isOpen() && !lingers();
  }

  function serve(): void {
    if (isServing) return;
    isServing = true;
    void sendAll();
  }

  async function sendAll(): Promise<void> {
    while (canSend() && !isLone()) {
      permit ??= await rate.take();
      if (!canSend()) continue;
      // Chosen after the wait, because other clients may have come meanwhile.
      const names = waiting.takeNext();
      lingersSince = null;
      if (names.length === 0) continue;
      void send(names, permit);
      permit = null;
    }
    isServing = false;
  }

  /** The only name needs no request for several: its caller sends a request for one, which also finds aliases. */
  function isLone(): boolean {
    const lone = maxNames > 1 ? waiting.takeLone() : undefined;
    lone?.resolve(null);
    return lone !== undefined;
  }

  async function send(names: readonly WaitingName<Item>[], { sent, responded }: Permit): Promise<void> {
    slots.running += 1;
    sent();
    const sentFor = new LightAbort();
    const request = options.request(names.map(({ encoded }) => encoded));
    const { requester } = names[0] as WaitingName<Item>;
    const sentAt = time.now();
    try {
      const { answer, head } = await base.attempt(request, sentFor, requester);
      times.typicalMs += (time.now() - sentAt - times.typicalMs) / 8;
      rate.learn(head.headers);
      slots.maxRunning = statedConcurrency(head.headers) ?? slots.maxRunning;
      deliver(names, answer);
    } catch (error) {
      if (error instanceof UpstreamFailure) report(error, request.path, base.base, requester);
      if (!isAboutNames(error) || maxNames === 1) for (const each of names) each.reject(error);
      else halve(names);
    } finally {
      responded();
      slots.running -= 1;
      options.onFreeSlot();
    }
  }

  function deliver(names: readonly WaitingName<Item>[], answer: BatchAnswer<Item>): void {
    if (answer.kind === 'FOUND') {
      for (const each of names) if (!each.isEnded) each.resolve(answer.find(each.name));
      return;
    }
    const isNamed = ({ name }: WaitingName<Item>): boolean => answer.names.has(canonicalName(name));
    if (!names.some(isNamed)) halve(names);
    else {
      for (const each of names) {
        if (isNamed(each)) each.resolve(null);
        else waiting.enterAgain(each);
      }
    }
  }

  /** A name that was alone in a request for several is left to its caller, who sends a request for one. */
  function halve(names: readonly WaitingName<Item>[]): void {
    for (const each of names) {
      each.maxNames = Math.ceil(names.length / 2);
      if (names.length > 1) waiting.enterAgain(each);
      else each.resolve(null);
    }
  }

  return {
    async find(name, lookUp) {
      const { requester = OWN_WORK, waiters = oneWaiter(requester) } = lookUp;
      // Waiters report themselves that they have left.
      const signal = lookUp.waiters ? undefined : lookUp.signal;
      signal?.throwIfAborted();
      lookUp.waiters?.throwIfAborted();
      if (isClosed) throw heldBack('the service was closed');
      circuit.throwIfOpen();
      const deadline: Deadline = deadlines.start(signal, requester.batch);
      const unwatch = waiters.watch({ aborted: (reason) => deadline.abort(reason) });
      try {
        const each = new WaitingName<Item>(
          name,
          options.encode(name),
          requester,
          { deadline, waiters },
          maxNames,
        );
        waiting.enter(each);
        last = requester;
        // The names of one tick go together.
        queueMicrotask(serve);
        return await each.found;
      } finally {
        unwatch();
        deadline.end();
      }
    },
    get isBusy() {
      return rate.isUsedUp || slots.running >= slots.maxRunning;
    },
    wake: serve,
    giveUp: (begunBy, reason) => deadlines.endBegunBy(begunBy, reason),
    close() {
      isClosed = true;
      cancelLinger();
      deadlines.abortAll(heldBack('the service was closed'));
    },
  };
}

/** Whether fewer names may bring an answer. A service that fails or is overloaded must not get more requests. */
function isAboutNames(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure)) return false;
  const { kind, status } = error;
  if (kind === 'TOO_LARGE' || kind === 'CONTENT') return true;
  return kind === 'STATUS' && status !== null && (status === 400 || status === 413 || status === 414);
}
