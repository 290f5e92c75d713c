// The gateway that a command asks: in this very process, or a running one.

import type { Ask } from '../ask/ask.ts';

export interface Gateway {
  readonly ask: Ask;
  /** look-ups that one operation may make; null where a running gateway has not said */
  readonly maxLookups: number | null;
  /** the directory is the bundled sample, of which nothing follows for names that are not in it */
  readonly isSample: boolean;
  /** which directory answers: its base URLs, or `embedded`; the same text for the same directory */
  readonly directory: string;
  close(): Promise<void>;
}
