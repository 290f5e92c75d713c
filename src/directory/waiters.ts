// The clients that wait for one look-up. Clients can join and leave while the look-up runs. When all clients have left,
// the look-up is aborted.

import { LightAbort } from '../abortable.ts';
import { type Client, GATEWAY_ITSELF, type Requester } from './requester.ts';

interface WaitersWatcher {
  joined?(client: Client): void;
  left?(client: Client): void;
  /** Called when no client waits any more. If no watcher returns true, the look-up is aborted. */
  mustContinue?(): boolean;
  aborted?(reason: Error): void;
}

export type WaitingClients = Pick<Waiters, 'clients' | 'watch' | 'abort'>;

/** The waiters of a look-up with only one client. The client's own signal ends the look-up, so `abort` does nothing. */
export function oneWaiter({ client }: Requester): WaitingClients {
  return { clients: () => [client], watch: () => () => {}, abort() {} };
}

/** Returns the first client that still waits. If all have left, aborts the look-up and returns undefined. */
export function firstClientOrAbort(waiters: WaitingClients): Client | undefined {
  const [client] = waiters.clients();
  if (client === undefined) waiters.abort();
  return client;
}

/** The error is made once, because errors are slow to make. */
const ALL_HAVE_LEFT = new Error('no client waits for the look-up any more');

/** A class, because each look-up makes an instance and an object literal with getters is slower to make. */
export class Waiters {
  /** Logs and traces contain its id. Extra requests are taken from the budget of its client. */
  readonly firstRequester: Requester;
  readonly #onAbort: () => boolean;
  readonly #abort = new LightAbort();
  readonly #byKey = new Map<string, { readonly client: Client; lookUps: number }>();
  readonly #watchers = new Set<WaitersWatcher>();

  /** @param onAbort called before the watchers; returns false if the look-up has already ended */
  constructor(firstRequester: Requester, onAbort: () => boolean) {
    this.firstRequester = firstRequester;
    this.#onAbort = onAbort;
  }

  /** Aborted when the look-up is aborted. The signal is made at the first use, because most look-ups need none. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isAborted(): boolean {
    return this.#abort.isAborted;
  }

  throwIfAborted(): void {
    if (this.#abort.isAborted) throw ALL_HAVE_LEFT;
  }

  /** the clients that wait now, without duplicates */
  clients(): Iterable<Client> {
    return Array.from(this.#byKey.values(), ({ client }) => client);
  }

  /** Reports changes to the watcher, until the returned function is called. */
  watch(watcher: WaitersWatcher): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Aborts the look-up. After that, no client can join it. */
  abort(): void {
    if (this.#abort.isAborted || !this.#onAbort()) return;
    this.#abort.abort(ALL_HAVE_LEFT);
    for (const watcher of this.#watchers) watcher.aborted?.(ALL_HAVE_LEFT);
  }

  enter(client: Client): void {
    const known = this.#byKey.get(client.key);
    if (known) known.lookUps += 1;
    else {
      this.#byKey.set(client.key, { client, lookUps: 1 });
      for (const watcher of this.#watchers) watcher.joined?.(client);
    }
  }

  leave(client: Client): void {
    const known = this.#byKey.get(client.key);
    if (known && known.lookUps > 1) {
      known.lookUps -= 1;
      return;
    }
    this.#byKey.delete(client.key);
    for (const watcher of this.#watchers) watcher.left?.(client);
    if (this.#byKey.size > 0) return;
    for (const watcher of this.#watchers) if (watcher.mustContinue?.()) return;
    this.abort();
  }
}

/** The waiters of several look-ups that share one request. The request is aborted when the last waiter has left. */
export function waitersOfAll(lookUps: readonly Waiters[]): Waiters {
  const all = new Waiters(lookUps[0]?.firstRequester ?? GATEWAY_ITSELF, () => {
    for (const lookUp of lookUps) lookUp.abort();
    return true;
  });
  for (const lookUp of lookUps) {
    for (const client of lookUp.clients()) all.enter(client);
    lookUp.watch({
      joined: (client) => all.enter(client),
      left: (client) => all.leave(client),
      mustContinue: () => !all.isAborted,
    });
  }
  return all;
}
