// Waits before a retry, and says so on standard error if the wait is long.

import type { CommandCall } from './command.ts';
import type { StatusLine } from './output.ts';

const MIN_REPORTED_MS = 5_000;

/** @param note Returns the beginning of the message: `doi check: some look-ups failed` */
export function createReportedWait(
  { stderr, wait }: Pick<CommandCall, 'stderr' | 'wait'>,
  note: () => string,
  status: StatusLine | null = null,
): CommandCall['wait'] {
  return async (ms) => {
    if (ms > MIN_REPORTED_MS) {
      await status?.clear();
      await stderr.write(`${note()}; next try in ${Math.round(ms / 1_000)} s.\n`);
    }
    await wait(ms);
  };
}
