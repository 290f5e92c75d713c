// The clients that wait for one look-up. They may join and leave while it runs.

import { createLazyAbort } from './abortable.ts';
import { OWN_WORK, type Requester } from './requester.ts';

export interface Waiters {
  /** named in the log and in traces; its client's budget pays for extra requests */
  readonly firstRequester: Requester;
  /** aborted when the last waiter has left; made at first use, because most look-ups need no signal */
  readonly signal: AbortSignal;
  readonly isAborted: boolean;
  throwIfAborted(): void;
  /** the keys of the clients that wait now, each once */
  clients(): Iterable<string>;
  /** Reports changes, until the returned function is called. */
  watch(watcher: WaitersWatcher): () => void;
  /** Ends the look-up. No client can join it afterwards. */
  abort(): void;
}

export interface WaitersWatcher {
  joined?(client: string): void;
  left?(client: string): void;
  /** No client waits any more. Returns whether the look-up continues; if no watcher returns true, it ends. */
  continues?(): boolean;
  aborted?(reason: Error): void;
}

export type WaitingClients = Pick<Waiters, 'clients' | 'watch' | 'abort'>;

/** For a look-up that only one client can wait for: it ends with its signal. */
export function oneWaiter({ client }: Requester): WaitingClients {
  return { clients: () => [client.key], watch: () => () => {}, abort() {} };
}

/** The first client that still waits. Ends the look-up if all have left. */
export function firstClientOrAbort(waiters: WaitingClients): string | undefined {
  const [client] = waiters.clients();
  if (client === undefined) waiters.abort();
  return client;
}

/** Made once, because errors are slow to make. */
const ALL_HAVE_LEFT = new Error('no client waits for the look-up any more');

export interface OpenWaiters extends Waiters {
  enter(client: string): void;
  leave(client: string): void;
}

/** @param onGiveUp called before the watchers; returns false if the look-up has already ended */
export function createWaiters(firstAsker: Requester, onGiveUp: () => boolean): OpenWaiters {
  return new LookUpWaiters(firstAsker, onGiveUp);
}

/** A class, because each look-up makes one. */
class LookUpWaiters implements OpenWaiters {
  readonly firstRequester: Requester;
  readonly #onGiveUp: () => boolean;
  readonly #givenUp = createLazyAbort();
  readonly #counts = new Map<string, number>();
  readonly #watchers = new Set<WaitersWatcher>();

  constructor(firstAsker: Requester, onGiveUp: () => boolean) {
    this.firstRequester = firstAsker;
    this.#onGiveUp = onGiveUp;
  }

  get signal(): AbortSignal {
    return this.#givenUp.signal;
  }

  get isAborted(): boolean {
    return this.#givenUp.isAborted;
  }

  throwIfAborted(): void {
    if (this.#givenUp.isAborted) throw ALL_HAVE_LEFT;
  }

  clients(): Iterable<string> {
    return this.#counts.keys();
  }

  watch(watcher: WaitersWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  abort(): void {
    if (this.#givenUp.isAborted || !this.#onGiveUp()) return;
    this.#givenUp.abort(ALL_HAVE_LEFT);
    for (const watcher of this.#watchers) watcher.aborted?.(ALL_HAVE_LEFT);
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
    for (const watcher of this.#watchers) if (watcher.continues?.()) return;
    this.abort();
  }
}

/** The waiters of several look-ups that one request answers. It ends when the last waiter has left. */
export function waitersOfAll(lookUps: readonly Waiters[]): Waiters {
  const all = createWaiters(lookUps[0]?.firstRequester ?? OWN_WORK, () => {
    for (const lookUp of lookUps) lookUp.abort();
    return true;
  });
  for (const lookUp of lookUps) {
    for (const client of lookUp.clients()) all.enter(client);
    lookUp.watch({
      joined: (client) => all.enter(client),
      left: (client) => all.leave(client),
      continues: () => !all.isAborted,
    });
  }
  return all;
}
