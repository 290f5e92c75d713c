// Begins the look-ups of one request step by step, so that other requests run in between, and so that a look-up that has
// not begun takes little memory.

import { GatewayError } from '../errors.ts';

/** The abort reason if the whole operation has failed, so that it does not wait for its look-ups. */
export class Abandoned extends GatewayError {
  constructor() {
    super('GATEWAY_BUSY', { message: 'The operation that needed this look-up has failed as a whole.' });
  }
}

interface LookUpStarterOptions {
  /** Look-ups that have not begun reject with its reason. If the reason is Abandoned, they never settle. */
  readonly signal: AbortSignal;
  /** the limit of the directory; twice as many look-ups may have begun, so that no slot is idle */
  readonly maxRequests: number;
  /** resolves in a later turn of the event loop */
  readonly nextTurn: () => Promise<void>;
}

/** Look-ups begin in the order in which they came here. */
type StartLookUp = <T>(lookUp: () => Promise<T>) => Promise<T>;

/** Look-ups that begin in one turn of the event loop. To begin or to end a look-up takes 20 to 100 µs. */
const MOST_IN_A_TURN = 64;

interface Waiting {
  begin(): void;
  reject(reason: unknown): void;
}

export function createLookUpStarter(options: LookUpStarterOptions): StartLookUp {
  const { signal, nextTurn } = options;
  const mostAtOnce = Math.max(MOST_IN_A_TURN, 2 * options.maxRequests);
  const waiting = new Set<Waiting>();
  let running = 0;
  let begunInTurn = 0;
  let awaitsTurn = false;

  function goOn(): void {
    for (const lookUp of waiting) {
      if (awaitsTurn || (running >= mostAtOnce && !signal.aborted)) return;
      if (begunInTurn === MOST_IN_A_TURN) {
        goOnInNextTurn();
        return;
      }
      begunInTurn += 1;
      waiting.delete(lookUp);
      if (signal.aborted) lookUp.reject(signal.reason);
      else lookUp.begin();
    }
  }

  function goOnInNextTurn(): void {
    awaitsTurn = true;
    void nextTurn().then(() => {
      awaitsTurn = false;
      begunInTurn = 0;
      goOn();
    });
  }

  function ended(): void {
    running -= 1;
    goOn();
  }

  // If the operation was abandoned, drops all waiting look-ups: to reject a thousand of them takes many turns.
  function onAbort(): void {
    if (signal.reason instanceof Abandoned) waiting.clear();
    goOn();
  }

  signal.addEventListener('abort', onAbort, { once: true });
  return (lookUp) =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        running += 1;
        const answer = lookUp();
        answer.then(ended, ended);
        resolve(answer);
      };
      waiting.add({ begin, reject });
      if (signal.aborted) onAbort();
      else goOn();
    });
}
