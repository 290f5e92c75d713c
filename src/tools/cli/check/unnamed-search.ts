// Searches the works of entries that have no DOI, for `doi check --match`, and writes the results.

import type { ReferenceEntry } from 'doi-names/parts';
import { firstWords } from 'doi-names/parts';
import { jsonLine, safeText } from '../../../safe-text.ts';
import { MAX_REFERENCES_AT_ONCE } from '../../../works/matching/reference-words.ts';
import { searchedWords } from '../../gateway-client/searched-words.ts';
import { annotation } from '../annotation.ts';
import type { CommandCall } from '../command.ts';
import { coloured, type Output } from '../output.ts';
import type { CheckedAnswers } from './checked-answers.ts';
import type { Tally } from './count-references.ts';
import type { CheckParts } from './look-up-in-batches.ts';
import { type SearchedReference, searchedReference } from './match-part.ts';
import { MATCH_TEXTS, matchJson, matchOutcome, remarksOnEntry, type WordsMatch } from './match-remarks.ts';

interface UnnamedEntry {
  readonly file: string;
  readonly line: number;
  readonly searched: SearchedReference;
}

interface SearchParts extends Pick<CheckParts, 'format' | 'isQuiet' | 'accepted' | 'status'> {
  readonly matches: CheckedAnswers<'match'>;
  readonly tally: Tally;
}

export class UnnamedSearch {
  readonly #call: Pick<CommandCall, 'stdout' | 'signal'>;
  readonly #parts: SearchParts;
  #waiting: UnnamedEntry[] = [];

  constructor(call: Pick<CommandCall, 'stdout' | 'signal'>, parts: SearchParts) {
    this.#call = call;
    this.#parts = parts;
  }

  /** Returns whether the entry has enough words for a search. */
  add(file: string, { line, text }: ReferenceEntry): boolean {
    const searched = searchedReference(searchedWords(text));
    if (searched !== null) this.#waiting.push({ file, line, searched });
    return searched !== null;
  }

  /** Searches as long as the entries fill an operation. */
  async searchFull(): Promise<void> {
    while (this.#waiting.length >= MAX_REFERENCES_AT_ONCE)
      await this.#search(this.#waiting.splice(0, MAX_REFERENCES_AT_ONCE));
  }

  async finish(): Promise<void> {
    await this.searchFull();
    await this.#search(this.#waiting.splice(0));
  }

  async #search(entries: readonly UnnamedEntry[]): Promise<void> {
    const { matches, tally, accepted, isQuiet, status, format } = this.#parts;
    if (entries.length === 0) return;
    status.show(() => `${tally.summary()}; searching for ${entries.length} entries without a DOI`);
    await matches.lookUp(entries.map(({ searched }) => searched));
    this.#call.signal.throwIfAborted();
    let lines = '';
    for (const entry of entries) {
      const { key } = entry.searched;
      const match = { key, known: matches.resultOf(entry.searched), isAccepted: accepted.has(key) };
      tally.addUnnamed(match);
      if (isQuiet && match.isAccepted) continue;
      if (format === 'github') lines += annotationOfEntry(entry, match);
      else if (format === 'json') lines += jsonOfEntry(entry, match);
      else lines += entryLine(entry, match, this.#call.stdout);
    }
    if (lines === '') return;
    await status.clear();
    await this.#call.stdout.writeStyled(lines);
  }
}

/** Example: `thesis.tex:12: without a DOI, found: Smith, J. (2020). A title. … (its DOI is 10.1000/182; agrees: title)` */
function entryLine({ file, line, searched }: UnnamedEntry, match: WordsMatch, output: Output): string {
  return `${safeText(`${file}:${line}`)}: ${entryText(searched, match, output)}\n`;
}

function entryText({ text }: SearchedReference, match: WordsMatch, output: Pick<Output, 'colours'>): string {
  const [colour, verdict] = MATCH_TEXTS[matchOutcome(match)];
  const remarks = safeText(remarksOnEntry(match).join('; '));
  return `${coloured(output, colour, `without a DOI, ${verdict}`)}: ${safeText(firstWords(text))}${coloured(output, 'dim', ` (${remarks})`)}`;
}

/** `outcome` is of a name, and an entry without a DOI has no name. */
function jsonOfEntry({ file, line, searched: { text } }: UnnamedEntry, match: WordsMatch): string {
  const noName = { column: null, name: null, text, outcome: null };
  return jsonLine({ file, line, ...noName, match: matchJson(match) });
}

const LEVELS = {
  found: 'notice',
  differs: 'error',
  several: 'warning',
  'not-found': 'warning',
  unknown: 'warning',
} as const;

function annotationOfEntry({ file, line, searched }: UnnamedEntry, match: WordsMatch): string {
  if (match.isAccepted) return '';
  const place = { file, line, title: 'Reference without a DOI' };
  return annotation(LEVELS[matchOutcome(match)], place, entryText(searched, match, { colours: false }));
}
