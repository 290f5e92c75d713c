// Names that a name which does not exist was probably meant to be.

import { withoutImitations } from './lookalikes.ts';
import type { DoiName } from './name.ts';
import { parseDoi } from './parse.ts';
import { percentDecode } from './percent.ts';

type Repair = (text: string) => string;

const withoutTrailingSlashes: Repair = (text) => withoutTrailing(text, '/');

/** What running text puts behind a name: full stops, commas, closing brackets and quotation marks. */
const withoutTrailingStops: Repair = (text) => withoutTrailing(text, STOPS);
const withoutTrailingPunctuation: Repair = (text) => withoutTrailing(text, STOPS + CLOSERS);

const STOPS = '.,;:!?…';
const CLOSERS = ')]}>\'"’”»›';

/** A loop, since a regular expression would try the end of each run of them, however far from the end. */
function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

const decodedOnceMore: Repair = (text) => {
  const decoded = percentDecode(text);
  return decoded.ok ? decoded.text : text;
};

/** What word processors make of hyphens and quotation marks. */
const inAscii: Repair = (text) =>
  text
    .replace(/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, '-')
    .replace(/[\u2018-\u201B\u2032]/g, "'")
    .replace(/[\u201C-\u201F\u2033]/g, '"');

const MAX_NAMES = 5;

const REPAIRS: readonly Repair[] = [
  (text) => withoutImitations(text) ?? text,
  withoutTrailingSlashes,
  withoutTrailingStops,
  withoutTrailingPunctuation,
  decodedOnceMore,
  inAscii,
  (text) => withoutTrailingSlashes(withoutTrailingPunctuation(inAscii(decodedOnceMore(text)))),
];

/** At most five DOI names, the likeliest first, none of them the name itself. Whether they exist is not known. */
export function likelyNames(name: DoiName): DoiName[] {
  const names = REPAIRS.flatMap((repair) => parseDoi(repair(name), 'NAME').name ?? []);
  return [...new Set(names)].filter((candidate) => candidate !== name).slice(0, MAX_NAMES);
}
