// What the table says, in words.

import type { Choice } from './look-up.ts';
import { type Outcome, outcomeOf, type Row } from './row.ts';
import type { Updates } from './titles.ts';
import { hasNotice, updateWords } from './update-words.ts';

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  waiting: 'Waiting',
  found: 'Found',
  absent: 'Not found',
  unreadable: 'Not a DOI',
  failed: 'Failed',
};

const choiceWords: Readonly<Record<Choice, string>> = {
  COUNTRY: 'chosen by country',
  LOCATT: 'chosen by attribute',
  NONE: 'leads nowhere',
  ONLY_LOCATION: 'its only location',
  SCORE: 'the location with the highest score',
  URL: 'URL value',
  WEIGHTED: 'drawn by weight',
};

/** The list of choices grows: a gateway newer than this app may know others. */
export function choiceInWords(choice: Choice): string {
  return (choiceWords as Readonly<Record<string, string>>)[choice] ?? choice.toLowerCase();
}

/** "None recorded" never means "sound". */
export function updatesInWords(updates: Updates): string {
  const { outcome, source } = updates;
  if (hasNotice(updates)) return updateWords[outcome] ?? outcome;
  return outcome === 'NONE_RECORDED'
    ? `retractions: none recorded by ${source}`
    : `retractions: not reported by ${source} for this DOI`;
}

export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** `3 found, 1 not found`, for those outcomes that there are. */
export function summary(rows: readonly Row[]): string {
  const outcomes = rows.map(outcomeOf);
  const kinds = (Object.keys(outcomeWords) as Outcome[]).map((kind) => {
    return [outcomes.filter((outcome) => outcome === kind).length, outcomeInSentence(kind)] as const;
  });
  const stale = rows.filter(({ answer }) => answer?.record?.stale).length;
  return [...kinds, [stale, 'old copies'] as const]
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number.toLocaleString('en')} ${words}`)
    .join(', ');
}

function outcomeInSentence(outcome: Outcome): string {
  const words = outcomeWords[outcome];
  return words.charAt(0).toLowerCase() + words.slice(1);
}
