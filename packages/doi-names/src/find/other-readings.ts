// The names that the finder reads in a text that should be one name, such as the cell of a table. The parser does not
// repair names. So callers offer these readings beside the parsed name.

import type { Lookalikes } from '../lookalikes.ts';
import { canonicalName, type DoiName, prefixOf } from '../name.ts';
import { arxivDoi } from '../other-identifiers.ts';
import { type ParsedDoi, parseDoi } from '../parse.ts';
import { repairsOf } from '../suggest.ts';
import { type DoiWarning, doiWarnings, USUAL_NAME } from '../warnings.ts';
import { gluedLabelLength } from './behind-name.ts';
import { type DoiMatch, readingsIn } from './find-dois.ts';

/** At most this many readings of a name are looked up. */
const MAX_READINGS = 3;

/** Only the beginning of a long text is read, because the whole is read in one turn. */
const MAX_READ_CHARACTERS = 10_000;

/** The matches in a text. Behind each match stand its alternatives, such as the name with the next line. */
function matchesWithAlternatives(text: string, max: number): DoiMatch[] {
  const matches: DoiMatch[] = [];
  const begin = text.slice(0, MAX_READ_CHARACTERS);
  // The word after the last space may be incomplete.
  const end =
    begin.length < text.length ? Math.max(begin.lastIndexOf(' '), begin.lastIndexOf('\n')) : begin.length;
  for (const { match, alternatives } of readingsIn(begin, { at: 0, floor: 0, context: null })) {
    if (matches.length >= max) break;
    if (match === null || match.end > end) continue;
    matches.push(match, ...alternatives.map((name) => ({ ...match, name, repaired: true })));
  }
  return matches.slice(0, max);
}

/** A prefix with a comma or another mark as full stop: `10,1016/j.cell` in a spreadsheet with decimal commas. */
const WRONG_STOP = /(?<![\d.,])10[,;:_\-\u00B7\u060C\u3002\uFF0C\uFF0E\u201A](?=\d{4,9}(?:\/|%2f))/gi;

/** The names that an invalid input probably means: at most `max` names inside it, or the name of an arXiv identifier. */
export function meantBy({ input, problem }: ParsedDoi, max = Number.POSITIVE_INFINITY): DoiMatch[] {
  if (problem === null) return [];
  const found = matchesWithAlternatives(input, max);
  if (found.length === 0) {
    for (const match of matchesWithAlternatives(input.replace(WRONG_STOP, '10.'), max))
      found.push({ ...match, text: input.slice(match.start, match.end), repaired: true });
  }
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

/** The names that a name without record probably means: its repairs, then the names that the finder reads in it. */
export function probableNames(name: DoiName, lookalikes: Lookalikes | null): DoiName[] {
  return [...new Set([...repairsOf(name, lookalikes), ...otherReadings(name)])];
}

/**
 * The warnings of a name. If the finder reads another name in it that is not yet a repair, this other name becomes a
 * repair: of a warning about text that has no repair, or of a new warning MARKUP.
 */
export function nameWarnings(name: DoiName, lookalikes: Lookalikes | null): DoiWarning[] {
  const warnings = doiWarnings(name, lookalikes);
  const [repaired] = otherReadings(name);
  // A slash at the end is most often the only mistake.
  const isExplained = warnings.some(({ code }) => code === 'TRAILING_SLASH');
  if (repaired === undefined || isExplained || repairsOf(name, lookalikes).includes(repaired))
    return warnings;
  const open = warnings.findIndex(({ code, repaired }) => repaired === null && IS_OF_TEXT.has(code));
  if (open !== -1) return warnings.map((warning, at) => (at === open ? { ...warning, repaired } : warning));
  if (warnings.some(({ code }) => code === 'MARKUP')) return warnings;
  let position = 0;
  while (name[position] === repaired[position] && position < repaired.length) position += 1;
  // The finder ends a name before a backslash that it does not know. Such a name can exist.
  if (name[position] === '\\' && repaired.length === position) return warnings;
  return [...warnings, { code: 'MARKUP', message: MESSAGE, position, repaired }];
}

/** Warnings of text around or inside a name */
const IS_OF_TEXT: ReadonlySet<DoiWarning['code']> = new Set(['WHITE_SPACE', 'MARKUP', 'SEVERAL_NAMES']);
const MESSAGE =
  'The name seems to hold text that does not belong to it, such as a label, a mark or an escape. Remove it if it is not part of the name.';
