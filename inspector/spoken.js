// @ts-check
// The sentence that a screen reader reads for a response of the directory.

import { spelledOut } from './text.js';
import { count, statusInWords } from './words.js';

/** @import { AnswerError, DirectoryDoi, Named } from './answers.js' */

/** @param {Named} named @param {DirectoryDoi} doi @param {readonly AnswerError[]} errors @param {boolean} isEmbedded */
export function summary({ name: whole }, { record, registrationAgency, suggestions }, errors, isEmbedded) {
  const name = shortened(whole);
  if (!record) return `${name}. ${errors[0]?.message ?? ''}`;
  const agency = registrationAgency ? ` by ${registrationAgency.title ?? registrationAgency.name}` : '';
  const hint = suggestions && suggestions.length > 0 ? ` ${count(suggestions.length, 'suggestion')}.` : '';
  return `${name}. ${statusInWords(record.status, isEmbedded)}${agency}.${hint}`;
}

/** At most 80 characters, because a longer text is tiring to hear. @param {string} name */
export function shortened(name) {
  const characters = Array.from(name.slice(0, 200));
  return spelledOut(characters.length > 80 ? `${characters.slice(0, 80).join('')}…` : name);
}

/** @param {DirectoryDoi} named */
export function isRegistered({ record }) {
  return record?.status === 'SUCCESS' || record?.status === 'VALUES_NOT_FOUND';
}
