// What the finder reads in a text that stands for one name, such as the cell of a table. The parser repairs no name, so
// these readings stand beside the parsed name.

import type { Lookalikes } from '../lookalikes.ts';
import { canonicalName, type DoiName, prefixOf } from '../name.ts';
import { arxivDoi } from '../other-identifiers.ts';
import { type ParsedDoi, parseDoi } from '../parse.ts';
import { repairsOf } from '../suggest.ts';
import { type DoiWarning, type DoiWarningCode, doiWarnings, USUAL_NAME } from '../warnings.ts';
import { gluedLabelLength } from './behind-name.ts';
import { type DoiMatch, readingsIn } from './find-dois.ts';

/** At most this many readings of a name are looked up. */
const MAX_READINGS = 3;

/** The matches in a text. Behind each match stand its alternatives, such as the name with the next line. */
function matchesWithAlternatives(text: string, max: number): DoiMatch[] {
  const matches: DoiMatch[] = [];
  for (const { match, alternatives } of readingsIn(text, { at: 0, floor: 0, context: null })) {
    if (matches.length >= max) break;
    if (match === null) continue;
    matches.push(match, ...alternatives.map((name) => ({ ...match, name, repaired: true })));
  }
  return matches.slice(0, max);
}

/** The names that an invalid input probably means: at most `max` names inside it, or the name of an arXiv identifier. */
export function meantBy({ input, problem }: ParsedDoi, max = Number.POSITIVE_INFINITY): DoiMatch[] {
  if (problem === null) return [];
  const found = matchesWithAlternatives(input, max);
  if (found.length > 0 || problem.looksLike !== 'ARXIV') return found;
  const { name } = parseDoi(arxivDoi(input) ?? '', 'NAME');
  if (name === null) return [];
  const text = input.trim();
  const start = input.indexOf(text);
  return [{ name, text, start, end: start + text.length, form: 'NAME', repaired: true }];
}

/** At most three other names that the finder reads in a name: without a label at its end, or without spaces in it. */
export function otherReadings(name: DoiName): DoiName[] {
  if (USUAL_NAME.test(name) && gluedLabelLength(name) === 0 && !name.includes(`${prefixOf(name)}/`, 1))
    return [];
  const own = canonicalName(name);
  const names = matchesWithAlternatives(name, MAX_READINGS + 1).map((match) => match.name);
  // A space in a cell often stands where a line was broken.
  const joined =
    /\p{Zs}/u.test(name) && names.length === 1 ? parseDoi(name.replace(/\p{Zs}+/gu, '')).name : null;
  const others = [...names, ...(joined === null ? [] : [joined])].filter(
    (other) => canonicalName(other) !== own,
  );
  return [...new Set(others)].slice(0, MAX_READINGS);
}

/** The names that a name without record probably means: its repairs, then what the finder reads in it. */
export function probableNames(name: DoiName, lookalikes: Lookalikes | null): DoiName[] {
  return [...new Set([...repairsOf(name, lookalikes), ...otherReadings(name)])];
}

export type NameWarningCode = DoiWarningCode | 'OTHER_TEXT';

export interface NameWarning extends Omit<DoiWarning, 'code'> {
  readonly code: NameWarningCode;
}

/** The warnings of a name, and OTHER_TEXT if the finder reads another name that no warning has as its repair. */
export function nameWarnings(name: DoiName, lookalikes: Lookalikes | null): NameWarning[] {
  const warnings = doiWarnings(name, lookalikes);
  const [repaired] = otherReadings(name);
  if (repaired === undefined || warnings.some((warning) => warning.repaired === repaired)) return warnings;
  let position = 0;
  while (name[position] === repaired[position] && position < repaired.length) position += 1;
  const message =
    'The name seems to hold text that does not belong to it, such as a label or markup. In a running text, the gateway would read `repaired`.';
  return [...warnings, { code: 'OTHER_TEXT', message, position, repaired }];
}
