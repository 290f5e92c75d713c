// Begins the look-ups of one request step by step. Other requests run between the steps. A look-up that has not begun
// needs little memory.

import { GatewayError } from '../errors.ts';

/** The abort reason if the whole operation has failed and does not wait for its look-ups. */
export class Abandoned extends GatewayError {
  constructor() {
    super('GATEWAY_BUSY', { message: 'The operation that needed this look-up has failed as a whole.' });
  }
}

interface LookUpStarterOptions {
  /** After an abort, waiting look-ups reject with the abort reason. If the reason is Abandoned, they never settle. */
  readonly signal: AbortSignal;
  /** the limit of the directory; twice as many look-ups can begin, so that no slot is idle */
  readonly maxRequests: number;
  /** resolves in a later turn of the event loop */
  readonly nextTurn: () => Promise<void>;
  /** Whether a failure means that each look-up that waits would wait in vain, because the directory is down. */
  readonly isOutage: (error: unknown) => boolean;
}

/**
 * Look-ups begin in the order of the calls. If a look-up fails in an outage, the look-ups that wait then get its failure as
 * `noRequest`: only a cache can answer them.
 */
type StartLookUp = <T>(lookUp: (noRequest: GatewayError | undefined) => Promise<T>) => Promise<T>;

/** At most this many look-ups begin in one turn of the event loop. To begin or to end a look-up takes 20 to 100 µs. */
const MAX_PER_TURN = 64;

interface WaitingLookUp {
  noRequest: GatewayError | undefined;
  begin(): void;
  reject(reason: unknown): void;
}

export function createLookUpStarter(options: LookUpStarterOptions): StartLookUp {
  const { signal, nextTurn } = options;
  const maxRunning = Math.max(MAX_PER_TURN, 2 * options.maxRequests);
  const waitingLookUps = new Set<WaitingLookUp>();
  let runningCount = 0;
  let begunInTurn = 0;
  let awaitsTurn = false;

  function beginWaiting(): void {
    for (const lookUp of waitingLookUps) {
      if (awaitsTurn || (runningCount >= maxRunning && !signal.aborted)) return;
      if (begunInTurn === MAX_PER_TURN) {
        beginInNextTurn();
        return;
      }
      begunInTurn += 1;
      waitingLookUps.delete(lookUp);
      if (signal.aborted) lookUp.reject(signal.reason);
      else lookUp.begin();
    }
  }

  function beginInNextTurn(): void {
    awaitsTurn = true;
    void nextTurn().then(() => {
      awaitsTurn = false;
      begunInTurn = 0;
      beginWaiting();
    });
  }

  function onEnd(): void {
    runningCount -= 1;
    beginWaiting();
  }

  function onFailure(error: unknown): void {
    const [first] = waitingLookUps;
    if (first && !first.noRequest && options.isOutage(error)) {
      for (const lookUp of waitingLookUps) lookUp.noRequest = error as GatewayError;
    }
    onEnd();
  }

  // If the operation was abandoned, its waiting look-ups are dropped: to reject a thousand look-ups takes many turns.
  function onAbort(): void {
    if (signal.reason instanceof Abandoned) waitingLookUps.clear();
    beginWaiting();
  }

  signal.addEventListener('abort', onAbort, { once: true });
  return (lookUp) =>
    new Promise((resolve, reject) => {
      const waiting: WaitingLookUp = {
        noRequest: undefined,
        begin(): void {
          runningCount += 1;
          const answer = lookUp(waiting.noRequest);
          answer.then(onEnd, onFailure);
          resolve(answer);
        },
        reject,
      };
      waitingLookUps.add(waiting);
      if (signal.aborted) onAbort();
      else beginWaiting();
    });
}
