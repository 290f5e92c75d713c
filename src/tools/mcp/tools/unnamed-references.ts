// The entries of the lists of references in a text, divided by whether they have a DOI.

import type { DoiMatch } from 'doi-names';
import { type ReferenceEntry, UnnamedEntries } from 'doi-names/parts';
import { Slices } from '../../../slices.ts';
import type { ToolContext } from './tool.ts';

export type UnnamedReference = Omit<ReferenceEntry, 'line'>;

export interface EntriesOfText {
  readonly unnamed: readonly UnnamedReference[];
  readonly named: readonly Pick<ReferenceEntry, 'start' | 'end' | 'isRecord' | 'text'>[];
}

interface ReadPart {
  /** the offset at which the call began to read */
  readonly from: number;
  /** the offset at which the next call begins; null: the call read the whole text */
  readonly continueAt: number | null;
  /** the DOIs of the read part */
  readonly places: readonly DoiMatch[];
}

/** A report names at most this many. */
export const MAX_UNNAMED = 100;

/** The number of characters that are read before other tasks can run */
const CHARACTERS_AT_ONCE = 16_384;

/** Returns the entries that lie in the read part as a whole. Rejects with the signal's reason. */
export async function entriesOfText(
  text: string,
  { from, continueAt, places }: ReadPart,
  { turns, signal }: Pick<ToolContext, 'turns' | 'signal'>,
): Promise<EntriesOfText> {
  const slices = new Slices(turns);
  const entries = new UnnamedEntries();
  const end = continueAt ?? text.length;
  for (let at = 0; at < text.length; at += CHARACTERS_AT_ONCE) {
    entries.add(text.slice(at, at + CHARACTERS_AT_ONCE));
    if (slices.isOverNow()) {
      await slices.next();
      signal.throwIfAborted();
    }
  }
  entries.end();
  for (const { start } of places) entries.addName(start);
  const { unnamed, named } = entries.takeDivided(end);
  return { unnamed: unnamed.filter(({ start }) => start >= from), named };
}

/** Lines of the report; no lines if each entry has a DOI. */
export function unnamedLines(unnamed: readonly UnnamedReference[]): string[] {
  if (unnamed.length === 0) return [];
  const more = unnamed.length - MAX_UNNAMED;
  return [
    `WITHOUT A DOI: ${unnamed.length}`,
    ...unnamed.slice(0, MAX_UNNAMED).map(({ start, words }) => `${start}: ${words}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
