// Looks up many names in few requests. Each request takes names from the queues of all clients, in fair order.

import { canonicalName, type HandleName } from 'doi-names';
import { LightAbort } from '../../abortable.ts';
import type { LookUpOptions } from '../../directory/directory.ts';
import type { Requester } from '../../directory/requester.ts';
import type { WireObject } from '../../handle/json.ts';
import { createDeadlines, type PendingLookUp } from '../deadlines.ts';
import type { ProxyBase } from '../proxy-base.ts';
import type { UpstreamOptions } from '../upstream.ts';
import { UpstreamFailure } from '../upstream-failure.ts';
import { type Permit, statedConcurrency } from './api-rate.ts';
import type { BatchAnswer } from './api-readers.ts';
import { apiRequest } from './api-requests.ts';
import { createNameQueue, type NameQueueOptions, WaitingName } from './waiting-names.ts';

export interface NameBatchesOptions extends Omit<NameQueueOptions, 'times'> {
  readonly base: ProxyBase;
  /** called when a slot becomes free, because requests of both kinds use the same slots */
  readonly onFreeSlot: () => void;
  /** Whether more names may come soon: the look-up of their agency still runs. A request that is not full then waits. */
  readonly isMoreComing: () => boolean;
  readonly deadlineMs: number;
  readonly report: UpstreamOptions['report'];
}

/** How long a request that is not full waits for more names. */
const MAX_LINGER_MS = 150;
/** The estimated time of a request before the first response. */
const TYPICAL_MS = 200;

export function createNameBatches(options: NameBatchesOptions) {
  const { requests, base, rate, slots, time, deadlineMs, report } = options;
  const { maxNames } = requests;
  const { circuit } = base;
  const deadlines = createDeadlines(deadlineMs, time);
  const times = { typicalMs: TYPICAL_MS };
  const nameQueue = createNameQueue({ ...options, times });
  let permit: Permit | null = null;
  let isServing = false;
  let lastRequester: Requester | undefined;
  /** The time when the next request began to wait for more names. Null: the request does not wait. */
  let lingerBeganAt: number | null = null;
  let cancelLinger = (): void => {};

  /** Returns whether the next request must wait for more names. If so, sets an alarm for the end of the wait. */
  function mustLinger(): boolean {
    const now = time.now();
    const isMoreComing = (lastRequester?.batch?.toCome ?? 0) > 0 || options.isMoreComing();
    if (nameQueue.count >= maxNames || !isMoreComing) lingerBeganAt = null;
    else lingerBeganAt ??= now;
    if (lingerBeganAt === null || now - lingerBeganAt >= MAX_LINGER_MS) return false;
    cancelLinger();
    cancelLinger = time.after(lingerBeganAt + MAX_LINGER_MS - now, serve);
    return true;
  }

  function canSend(): boolean {
    return nameQueue.count > 0 && slots.running < slots.maxRunning && !circuit.isOpen() && !mustLinger();
  }

  function serve(): void {
    if (isServing) return;
    isServing = true;
    void sendAll();
  }

  async function sendAll(): Promise<void> {
    while (canSend() && !returnLone()) {
      permit ??= await rate.take();
      if (!canSend()) continue;
      // The names are taken after the wait, because other clients can come during the wait.
      const names = nameQueue.takeNext();
      lingerBeganAt = null;
      if (names.length === 0) continue;
      void send(names, permit);
      permit = null;
    }
    isServing = false;
  }

  /** If only one name waits, resolves it with null. Its caller then sends a single request, which also finds aliases. */
  function returnLone(): boolean {
    const lone = maxNames > 1 ? nameQueue.takeLone() : undefined;
    lone?.resolve(null);
    return lone !== undefined;
  }

  async function send(names: readonly WaitingName[], { sent, responded }: Permit): Promise<void> {
    slots.running += 1;
    sent();
    const abort = new LightAbort();
    const request = apiRequest(
      requests,
      names.map(({ encoded }) => encoded),
    );
    const { requester } = names[0] as WaitingName;
    const sentAt = time.now();
    try {
      const { answer, head } = await base.dispatch(request, { abort, requester });
      times.typicalMs += (time.now() - sentAt - times.typicalMs) / 8;
      rate.learn(head.headers);
      slots.maxRunning = statedConcurrency(head.headers) ?? slots.maxRunning;
      deliver(names, answer);
    } catch (error) {
      if (error instanceof UpstreamFailure) report(error, request.path, base.base, requester);
      if (!isAboutNames(error) || maxNames === 1) for (const name of names) name.reject(error);
      else halve(names);
    } finally {
      responded();
      slots.running -= 1;
      options.onFreeSlot();
    }
  }

  function deliver(names: readonly WaitingName[], answer: BatchAnswer): void {
    if (answer.kind === 'FOUND') {
      for (const waitingName of names)
        if (!waitingName.isEnded) waitingName.resolve(answer.find(waitingName.name));
      return;
    }
    const isNamed = ({ name }: WaitingName): boolean => answer.names.has(canonicalName(name));
    if (!names.some(isNamed)) halve(names);
    else {
      for (const name of names) {
        if (isNamed(name)) name.resolve(null);
        else nameQueue.enterAgain(name);
      }
    }
  }

  /** Sends the names again in halves. Resolves a single name with null. Its caller then sends a request for this name. */
  function halve(names: readonly WaitingName[]): void {
    for (const name of names) {
      name.maxNames = Math.ceil(names.length / 2);
      if (names.length > 1) nameQueue.enterAgain(name);
      else name.resolve(null);
    }
  }

  function find(name: HandleName, pending: PendingLookUp): Promise<WireObject | null> {
    circuit.throwIfOpen();
    const waitingName = new WaitingName(name, requests.encode(name), pending, maxNames);
    nameQueue.enter(waitingName);
    lastRequester = pending.requester;
    // A microtask, so that all names of one tick share a request.
    queueMicrotask(serve);
    return waitingName.result;
  }

  return {
    /**
     * Looks up a name. Null if the service has no item, or if a request for several names cannot contain this name. Rejects
     * with an UpstreamFailure, or with the abort reason of the signal or of all waiting callers.
     */
    find: (name: HandleName, lookUp: LookUpOptions): Promise<WireObject | null> =>
      deadlines.run(name, lookUp, find),
    /** whether a request must wait now */
    get isBusy() {
      return rate.isUsedUp || slots.running >= slots.maxRunning;
    },
    /** Sends names that wait, if possible. Must be called when the circuit changes or no more names will come. */
    wake: serve,
    /** Ends look-ups that began at this moment or earlier. */
    endBegunBy: deadlines.endBegunBy,
    close(): void {
      cancelLinger();
      deadlines.close('the service was closed');
    },
  };
}

/** Whether a request with fewer names can succeed. A service that fails or is overloaded must not get more requests. */
function isAboutNames(error: unknown): boolean {
  if (!(error instanceof UpstreamFailure)) return false;
  const { kind, status } = error;
  if (kind === 'TOO_LARGE' || kind === 'CONTENT') return true;
  return kind === 'STATUS' && status !== null && (status === 400 || status === 413 || status === 414);
}
