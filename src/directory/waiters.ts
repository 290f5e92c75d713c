// Who waits for one look-up: clients come and go while it is under way.

import { createLazyAbort } from './abortable.ts';
import { type Asker, OWN_WORK } from './asker.ts';

export interface Waiters {
  /** whose request is named in log and traces, and pays for what else has to be asked */
  readonly firstAsker: Asker;
  /** aborted when the look-up is given up; made when it is first asked for, since most look-ups need none */
  readonly givenUp: AbortSignal;
  readonly isGivenUp: boolean;
  throwIfGivenUp(): void;
  /** the key of each client that waits now, once */
  clients(): Iterable<string>;
  /** Tells of changes, until the function that it returns is called. */
  watch(watcher: WaitersWatcher): () => void;
  /** Ends the look-up. Nobody can join it from now on. */
  giveUp(): void;
}

export interface WaitersWatcher {
  joined?(client: string): void;
  left?(client: string): void;
  /** Nobody waits any more. Whether the look-up goes on for now; it is given up where no watcher says so. */
  goesOn?(): boolean;
  givenUp?(reason: Error): void;
}

export type ClientsWaiting = Pick<Waiters, 'clients' | 'watch' | 'giveUp'>;

/** For a look-up that one client alone can wait for: it ends with its signal. */
export function oneWaiter({ client }: Asker): ClientsWaiting {
  return { clients: () => [client.key], watch: () => () => {}, giveUp() {} };
}

/** The first client that still waits. Where all left while a request was under way, the look-up is given up. */
export function clientWaiting(waiters: ClientsWaiting): string | undefined {
  const [client] = waiters.clients();
  if (client === undefined) waiters.giveUp();
  return client;
}

/** A reason that takes no time to make. */
const NOBODY_WAITS = new Error('nobody waits for the look-up any more');

export interface WaitersList extends Waiters {
  enter(client: string): void;
  leave(client: string): void;
}

/** @param onGiveUp is called before the work hears of it; false: it has ended already */
export function createWaiters(firstAsker: Asker, onGiveUp: () => boolean): WaitersList {
  return new LookUpWaiters(firstAsker, onGiveUp);
}

/** A class, since each look-up makes one. */
class LookUpWaiters implements WaitersList {
  readonly firstAsker: Asker;
  readonly #onGiveUp: () => boolean;
  readonly #givenUp = createLazyAbort();
  readonly #counts = new Map<string, number>();
  readonly #watchers = new Set<WaitersWatcher>();

  constructor(firstAsker: Asker, onGiveUp: () => boolean) {
    this.firstAsker = firstAsker;
    this.#onGiveUp = onGiveUp;
  }

  get givenUp(): AbortSignal {
    return this.#givenUp.signal;
  }

  get isGivenUp(): boolean {
    return this.#givenUp.isAborted;
  }

  throwIfGivenUp(): void {
    if (this.#givenUp.isAborted) throw NOBODY_WAITS;
  }

  clients(): Iterable<string> {
    return this.#counts.keys();
  }

  watch(watcher: WaitersWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  giveUp(): void {
    if (this.#givenUp.isAborted || !this.#onGiveUp()) return;
    this.#givenUp.abort(NOBODY_WAITS);
    for (const watcher of this.#watchers) watcher.givenUp?.(NOBODY_WAITS);
  }

  enter(client: string): void {
    const count = this.#counts.get(client) ?? 0;
    this.#counts.set(client, count + 1);
    if (count === 0) for (const watcher of this.#watchers) watcher.joined?.(client);
  }

  leave(client: string): void {
    const count = this.#counts.get(client) ?? 0;
    if (count > 1) {
      this.#counts.set(client, count - 1);
      return;
    }
    this.#counts.delete(client);
    for (const watcher of this.#watchers) watcher.left?.(client);
    if (this.#counts.size > 0) return;
    for (const watcher of this.#watchers) if (watcher.goesOn?.()) return;
    this.giveUp();
  }
}

/** All who wait for any of several look-ups that one request answers. It is given up with the last of them. */
export function waitersOfAll(lookUps: readonly Waiters[]): Waiters {
  const all = createWaiters(lookUps[0]?.firstAsker ?? OWN_WORK, () => {
    for (const lookUp of lookUps) lookUp.giveUp();
    return true;
  });
  for (const lookUp of lookUps) {
    for (const client of lookUp.clients()) all.enter(client);
    lookUp.watch({
      joined: (client) => all.enter(client),
      left: (client) => all.leave(client),
      goesOn: () => !all.isGivenUp,
    });
  }
  return all;
}
