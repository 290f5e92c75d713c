// Names that a name which does not exist was probably meant to be.

import type { DoiName } from './name.ts';
import { parseDoi } from './parse.ts';
import { percentDecode } from './percent.ts';

type Repair = (text: string) => string;

const withoutTrailingSlashes: Repair = (text) => text.replace(/\/+$/, '');

/** What running text puts behind a name: full stops, commas, closing brackets and quotation marks. */
const withoutTrailingPunctuation: Repair = (text) => text.replace(/[.,;:!?…)\]}>'"’”»›]+$/u, '');

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

const REPAIRS: readonly Repair[] = [
  withoutTrailingSlashes,
  withoutTrailingPunctuation,
  decodedOnceMore,
  inAscii,
  (text) => withoutTrailingSlashes(withoutTrailingPunctuation(inAscii(decodedOnceMore(text)))),
];

/** At most five DOI names, the likeliest first, none of them the name itself. Whether they exist is not known. */
export function likelyNames(name: DoiName): DoiName[] {
  const names = REPAIRS.flatMap((repair) => parseDoi(repair(name), 'NAME').name ?? []);
  return [...new Set(names)].filter((candidate) => candidate !== name);
}
