// Writes the answer of describe_doi within its size: every work gets its most important parts first.

import { harmlessLine, harmlessText } from '../../../safe-text.ts';
import type { WorkEntry } from './described-work.ts';
import { statedKind } from './doi-fields.ts';
import { type NameOutcome, remarksOn } from './name-outcome.ts';
import { nullIfEmpty, withoutNulls } from './tool.ts';

/** A member is null if it is unknown or left out. */
type Entry = {
  readonly doi: string;
  readonly status: WorkEntry['status'];
  readonly reason: string | null;
  readonly meant: NameOutcome['meant'];
  readonly notes: NameOutcome['notes'];
  readonly title: string | null;
  /** each with its role, except for authors */
  readonly people: readonly string[] | null;
  /** the number of other people that the gateway knows */
  readonly morePeople: number | null;
  readonly year: number | null;
  readonly container: string | null;
  readonly kind: string | null;
  readonly licences: readonly string[] | null;
  readonly updates: string | null;
  readonly citation: string | null;
  readonly bibtex: string | null;
};

/** How much an entry has of a work. */
interface Detail {
  /** the length of a name, title or container */
  readonly characters: number;
  readonly people: number;
  readonly container: boolean;
  readonly licences: boolean;
  readonly citation: boolean;
  readonly bibtex: boolean;
  /** whether the text, too, has all parts of the entry. Clients show a model the entry, the text, or both. */
  readonly fullText: boolean;
}

const LEAST: Detail = {
  characters: 60,
  people: 1,
  container: false,
  licences: false,
  citation: false,
  bibtex: false,
  fullText: false,
};

/** A note or reason has at least this many characters, so that it is whole with its seconds. */
const MIN_NOTE_CHARACTERS = 400;
const MAX_PERSON_CHARACTERS = 80;
/** A longer citation is left out, because a part of it would be another citation. */
const MAX_CITATION_CHARACTERS = 1_500;

type Step = Partial<Detail>;

/** In the order of importance. @param prefersBibtex whether the agent requested BibTeX */
export function stepsFor(prefersBibtex: boolean): readonly Step[] {
  return [
    { licences: true },
    { container: true },
    { characters: 120 },
    { people: 3 },
    { characters: 300 },
    ...(prefersBibtex ? [{ bibtex: true }] : []),
    { citation: true },
    { people: 10 },
    { fullText: true },
    { people: 25 },
    { people: 50 },
    { people: 100 },
    { characters: 2_000 },
    ...(prefersBibtex ? [] : [{ bibtex: true }]),
  ];
}

/** The largest size of structured content and text together, as JSON in UTF-8. */
const MAX_BYTES_OF_ONE = 4_000;
const MAX_BYTES = 20_000;
/** For the envelope of the message, and for what the answer says of parts that it leaves out. */
const ENVELOPE_BYTES = 600;

/** Each step goes to all works before the next step. A work that has no room for a step can have room for a later step. */
export function descriptionsWithin(works: readonly WorkEntry[], steps: readonly Step[]) {
  const maxBytes = Math.min(MAX_BYTES, MAX_BYTES_OF_ONE * works.length) - ENVELOPE_BYTES;
  const described: { readonly work: WorkEntry; detail: Detail; bytes: number }[] = [];
  let bytes = 0;
  for (const work of works) {
    const size = bytesOf(work, LEAST);
    if (described.length > 0 && bytes + size > maxBytes) break;
    described.push({ work, detail: LEAST, bytes: size });
    bytes += size;
  }
  for (const step of steps) {
    for (const known of described) {
      const detail = { ...known.detail, ...step };
      const size = bytesOf(known.work, detail);
      if (bytes - known.bytes + size > maxBytes) continue;
      bytes += size - known.bytes;
      Object.assign(known, { detail, bytes: size });
    }
  }
  const entries = described.map(({ work, detail }) => entryOf(work, detail));
  const leftOut = new Map<string, number>();
  const count = (part: string, added: number) => leftOut.set(part, (leftOut.get(part) ?? 0) + added);
  for (const [at, { work, detail }] of described.entries()) {
    for (const part of missingParts(work, entries[at] as Entry, detail)) count(part, 1);
  }
  if (described.length < works.length) count('works', works.length - described.length);
  const lines = described.map(({ detail }, at) => textOf(entries[at] as Entry, detail));
  if (leftOut.size > 0) lines.push(leftOutLine(leftOut));
  return {
    structured: {
      works: entries,
      leftOut: leftOut.size === 0 ? null : Object.fromEntries(leftOut),
    },
    text: lines.join('\n'),
  };
}

function missingParts(work: WorkEntry, entry: Entry, { characters }: Detail): string[] {
  const { metadata } = work;
  const isLong = [work.doi, titleOf(metadata), metadata?.containerTitle].some(
    (text) => (text?.length ?? 0) > characters,
  );
  const missing: readonly (readonly [part: string, isMissing: boolean])[] = [
    ['people', entry.morePeople !== null],
    ['licences', work.licences.length > 0 && entry.licences === null],
    ['container', metadata?.containerTitle != null && entry.container === null],
    ['long texts', isLong],
    ['citation', work.citation !== null && entry.citation === null],
    ['bibtex', work.bibtex !== null && entry.bibtex === null],
  ];
  return missing.flatMap(([part, isMissing]) => (isMissing ? [part] : []));
}

function leftOutLine(leftOut: ReadonlyMap<string, number>): string {
  const parts = [...leftOut].map(([part, count]) => `${part} (${count} of the works)`);
  const works = leftOut.get('works');
  const again =
    works === undefined ? 'Call again with fewer DOIs.' : `Call again with the last ${works} DOIs.`;
  return `Left out, because the answer would be too long: ${parts.join(', ')}. ${again}`;
}

function bytesOf(work: WorkEntry, detail: Detail): number {
  const entry = entryOf(work, detail);
  return Buffer.byteLength(JSON.stringify([withoutNulls(entry), textOf(entry, detail)]));
}

function titleOf(metadata: WorkEntry['metadata']): string | null {
  if (metadata === null || metadata.title === null) return null;
  return metadata.subtitle === null ? metadata.title : `${metadata.title}: ${metadata.subtitle}`;
}

/** All texts from outside are bounded, and are one harmless line. BibTeX keeps its lines. */
function entryOf(work: WorkEntry, detail: Detail): Entry {
  const { metadata, reason, licences, citation, bibtex } = work;
  const line = (text: string | null | undefined): string | null =>
    text == null ? null : harmlessLine(text, detail.characters);
  const note = (text: string): string => harmlessLine(text, Math.max(MIN_NOTE_CHARACTERS, detail.characters));
  const contributors = metadata?.contributors ?? [];
  const shown = contributors.slice(0, detail.people).map(({ name, role }) => {
    const person = harmlessLine(name, MAX_PERSON_CHARACTERS);
    return role === 'AUTHOR' ? person : `${person}, ${role}`;
  });
  const hasCitation = detail.citation && citation !== null && citation.length <= MAX_CITATION_CHARACTERS;
  const hasBibtex = detail.bibtex && bibtex !== null && bibtex.length <= MAX_BYTES;
  return {
    doi: harmlessLine(work.doi, detail.characters),
    status: work.status,
    reason: reason === null ? null : note(reason),
    meant: nullIfEmpty(work.meant.map((doi) => ({ doi: harmlessLine(doi, detail.characters) }))),
    notes: nullIfEmpty(work.notes.map(({ code = '', message = '' }) => ({ code, message: note(message) }))),
    title: line(titleOf(metadata)),
    people: nullIfEmpty(shown),
    morePeople: contributors.length - shown.length || null,
    year: metadata?.issued?.year ?? null,
    container: detail.container ? line(metadata?.containerTitle) : null,
    kind: metadata === null ? null : statedKind(metadata),
    licences: detail.licences ? nullIfEmpty(licences) : null,
    updates: work.updates,
    citation: hasCitation ? harmlessLine(citation, MAX_CITATION_CHARACTERS) : null,
    bibtex: hasBibtex ? harmlessText(bibtex).trimEnd() : null,
  };
}

const STATUSES: Readonly<Record<Entry['status'], string>> = {
  found: 'found',
  absent: 'ABSENT: the directory has no such DOI',
  cannot_tell: 'CANNOT TELL',
  invalid: 'NO DOI',
};

/** Remarks such as RETRACTED come first. */
function textOf(entry: Entry, { fullText }: Detail): string {
  const { doi, status, reason, title, people, morePeople, year, citation, bibtex } = entry;
  const [first = ''] = people ?? [];
  const others = (people?.length ?? 0) + (morePeople ?? 0) - 1;
  const phrases = [
    status === 'found' && title !== null ? '' : [STATUSES[status], reason].filter(Boolean).join(': '),
    ...remarksOn(entry),
    title === null ? '' : `“${title}”`,
    ...(fullText ? factPhrases(entry) : [others > 0 ? `${first} et al.` : first, `${year ?? ''}`]),
  ].filter(Boolean);
  const lines = [`${doi}: ${phrases.join('; ')}`];
  if (fullText && citation !== null) lines.push(`Citation: ${citation}`);
  if (fullText && bibtex !== null) lines.push(bibtex);
  return lines.join('\n');
}

function factPhrases(entry: Entry): string[] {
  const { people, morePeople, year, container, kind, licences, updates } = entry;
  const more = morePeople === null ? [] : [`and ${morePeople} more`];
  return [
    people === null ? '' : `by ${[...people, ...more].join(' · ')}`,
    container === null ? '' : `in ${container}`,
    `${year ?? ''}`,
    kind ?? '',
    licences === null ? '' : `licence ${licences.join(', ')}`,
    updates === null ? '' : `updates: ${updates}`,
  ];
}
