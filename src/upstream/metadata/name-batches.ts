// Looks up many names in few requests. A request takes its names from the queues of all clients, in fair order.

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

/** The result of a request for several names. */
export type BatchAnswer<Item> =
  | {
      readonly kind: 'FOUND';
      /** Returns null if the response has no item for this name. */
      readonly find: (name: HandleName) => Item | null;
    }
  /** The service refused the request because of these names. Empty if the response does not say which. */
  | { readonly kind: 'REFUSED'; readonly names: ReadonlySet<HandleName> };

export interface NameBatches<Item> {
  /**
   * Looks up a name. Null if the service has no item, or if a request for several names cannot contain this name. Rejects
   * with an UpstreamFailure, or with the reason of the signal or of the waiters.
   */
  find(name: HandleName, options: LookUpOptions): Promise<Item | null>;
  /** Whether a request must wait now. */
  readonly isBusy: boolean;
  /** Call it when the circuit has changed, or when no more names will come. Then names may be sent. */
  wake(): void;
  /** Ends look-ups that began at this moment or earlier. */
  giveUp(begunBy: number, reason: UpstreamFailure): void;
  close(): void;
}

export interface NameBatchesOptions<Item> {
  readonly base: ProxyBase;
  readonly rate: ApiRate;
  /** the slots of both kinds of requests */
  readonly slots: ApiSlots;
  /** called when a slot is free, because both kinds may need it */
  readonly onFreeSlot: () => void;
  /** how many names one request may have */
  readonly maxNames: number;
  /** the longest path with its query */
  readonly maxPathBytes: number;
  readonly encode: (name: HandleName) => string;
  readonly request: (encodedNames: readonly string[]) => UpstreamRequest<BatchAnswer<Item>>;
  /** Whether more names may come, because their agency is being looked up. If so, a request that is not full waits. */
  readonly isMoreComing: () => boolean;
  readonly deadlineMs: number;
  readonly time: Time;
  readonly report: UpstreamPolicyOptions['report'];
}

/** How long a request that is not full waits for more names. */
const MAX_LINGER_MS = 150;
/** The estimated time of a request before the first response. */
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
  /** the requester of the last name */
  let last: Requester | undefined;
  /** When the request began to wait for more names. Null: it does not wait. */
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
      // Takes the names after the wait, because other clients may have come meanwhile.
      const names = waiting.takeNext();
      lingersSince = null;
      if (names.length === 0) continue;
      void send(names, permit);
      permit = null;
    }
    isServing = false;
  }

  /** A single name needs no request for several. Its caller sends a request for one name, which also finds aliases. */
  function isLone(): boolean {
    const lone = maxNames > 1 ? waiting.takeLone() : undefined;
    lone?.resolve(null);
    return lone !== undefined;
  }

  async function send(names: readonly WaitingName<Item>[], { sent, responded }: Permit): Promise<void> {
    slots.running += 1;
    sent();
    const abort = new LightAbort();
    const request = options.request(names.map(({ encoded }) => encoded));
    const { requester } = names[0] as WaitingName<Item>;
    const sentAt = time.now();
    try {
      const { answer, head } = await base.attempt(request, abort, requester);
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

  /** Sends the names again in halves. If a request had only one name, its caller sends a request for one name. */
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
      // If there are waiters, the look-up ends when all have left. Then the caller's signal has no effect.
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
        // In a microtask, so that the names of one tick share a request.
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

/** Whether a request with fewer names may succeed. A service that fails or is overloaded must not get more requests. */
function isAboutNames(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure)) return false;
  const { kind, status } = error;
  if (kind === 'TOO_LARGE' || kind === 'CONTENT') return true;
  return kind === 'STATUS' && status !== null && (status === 400 || status === 413 || status === 414);
}
