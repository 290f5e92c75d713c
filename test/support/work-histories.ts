// The updates of a work, as agencies report them.

import type { Update, UpdateKind, UpdateOutcome } from '../../src/works/retractions-and-updates.ts';
import type { WorkHistory } from '../../src/works/work.ts';

/** A history with a notice of each kind: 2020-05-06, https://doi.org/10.5555/n, publisher. */
export function workHistory(outcome: UpdateOutcome, ...kinds: readonly UpdateKind[]): WorkHistory {
  const notices = kinds.map(
    (kind): Update => ({
      kind,
      type: kind,
      doi: '10.5555/n',
      date: { year: 2020, month: 5, day: 6, text: '2020-05-06' },
      sources: ['publisher'],
      recordIds: [],
    }),
  );
  return { updates: { outcome, notices, noticeOf: [] }, relations: [] };
}
