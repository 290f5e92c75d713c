// Admits uploads in a fair order. Redis runs one script at a time, and the script that admits reads the state of all jobs.
// If a crowd of uploads ran their scripts at once, the commands of other clients would time out behind them.

import { FairQueue } from '../../fair-queue.ts';

/** The number of scripts that a process has in Redis at the same time. */
const AT_ONCE = 4;
/** the tag of all clients without an API key: together they have the turns of one client */
const ANONYMOUS = Symbol('anonymous');

/** Returns a function that runs `action` when it is the turn of its client. @param client null: no API key */
export function createAdmissions() {
  const waiting = new FairQueue<() => Promise<void>>();
  let running = 0;

  async function startNext(): Promise<void> {
    const next = running < AT_ONCE ? waiting.take() : undefined;
    if (next === undefined) return;
    running += 1;
    await next.task();
    running -= 1;
    waiting.used(next.client, 1);
    void startNext();
  }

  return <Result>(client: string | null, action: () => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.add(client ?? ANONYMOUS, () => action().then(resolve, reject));
      void startNext();
    });
}
