// Work of all jobs in slices: in each turn of the event loop one piece of it, whatever there is to do. So the requests
// of others wait for one piece at most, however many files arrive and chunks are written.

export interface Turns {
  /** Resolves in a later turn of the event loop, for one caller a turn: one of each client, in rotation. */
  next(client: string): Promise<void>;
}

export function createTurns(): Turns {
  /** by client; the client at the front is next */
  const waiting = new Map<string, (() => void)[]>();

  function giveTurn(): void {
    const [first] = waiting;
    if (first === undefined) return;
    const [client, [grant, ...others]] = first;
    waiting.delete(client);
    if (others.length > 0) waiting.set(client, others);
    grant?.();
    if (waiting.size > 0) setImmediate(giveTurn);
  }

  return {
    next: (client) =>
      new Promise((resolve) => {
        if (waiting.size === 0) setImmediate(giveTurn);
        const others = waiting.get(client);
        if (others) others.push(resolve);
        else waiting.set(client, [resolve]);
      }),
  };
}

/** The time to read the shortest rows of a piece is a few milliseconds. */
const PIECE_BYTES = 4_096;

/** A body in small pieces, each in a turn. */
export async function* inTurns(
  source: AsyncIterable<Uint8Array>,
  turns: Turns,
  client: string,
): AsyncGenerator<Uint8Array> {
  for await (const part of source) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      await turns.next(client);
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}
