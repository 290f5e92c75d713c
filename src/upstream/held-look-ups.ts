// Look-ups that wait until a circuit closes. They are not in the queue.

export interface HeldLookUps {
  /**
   * Resolves with the next `wake`, in the order of the calls. Rejects with the signal's reason.
   * null: too many wait. A client may take half of the free places, so that the next client finds some.
   */
  wait(client: string, signal: AbortSignal): Promise<void> | null;
  wake(): void;
}

export function createHeldLookUps(maxWaiting: number): HeldLookUps {
  const waiting = new Set<() => void>();
  const ofClient = new Map<string, number>();

  function leave(client: string, wake: () => void): void {
    waiting.delete(wake);
    const left = (ofClient.get(client) ?? 1) - 1;
    if (left === 0) ofClient.delete(client);
    else ofClient.set(client, left);
  }

  return {
    wait(client, signal) {
      const own = ofClient.get(client) ?? 0;
      const free = maxWaiting - waiting.size;
      if (own >= (own + free) / 2) return null;
      ofClient.set(client, own + 1);
      return new Promise((resolve, reject) => {
        const go = () => {
          leave(client, go);
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = () => {
          leave(client, go);
          reject(signal.reason);
        };
        waiting.add(go);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    wake() {
      for (const go of [...waiting]) go();
    },
  };
}
