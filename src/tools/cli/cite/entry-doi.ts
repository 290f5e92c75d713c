// Reads the DOI of a BibTeX entry from its fields `doi` and `url`.

import type { DoiName } from 'doi-names';
import { punctuatedNames, type Reading, readingsIn } from 'doi-names/parts';
import type { BibtexEntry } from '../../../works/reference-lists/bibtex-entries.ts';

export type EntryNames = readonly [DoiName, ...DoiName[]];

/** Whether the entry has no DOI at all. A macro can contain one. */
export function isUnnamed(text: string, entry: BibtexEntry): boolean {
  return (
    !entry.fields.some(({ name }) => name === 'doi') && doiOfEntry(text, entry) === null && !inherits(entry)
  );
}

/** Whether the entry inherits fields from another entry. */
export function inherits({ fields }: BibtexEntry): boolean {
  return fields.some(({ name }) => name === 'crossref' || name === 'xdata');
}

/**
 * Reads the field `doi` as `doi check` does: the name, and what the field might mean instead. Returns null if the entry has
 * no DOI, or if a macro contains the DOI. `wrong`: a field `doi` without a DOI name.
 */
export function doiOfEntry(
  text: string,
  { fields }: BibtexEntry,
): { readonly names: EntryNames } | { readonly wrong: string } | null {
  const readingOf = (wanted: string) => {
    const field = fields.find(({ name, content }) => name === wanted && content?.trim());
    if (field === undefined) return null;
    const source = text.slice(field.start, field.end);
    const [reading] = Array.from(readingsIn(source, { at: 0, floor: 0, context: null })).filter(isName);
    const names: EntryNames | null = reading
      ? [reading.match.name, ...punctuatedNames(source, reading.match), ...reading.alternatives]
      : null;
    return { content: field.content ?? '', form: reading?.match.form, names };
  };
  const doi = readingOf('doi');
  if (doi !== null) return doi.names ? { names: doi.names } : { wrong: doi.content };
  const url = readingOf('url');
  return url?.names && url.form === 'URL' ? { names: url.names } : null;
}

type NamedReading = Reading & { readonly match: NonNullable<Reading['match']> };

const isName = (reading: Reading): reading is NamedReading => reading.match !== null;
