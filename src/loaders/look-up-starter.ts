// Begins the look-ups of one request: not all at once, so that those of others get their turn, and so that what waits
// takes no more than its name.

import { GatewayError } from '../errors.ts';

/** The abort reason of an operation that has failed as a whole: it does not wait for its look-ups any more. */
export class Abandoned extends GatewayError {
  constructor() {
    super('GATEWAY_BUSY', { message: 'The operation that needed this look-up has failed as a whole.' });
  }
}

interface LookUpStarterOptions {
  /** What has not begun by then rejects with its reason, or is forgotten where that is Abandoned. */
  readonly signal: AbortSignal;
  /** of the directory; as many look-ups again are begun, to be there when others have ended */
  readonly maxRequests: number;
  /** resolves in a later turn of the event loop */
  readonly nextTurn: () => Promise<void>;
}

/** Look-ups begin in the order in which they came here. */
type StartLookUp = <T>(lookUp: () => Promise<T>) => Promise<T>;

/** In one turn of the event loop. To begin a look-up, or to end one, takes 20 to 100 µs. */
const MOST_IN_A_TURN = 64;

interface Waiting {
  begin(): void;
  reject(reason: unknown): void;
}

export function createLookUpStarter(options: LookUpStarterOptions): StartLookUp {
  const { signal, nextTurn } = options;
  const mostAtOnce = Math.max(MOST_IN_A_TURN, 2 * options.maxRequests);
  const waiting = new Set<Waiting>();
  let underWay = 0;
  let sinceTurn = 0;
  let awaitsTurn = false;

  function goOn(): void {
    for (const lookUp of waiting) {
      if (awaitsTurn || (underWay >= mostAtOnce && !signal.aborted)) return;
      if (sinceTurn === MOST_IN_A_TURN) {
        goOnInNextTurn();
        return;
      }
      sinceTurn += 1;
      waiting.delete(lookUp);
      if (signal.aborted) lookUp.reject(signal.reason);
      else lookUp.begin();
    }
  }

  function goOnInNextTurn(): void {
    awaitsTurn = true;
    void nextTurn().then(() => {
      awaitsTurn = false;
      sinceTurn = 0;
      goOn();
    });
  }

  function ended(): void {
    underWay -= 1;
    goOn();
  }

  // To reject a thousand of them takes many turns, and all that time they would take memory.
  function forget(): void {
    if (signal.reason instanceof Abandoned) waiting.clear();
    goOn();
  }

  signal.addEventListener('abort', forget, { once: true });
  return (lookUp) =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        underWay += 1;
        const answer = lookUp();
        answer.then(ended, ended);
        resolve(answer);
      };
      waiting.add({ begin, reject });
      if (signal.aborted) forget();
      else goOn();
    });
}
