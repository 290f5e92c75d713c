// Reads short texts of one work. Texts with markup take a hundred times as long, so all texts of a work share a budget.

import { inOneLine, isPlain, readMarkup } from './title-markup.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** How many characters of texts that perhaps have markup are still read. */
export interface CharacterBudget {
  characters: number;
}

/** How much of one work is still read. All people of a work share it. */
export interface MarkupBudget extends CharacterBudget {
  /** Separate, so that long affiliations leave the budget of the names alone. */
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
