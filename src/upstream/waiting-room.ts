// Look-ups that wait until the directory can be asked again. They are not yet in the queue for a connection.

export interface WaitingRoom {
  /**
   * Resolves with the next `wake`, for all in the order in which they came. Rejects with the signal's reason.
   * null: there is no place. A client may have half of the places that are free, so that the next one finds some.
   */
  enter(client: string, signal: AbortSignal): Promise<void> | null;
  wake(): void;
}

export function createWaitingRoom(places: number): WaitingRoom {
  const waiting = new Set<() => void>();
  const ofClient = new Map<string, number>();

  function leave(client: string, wake: () => void): void {
    waiting.delete(wake);
    const left = (ofClient.get(client) ?? 1) - 1;
    if (left === 0) ofClient.delete(client);
    else ofClient.set(client, left);
  }

  return {
    enter(client, signal) {
      const own = ofClient.get(client) ?? 0;
      const free = places - waiting.size;
      if (own >= (own + free) / 2) return null;
      ofClient.set(client, own + 1);
      return new Promise((resolve, reject) => {
        const go = () => {
          leave(client, go);
          signal.removeEventListener('abort', goAway);
          resolve();
        };
        const goAway = () => {
          leave(client, go);
          reject(signal.reason);
        };
        waiting.add(go);
        if (signal.aborted) goAway();
        else signal.addEventListener('abort', goAway, { once: true });
      });
    },
    wake() {
      for (const go of [...waiting]) go();
    },
  };
}
