// Finds the works of the entries of a text that have no DOI or a wrong one: as many as fit in a call.

import { Failure } from '../../gateway-client/batched-queries.ts';
import { createMatchReferences, type ReferenceAnswer } from '../../gateway-client/match-references.ts';
import { NoGatewayError } from '../../gateway-client/send-operation.ts';
import {
  differenceWords,
  notSearchedWords,
  reportedMatch,
  reportedWork,
  workWords,
} from './matched-reference.ts';
import { nullIfEmpty, type ToolContext, withoutNulls } from './tool.ts';

export interface EntryToMatch {
  /** the offset of the entry or of its DOI */
  readonly start: number;
  /** A call that reads only to an earlier offset does not report the entry. */
  readonly end: number;
  readonly isRecord: boolean;
  /** null: too few for a search, or of prose */
  readonly words: () => string | null;
}

export type MatchedEntry = EntryToMatch & { readonly answer: ReferenceAnswer | Failure };

/** Agencies allow 3 searches per second, so more do not fit in the time of an operation. */
const MAX_SEARCHED = 25;
const NOT_TRIED = new Failure(
  `one call has at most ${MAX_SEARCHED} results. Send these references again without the others.`,
  'nothing',
);

/** Empty if the gateway does not search. Rejects with the signal's reason. */
export async function matchedEntries(
  entries: readonly EntryToMatch[],
  { gateway, signal }: ToolContext,
): Promise<readonly MatchedEntry[]> {
  const { searched, others } = searchable(entries);
  const match = createMatchReferences({ ...gateway, signal, wait: null });
  try {
    const answers = await match(searched.map(({ words }) => words));
    return [
      ...searched.map(({ entry }, at) => ({ ...entry, answer: answers[at] ?? NOT_TRIED })),
      ...others.map((entry) => ({ ...entry, answer: NOT_TRIED })),
    ];
  } catch (error) {
    if (error instanceof NoGatewayError) return [];
    throw error;
  }
}

interface Searchable {
  readonly searched: readonly { readonly entry: EntryToMatch; readonly words: string }[];
  /** entries for another call */
  readonly others: readonly EntryToMatch[];
}

/** A text can have many records, so only as many as the call searches are read. */
function searchable(entries: readonly EntryToMatch[]): Searchable {
  const searched: { entry: EntryToMatch; words: string }[] = [];
  let records = 0;
  for (const [at, entry] of entries.entries()) {
    if (Math.max(searched.length, records) === MAX_SEARCHED) return { searched, others: entries.slice(at) };
    records += Number(entry.isRecord);
    const words = entry.words();
    if (words !== null) searched.push({ entry, words });
  }
  return { searched, others: [] };
}

/** The other entries are counted as not searched. */
const MAX_BYTES = 7_000;
const SIZES = { text: 150, doi: 300 };
const MAX_CANDIDATES = 3;

const HEADING =
  'FOUND BY WORDS. NOT_FOUND does not mean invented: the services do not have all books, reports and theses.';

/** Structured matches and lines of the report, within MAX_BYTES. */
export function reportedEntries(entries: readonly MatchedEntry[]) {
  const matches: ReturnType<typeof reportedEntry>['structured'][] = [];
  const lines: string[] = [];
  const notSearched: number[] = [];
  let [bytes, failure] = [0, NOT_TRIED];
  for (const { start, answer } of entries) {
    if (answer instanceof Failure) {
      notSearched.push(start);
      if (failure === NOT_TRIED) failure = answer;
      continue;
    }
    const { structured, line } = reportedEntry(start, answer);
    bytes += Buffer.byteLength(JSON.stringify([withoutNulls(structured), line]));
    if (bytes > MAX_BYTES) notSearched.push(start);
    else {
      matches.push(structured);
      lines.push(line);
    }
  }
  const rest =
    notSearched.length === 0
      ? []
      : [
          `NOT SEARCHED: ${notSearched.length}, at ${notSearched.slice(0, MAX_SEARCHED).join(', ')}: ${notSearchedWords(failure)}`,
        ];
  return {
    matches: nullIfEmpty(matches),
    notSearched: notSearched.length,
    lines: [...(lines.length === 0 ? [] : [HEADING, ...lines]), ...rest],
  };
}

function reportedEntry(start: number, answer: ReferenceAnswer) {
  const { outcome, work, differs } = reportedMatch(answer, SIZES);
  const candidates =
    outcome === 'SEVERAL'
      ? answer.candidates.slice(0, MAX_CANDIDATES).map((one) => reportedWork(one, SIZES).doi)
      : [];
  const words = [...(work === null ? candidates : [workWords(work)]), ...differs.map(differenceWords)].join(
    '; ',
  );
  return {
    structured: {
      start,
      outcome,
      doi: work?.doi ?? null,
      title: work?.title ?? null,
      differs: nullIfEmpty(differs),
      candidates: nullIfEmpty(candidates),
    },
    line: `${start}: ${outcome}${words === '' ? '' : ` ${words}`}`,
  };
}
