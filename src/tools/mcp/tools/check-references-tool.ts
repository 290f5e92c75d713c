import type { DoiMatch, DoiName } from 'doi-names';
import { referenceAround } from 'doi-names/parts';
import { z } from 'zod';
import { Failure } from '../../gateway-client/batched-queries.ts';
import { createLookUpNames, type NameAnswer } from '../../gateway-client/look-up-names.ts';
import { createLookUpWorks, type UpdatedWork, WORK_UPDATES } from '../../gateway-client/look-up-works.ts';
import { searchedWords, searchedWordsAround } from '../../gateway-client/searched-words.ts';
import { outcomeText } from '../../gateway-client/update-outcome.ts';
import { type FoundPlace, placesInText } from './find-dois-tool.ts';
import { FITS, judgedReferences, type Places } from './judged-places.ts';
import { type EntryToMatch, matchedEntries } from './matched-entries.ts';
import { nameOutcome, OutcomeFields } from './name-outcome.ts';
import { type ReportedReference, reportOf } from './reference-report.ts';
import { ContinueAt, defineTool, FromInput, LinkedDoi, TextInput } from './tool.ts';
import { type EntriesOfText, entriesOfText } from './unnamed-references.ts';

/** The largest number of DOIs in one call. Each DOI costs look-ups, and a language model must read the response. */
const MAX_DOIS = 200;
/** The largest number of places in one call. The tool compares the words around each place with a title. */
const MAX_PLACES = 500;

const Reference = LinkedDoi.extend({
  ...OutcomeFields,
  start: z.int().describe('The offset in the text, in UTF-16 units.'),
  alsoAt: z.array(z.int()).optional(),
  fit: z.enum(FITS).optional(),
  title: z.string().optional().describe('Missing if the text content has the title.'),
  repaired: z.boolean().optional(),
});

export const checkReferencesTool = defineTool({
  name: 'check_references',
  title: 'Check the DOIs of references',
  description: `Looks up every DOI in a text. Use it on each reference list that you write or get, before you rely on it: an invented or mistyped DOI is "absent". "cannot_tell": the look-up failed; never report such a DOI as absent. If a note says RETRACTED, WITHDRAWN or REMOVED, say so where you cite the work. With "titles": true, "does_not_fit" marks a DOI that is registered for another work than the cited one. Also names references without a DOI. If the gateway can, searches the right DOI for these and for wrong DOIs: "NOT_FOUND" does not mean invented.
Example: {"text": "[1] Smith, doi:10.1000/182. [2] Doe, doi:10.1000/18l"} gives one "found" and one "absent".`,
  input: z.strictObject({
    text: TextInput,
    from: FromInput,
    titles: z.boolean().optional().describe('Compare the words around each DOI with its title.'),
    match: z.boolean().optional().describe('false: no search for works.'),
    problemsOnly: z.boolean().optional().describe('Leave out references that are found and fit.'),
  }),
  output: z.object({
    counts: z
      .record(z.string(), z.int())
      .describe('found, absent, cannotTell; perhaps tooLong, publishedPreprints, withoutDoi, notSearched.'),
    reasons: z.array(z.string()).optional().describe('Why the status is cannot_tell.'),
    updates: z
      .record(z.string(), z.int())
      .optional()
      .describe('Numbers of works by update. "none recorded" does not mean sound.'),
    references: z.array(Reference).describe(`At most ${MAX_DOIS} DOIs, each once for each fit.`),
    withoutDoi: z.array(z.int()).optional(),
    matches: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('Outcomes as of match_reference.'),
    continueAt: ContinueAt,
  }),
  async call({ text, from = 0, titles = false, match = true, problemsOnly = false }, context) {
    const { gateway, signal, turns } = context;
    const inText = await placesInText(text, from, createLimit(), context);
    const entries = await entriesOfText(text, { from, ...inText }, context);
    // `wait: null` means no retries, because the agent can call again.
    const lookUp = createLookUpNames({ ...gateway, signal, wait: null });
    const { names, answers } = await lookUpPlaces(inText.places, lookUp);
    // Many calls can end at the same deadline. So other tasks run between their reports.
    await turns.next(null);
    signal.throwIfAborted();
    const isFound = (_: Places, at: number): boolean => answers[at]?.outcome === 'found';
    const found = names.filter(isFound);
    const judgedByName = titles ? await judgedReferences(text, found, context) : [];
    const judged = judgedByName.values();
    const lookUpUpdates = createLookUpWorks(WORK_UPDATES, { ...gateway, signal, wait: null });
    const allUpdates = await lookUpUpdates(found.map(([{ name }]) => name));
    const updates = allUpdates.values();
    signal.throwIfAborted();
    const titleFailures = judgedByName.flatMap((judged) => judged[0]?.titleFailure ?? []);
    const updateFailures = allUpdates.filter((answer) => answer instanceof Failure);
    const waits = [...answers, ...titleFailures, ...updateFailures].map(
      ({ retryAfterSeconds }) => retryAfterSeconds ?? 0,
    );
    const retryAfterSeconds = Math.max(0, ...waits) || null;
    const references = names.flatMap((places, at): ReportedReference[] => {
      const [{ name: doi }] = places;
      const answer = answers[at] as NameAnswer;
      const workUpdates = isFound(places, at) ? (updates.next().value ?? null) : null;
      const outcome = nameOutcome(doi, answer, workUpdates instanceof Failure ? null : workUpdates);
      const known = { doi, reason: answer.reason, outcome, updates: updatesWords(workUpdates) };
      if (!titles || !isFound(places, at)) return [{ ...known, places, ...NOT_JUDGED }];
      return (judged.next().value ?? []).map((fit) => ({ ...known, ...fit }));
    });
    const wanted = match ? entriesToMatch(text, references, entries) : [];
    const matched = await matchedEntries(wanted, context);
    return reportOf(references, {
      ...inText,
      unnamed: entries.unnamed,
      matched,
      titles,
      problemsOnly,
      retryAfterSeconds,
    });
  },
});

/** Entries without a DOI, with an absent DOI, or with the DOI of another work; in the order of the text. */
function entriesToMatch(
  text: string,
  references: readonly ReportedReference[],
  { unnamed, named }: EntriesOfText,
): readonly EntryToMatch[] {
  const wrong = references.filter(
    ({ outcome, fit }) => outcome.status === 'absent' || fit === 'does_not_fit',
  );
  // A record can have its DOI twice.
  const byStart = new Map<number, EntryToMatch>();
  for (const place of wrong.flatMap(({ places }) => places)) {
    const { start } = place;
    const record = named.find((entry) => entry.isRecord && entry.start <= start && start < entry.end);
    byStart.set(record?.start ?? start, {
      start,
      end: start,
      isRecord: record !== undefined,
      words: () => searchedWordsAround(record?.text ?? referenceAround(text, place).text),
    });
  }
  for (const { start, end, isRecord, text } of unnamed)
    byStart.set(start, { start, end, isRecord, words: () => searchedWords(text) });
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

const NOT_JUDGED = { fit: null, title: null, titleFailure: null };

/** Null for a name that is not found. */
function updatesWords(updates: UpdatedWork | Failure | null): string | null {
  if (updates instanceof Failure) return `cannot tell: ${updates.message}`;
  return updates === null ? null : outcomeText(updates);
}

/** Returns a function that accepts places up to the limits of a call. */
function createLimit(): (place: DoiMatch) => boolean {
  const names = new Set<string>();
  let places = 0;
  return ({ name }) => {
    places += 1;
    names.add(name);
    return places <= MAX_PLACES && names.size <= MAX_DOIS;
  };
}

/** Looks up the name of each place. If a name is absent, also looks up what else its text might mean. */
async function lookUpPlaces(
  places: readonly FoundPlace[],
  lookUp: (names: readonly DoiName[]) => Promise<readonly NameAnswer[]>,
) {
  const known = new Map<DoiName, NameAnswer>();
  const lookUpNew = async (names: readonly DoiName[]): Promise<void> => {
    const unknown = [...new Set(names)].filter((name) => !known.has(name)).slice(0, MAX_DOIS);
    const answers = unknown.length === 0 ? [] : await lookUp(unknown);
    for (const [at, name] of unknown.entries()) known.set(name, answers[at] as NameAnswer);
  };
  await lookUpNew(places.map(({ name }) => name));
  const isAbsent = ({ name }: FoundPlace): boolean => known.get(name)?.outcome === 'absent';
  await lookUpNew(places.filter(isAbsent).flatMap(({ alternatives }) => alternatives));
  const read = places.map((place) => {
    const other = place.alternatives.find((name) => known.get(name)?.outcome === 'found');
    return isAbsent(place) && other !== undefined ? { ...place, name: other } : place;
  });
  const names = placesByName(read);
  return { names, answers: names.map(([{ name }]) => known.get(name) as NameAnswer) };
}

/** The places of each distinct name, in the order of the first place. */
function placesByName(places: readonly DoiMatch[]): readonly Places[] {
  const byName = new Map<string, [DoiMatch, ...DoiMatch[]]>();
  for (const place of places) {
    const known = byName.get(place.name);
    if (known) known.push(place);
    else byName.set(place.name, [place]);
  }
  return [...byName.values()];
}
