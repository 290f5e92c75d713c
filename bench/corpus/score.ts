// Precision and recall: a name is found where it is told, equal but for the case of ASCII letters, at its place.

import type { Finder, Found } from './finders.ts';
import type { CorpusText, TrueName } from './marked-text.ts';

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
