// Precision and recall of findDois and of three common regular expressions, which neither decode nor repair names.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findDois, foldBasicLatin } from 'doi-names/parts';
import { installFromNpm } from '../conformance/libraries/libraries.ts';
import { readVectors } from '../conformance/run/vectors.ts';

interface NameInText {
  readonly name: string;
  /** UTF-16 offsets of the name in the text, without a label or an address before it */
  readonly start: number;
  readonly end: number;
}

interface Finder {
  readonly title: string;
  find(text: string): readonly NameInText[];
}

export const OURS: Finder = { title: 'findDois', find: (text) => findDois(text) };

/** The expression that Crossref published for modern names, without its anchors. */
const CROSSREF = /10\.\d{4,9}\/[-._;()/:A-Z0-9]+/gi;

/** Like the Ruby gem `identifiers`: a name ends with a SICI's check character, a closed bracket, or no punctuation. */
const IDENTIFIERS = /\b10\.\d{4,9}\/(?:\S+;2-[#0-9a-z]|\S+\([^\s)]+\)(?![^\s\p{P}])|\S*[^\s\p{P}])/giu;

/** Installs doi-regex if it is missing. */
export function otherFinders(): readonly Finder[] {
  installFromNpm();
  const libraries = new URL('../conformance/libraries/package.json', import.meta.url);
  const doiRegex = createRequire(libraries)('doi-regex') as () => RegExp;
  return [
    { title: 'doi-regex 0.1.17', find: (text) => matches(text, doiRegex()) },
    { title: "identifiers' style", find: (text) => matches(text, IDENTIFIERS) },
    { title: "Crossref's expression", find: (text) => matches(text, CROSSREF) },
  ];
}

function matches(text: string, expression: RegExp): NameInText[] {
  const flags = expression.flags.includes('g') ? expression.flags : `${expression.flags}g`;
  return Array.from(text.matchAll(new RegExp(expression.source, flags)), (match) => {
    const name = match[0].replace(/^doi:/i, '');
    const end = match.index + match[0].length;
    return { name, start: end - name.length, end };
  });
}

// Texts with marked names: `see ⟦10.1000/182⟧`. If the text spells the name differently, the name follows the spelling:
// `⟦10.1000/a&amp;b¦10.1000/a&b⟧`.

export interface CorpusText {
  readonly text: string;
  readonly names: readonly NameInText[];
  /** what makes the text hard, or how it was made */
  readonly reason: string;
}

const MARK = /⟦([^¦⟧]*)(?:¦([^⟧]*))?⟧/g;

export function fromMarked(marked: string, reason: string): CorpusText {
  const names: NameInText[] = [];
  let text = '';
  let keptFrom = 0;
  for (const match of marked.matchAll(MARK)) {
    const [whole, source = '', name = source] = match;
    text += marked.slice(keptFrom, match.index);
    names.push({ name, start: text.length, end: text.length + source.length });
    text += source;
    keptFrom = match.index + whole.length;
  }
  return { text: text + marked.slice(keptFrom), names, reason };
}

/** The hand-written cases of the conformance suite, each with its reason. */
export function hardCases(): CorpusText[] {
  return readVectors('find').cases.map(({ input, expected, details, reason = '' }) => ({
    text: input.text,
    names: expected.names.map((name, index) => {
      const [start = 0, end = 0] = details?.places[index] ?? [];
      return { name, start, end };
    }),
    reason,
  }));
}

/** Texts of public bug reports, and more of the same kinds. The places of their names are not known. */
export function reportedTexts(): CorpusText[] {
  return ['vectors/reported-text.json', 'copied-text.json'].flatMap((file) => {
    const source = readFileSync(new URL(`../../test/fixtures/${file}`, import.meta.url), 'utf8');
    const texts: { text: string; names: string[]; kind?: string }[] = JSON.parse(source);
    return texts.map(({ text, names, kind = 'of a reported kind' }) => ({
      text,
      names: names.map((name) => ({ name, start: 0, end: text.length })),
      reason: kind,
    }));
  });
}

/** Returns precision and recall, and the texts with missed or wrong names. */
export function score({ find }: Finder, texts: readonly CorpusText[]) {
  let right = 0;
  let offered = 0;
  let expected = 0;
  const failures: { text: CorpusText; missed: string[]; wrong: string[] }[] = [];
  for (const text of texts) {
    const matches = find(text.text);
    const hits = text.names.filter((name) => matches.some((match) => isSame(match, name)));
    const wrong = matches.filter((match) => !text.names.some((name) => isSame(match, name)));
    right += hits.length;
    offered += hits.length + wrong.length;
    expected += text.names.length;
    if (hits.length < text.names.length || wrong.length > 0) {
      const missed = text.names.filter((name) => !hits.includes(name)).map(({ name }) => name);
      failures.push({ text, missed, wrong: wrong.map(({ name }) => name) });
    }
  }
  return { precision: ratio(right, offered), recall: ratio(right, expected), failures };
}

function isSame(match: NameInText, truth: NameInText): boolean {
  const overlaps = match.start < truth.end && truth.start < match.end;
  return overlaps && foldBasicLatin(match.name) === foldBasicLatin(truth.name);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
