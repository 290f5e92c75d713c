// Reads short texts of one work. Texts with markup take a hundred times as long, so all texts of a work share a budget.

import { inOneLine, isPlain, readMarkup } from './title-markup.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** The number of characters that are still read, of texts that perhaps have markup. */
export interface CharacterBudget {
  characters: number;
}

/** The number of characters of one work that are still read. All people of a work share this budget. */
export interface MarkupBudget extends CharacterBudget {
  /** A separate budget, so that long affiliations do not use the budget of the names. */
  readonly affiliations: CharacterBudget & { entries: number };
}

export function markupBudget(): MarkupBudget {
  const characters = WORK_LIMITS.markedUpNameCharacters;
  return { characters, affiliations: { characters, entries: WORK_LIMITS.affiliations } };
}

/** The text in one line, without markup. A longer text is cut and gets an ellipsis. After the budget, markup stays. */
export function plainWithin(text: string, budget: CharacterBudget, maxCharacters: number): string {
  const length = Math.min(text.length, maxCharacters);
  const start = length < text.length ? text.slice(0, length).toWellFormed() : text;
  if (isPlain(start) || budget.characters < length) {
    return inOneLine(length < text.length ? `${start}…` : start);
  }
  budget.characters -= length;
  return readMarkup(text, length).text;
}
