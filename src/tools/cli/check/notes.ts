// The notes at the end of `doi check`, for standard error: the summary, and what it alone does not say.

import { safeText } from '../../../safe-text.ts';
import { countText } from '../output.ts';
import type { CheckedAnswers } from './checked-answers.ts';
import type { Tally } from './count-references.ts';
import type { UnnamedReferences } from './unnamed-references.ts';

/** The notes list at most this many names whose answer changed. */
const MAX_CHANGED_NAMES = 50;

interface Ended {
  readonly tally: Tally;
  readonly unnamed: UnnamedReferences;
  readonly names: Pick<CheckedAnswers<'name'>, 'fromLock' | 'isSample'>;
  /** the path of --lock */
  readonly lockFile: string | undefined;
  /** the names whose answer in the lock file changed */
  readonly changedNames: Iterable<string>;
}

export function notesOn({ tally, unnamed, names, lockFile, changedNames }: Ended): string[] {
  const notes = [[tally.summary(), ...unnamed.summary()].join('; ')];
  const { count, oldest, newest } = names.fromLock;
  if (count > 0) {
    const days = oldest === newest ? oldest : `${oldest} to ${newest}`;
    notes.push(
      `${countText(count, 'answer is', 'answers are')} from the lock file of ${days}, ${safeText(lockFile ?? '')}.`,
    );
  }
  const changed = [...changedNames].map((name) => safeText(name));
  if (changed.length > 0) {
    const more = changed.length - MAX_CHANGED_NAMES;
    const named = `${changed.slice(0, MAX_CHANGED_NAMES).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
    notes.push(`${countText(changed.length, 'answer', 'answers')} changed: ${named}`);
  }
  if (tally.reused > 0) {
    notes.push(
      `doi check used ${countText(tally.reused, 'answer', 'answers')} of ${safeText(lockFile ?? '')} again, because a new look-up failed.`,
    );
  }
  for (const [part, { reused, missing, reason }] of Object.entries(tally.failedParts)) {
    if (reused > 0)
      notes.push(
        `The ${part} of ${countText(reused, 'reference', 'references')} are from an older look-up. ${reason}`,
      );
    if (missing > 0) {
      notes.push(
        `The ${part} of ${countText(missing, 'reference', 'references')} could not be looked up. ${reason}`,
      );
    }
  }
  if (tally.notInSample > 0) {
    notes.push(
      `${countText(tally.notInSample, 'reference is', 'references are')} not among the records of the bundled sample, but might still exist. To use the live DOI system:  CONTACT=you@example.org doi check --live …`,
    );
  }
  if (names.isSample && lockFile !== undefined) {
    notes.push(`Answers of the bundled sample are not stored in ${safeText(lockFile)}.`);
  }
  return notes;
}
