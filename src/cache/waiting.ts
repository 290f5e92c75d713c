// On whose behalf the directory is asked, and what ends the waiting for it.

import { abortable } from '../directory/abortable.ts';
import type { Asker } from '../directory/asker.ts';
import type { ResolveOptions } from '../directory/directory.ts';
import type { Waiters } from '../directory/waiters.ts';

/** For a directory that knows waiters, and for one that knows a signal alone. */
export function askedFor(
  waiters: Waiters,
  { auth = false, cert = false }: ResolveOptions = {},
): ResolveOptions {
  return new AskedForWaiters(waiters, auth, cert);
}

/** A class, since an object literal with a getter takes a microsecond to make. */
class AskedForWaiters implements ResolveOptions {
  readonly auth: boolean;
  readonly cert: boolean;
  readonly asker: Asker;
  readonly waiters: Waiters;

  constructor(waiters: Waiters, auth: boolean, cert: boolean) {
    this.auth = auth;
    this.cert = cert;
    this.asker = waiters.firstAsker;
    this.waiters = waiters;
  }

  get signal(): AbortSignal {
    return this.waiters.givenUp;
  }
}

/**
 * Ends the waiting of a client that is gone, wherever its look-up is. What nobody else waits for is then given up.
 */
export function unlessGone<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal ? abortable(answer, signal) : answer;
}
