// Precision and recall: a name is found where it is told, equal but for the case of ASCII letters, at its place.

import type { Finder, Found } from './finders.ts';

// Texts in which the names are marked: `see ⟦10.1000/182⟧`, or `⟦10.1000/a&amp;b¦10.1000/a&b⟧` where the name is not what stands there.

interface TrueName {
  readonly name: string;
  /** UTF-16 offsets of where the name stands in the text, without a label or an address before it */
  readonly start: number;
  readonly end: number;
}

export interface CorpusText {
  readonly text: string;
  readonly names: readonly TrueName[];
  /** what makes the text hard, or how it was made */
  readonly reason: string;
}

const MARK = /⟦([^¦⟧]*)(?:¦([^⟧]*))?⟧/g;

export function fromMarked(marked: string, reason: string): CorpusText {
  const names: TrueName[] = [];
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

/** Cases written by hand: `# a reason`, and a case a line below it. `⏎` is a line break, `⇥` a tab, `{U+00AD}` that character. */
export function readHardCases(file: string): CorpusText[] {
  let reason = '';
  const cases: CorpusText[] = [];
  for (const line of file.split('\n')) {
    if (line.startsWith('# ')) reason = line.slice(2);
    else if (line !== '') cases.push(fromMarked(withControls(line), reason));
  }
  return cases;
}

function withControls(line: string): string {
  return line
    .replaceAll('⏎', '\n')
    .replaceAll('⇥', '\t')
    .replace(/\{U\+([0-9A-F]{4})\}/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}

export interface Score {
  readonly precision: number;
  readonly recall: number;
  /** the texts in which something was missed, or found that is not there */
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly text: CorpusText;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

export function score({ find }: Finder, texts: readonly CorpusText[]): Score {
  let right = 0;
  let told = 0;
  let there = 0;
  const failures: Failure[] = [];
  for (const text of texts) {
    const found = find(text.text);
    const hits = text.names.filter((name) => found.some((match) => isSame(match, name)));
    const wrong = found.filter((match) => !text.names.some((name) => isSame(match, name)));
    right += hits.length;
    told += hits.length + wrong.length;
    there += text.names.length;
    if (hits.length < text.names.length || wrong.length > 0) {
      const missed = text.names.filter((name) => !hits.includes(name)).map(({ name }) => name);
      failures.push({ text, missed, wrong: wrong.map(({ name }) => name) });
    }
  }
  return { precision: ratio(right, told), recall: ratio(right, there), failures };
}

function isSame(found: Found, truth: TrueName): boolean {
  const overlaps = found.start < truth.end && truth.start < found.end;
  return overlaps && folded(found.name) === folded(truth.name);
}

function folded(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}
