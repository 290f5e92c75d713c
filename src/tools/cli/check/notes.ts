// The notes at the end of `doi check`, for standard error: the summary, and what it alone does not say.

import { safeText } from '../../../safe-text.ts';
import { NOT_FOUND_MEANS } from '../../gateway-client/match-references.ts';
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
  /** the names, and the words of references, whose answer in the lock file changed */
  readonly changedAnswers: Iterable<string>;
  /** null without --match */
  readonly matches: Pick<CheckedAnswers<'match'>, 'fromLock' | 'isSample' | 'offReason'> | null;
}

export function notesOn({ tally, unnamed, names, matches, lockFile, changedAnswers }: Ended): string[] {
  const rightDois = tally.matches.wrong.summary();
  const summaries = [tally.summary(), ...unnamed.summary(tally.matches.unnamed.summary())];
  const notes = [[...summaries, ...(rightDois === '' ? [] : [`right DOIs: ${rightDois}`])].join('; ')];
  if (tally.matches.unnamed.notFound + tally.matches.wrong.notFound > 0) notes.push(NOT_FOUND_MEANS);
  const { count, oldest, newest } = fromLock(names.fromLock, matches?.fromLock);
  if (count > 0) {
    const days = oldest === newest ? oldest : `${oldest} to ${newest}`;
    notes.push(
      `${countText(count, 'answer is', 'answers are')} from the lock file of ${days}, ${safeText(lockFile ?? '')}.`,
    );
  }
  const changed = [...changedAnswers].map((name) => safeText(name));
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
    const failed = [
      ...(reused > 0
        ? [`The ${part} of ${countText(reused, 'reference', 'references')} are from an older look-up.`]
        : []),
      ...(missing > 0
        ? [`The ${part} of ${countText(missing, 'reference', 'references')} could not be looked up.`]
        : []),
    ];
    if (failed.length === 0) continue;
    const whole = part === 'matches' ? (matches?.offReason ?? reason) : reason;
    notes.push(`${failed.join('\n')} ${whole}`);
  }
  if (matches?.isSample && tally.failedParts.matches.missing > 0) {
    notes.push(
      'The bundled sample has no search. To use the live DOI system:  CONTACT=you@example.org doi check --live --match …',
    );
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

type FromLock = CheckedAnswers<'name'>['fromLock'];

function fromLock(names: FromLock, matches: FromLock | undefined): FromLock {
  if (matches === undefined || matches.count === 0) return names;
  if (names.count === 0) return matches;
  const isOlder = (names.oldest ?? '') < (matches.oldest ?? '');
  const isNewer = (names.newest ?? '') > (matches.newest ?? '');
  const oldest = isOlder ? names.oldest : matches.oldest;
  const newest = isNewer ? names.newest : matches.newest;
  return { count: names.count + matches.count, oldest, newest };
}
