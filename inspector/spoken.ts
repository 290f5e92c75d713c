// The sentence that a screen reader reads for a response of the directory.

import type { AnswerError, DirectoryDoi, Named } from './answers.ts';
import { spelledOut } from './text.ts';
import { count, statusInWords } from './words.ts';

export function summary(
  { name: whole }: Named,
  { record, registrationAgency, suggestions }: DirectoryDoi,
  errors: readonly AnswerError[],
  isEmbedded: boolean,
) {
  const name = shortened(whole);
  if (!record) return `${name}. ${errors[0]?.message ?? ''}`;
  const agency = registrationAgency ? ` by ${registrationAgency.title ?? registrationAgency.name}` : '';
  const hint = suggestions && suggestions.length > 0 ? ` ${count(suggestions.length, 'suggestion')}.` : '';
  return `${name}. ${statusInWords(record.status, isEmbedded)}${agency}.${hint}`;
}

/** At most 80 characters, because a longer text is tiring to hear. */
export function shortened(name: string) {
  const characters = Array.from(name.slice(0, 200));
  return spelledOut(characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : name);
}

export function isRegistered({ record }: DirectoryDoi) {
  return record?.status === 'SUCCESS' || record?.status === 'VALUES_NOT_FOUND';
}
