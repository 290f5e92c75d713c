// Finds the DOIs of BibTeX entries that have none, by the words in their fields.

import type { DoiName } from 'doi-names';
import { parseDoi } from 'doi-names/parts';
import type { BibtexEntry } from '../../../works/reference-lists/bibtex-entries.ts';
import { bibtexWords, type Macros } from '../../../works/reference-lists/record-words.ts';
import { Failure } from '../../gateway-client/batched-queries.ts';
import type { MatchReferences, ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { LOOK_UP_FAILED, POSITIVE_ANSWER } from '../command.ts';
import { evidenceTexts } from '../match/written-match.ts';

export interface EntryMatch {
  /** the DOI of an entry that is found without a difference; else null */
  readonly name: DoiName | null;
  /** null for an entry that is not found */
  readonly remark: string | null;
  readonly exitCode: number;
}

/** A title alone never finds a work without doubt. */
const NEEDED = new Set(['author', 'editor', 'journal', 'journaltitle', 'booktitle']);

/** Resolves with the matches of the entries that have a title, and people or a container. */
export async function matchEntries(
  entries: readonly BibtexEntry[],
  macros: Macros,
  match: MatchReferences,
): Promise<ReadonlyMap<BibtexEntry, EntryMatch>> {
  const titled = entries
    .filter(({ fields }) => fields.some(({ name }) => NEEDED.has(name)))
    .map((entry) => ({ entry, words: bibtexWords(entry, macros) }))
    .filter(({ words }) => words !== '');
  const answers = titled.length === 0 ? [] : await match(titled.map(({ words }) => words));
  return new Map(titled.flatMap(({ entry }, at) => (answers[at] ? [[entry, entryMatch(answers[at])]] : [])));
}

function entryMatch(answer: ReferenceAnswer | Failure): EntryMatch {
  const none = { name: null, exitCode: POSITIVE_ANSWER };
  if (answer instanceof Failure)
    return { ...none, remark: `its DOI cannot be found: ${answer.message}`, exitCode: LOOK_UP_FAILED };
  const { outcome, work, candidates } = answer;
  const evidence = work === null ? '' : evidenceTexts(work).join('; ');
  if (outcome === 'FOUND' && work !== null) {
    const { name } = parseDoi(work.doi.name, 'NAME');
    return { ...none, name, remark: `its DOI is ${work.doi.url} (${evidence})` };
  }
  if (work !== null)
    return { ...none, remark: `not completed: its DOI is perhaps ${work.doi.url} (${evidence})` };
  if (outcome === 'NOT_FOUND') return { ...none, remark: null };
  const urls = candidates.map(({ doi }) => doi.url).join(' ');
  return { ...none, remark: `not completed: these works fit equally: ${urls}` };
}
