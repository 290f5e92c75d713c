// Ctrl-C: operations that are under way have a second and a half to end. Pressed again it ends the process at once.

import type { Ask } from '../../ask/ask.ts';
import { OutputClosedError } from '../output.ts';
import type { BulkCall } from './bulk-options.ts';

const FINISH_MS = 1_500;

export interface Ending {
  /** the same, and knows whether it is under way */
  readonly ask: Ask;
  /** aborted when the time is over */
  readonly leave: AbortSignal;
  close(): void;
}

export function endsSoon({ signal, stderr }: Pick<BulkCall, 'signal' | 'stderr'>, ask: Ask): Ending {
  const leave = new AbortController();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    if (underWay === 0) return;
    timer = setTimeout(() => leave.abort(), FINISH_MS);
    if (signal.reason instanceof OutputClosedError) return;
    stderr.write('Finishing; press Ctrl-C again to stop now.\n').catch(() => undefined);
  };
  signal.addEventListener('abort', begin, { once: true });
  return {
    async ask(...operation) {
      underWay += 1;
      try {
        return await ask(...operation);
      } finally {
        underWay -= 1;
      }
    },
    leave: leave.signal,
    close() {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
