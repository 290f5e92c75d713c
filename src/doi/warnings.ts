// Warnings: parts of a DOI name that are legal but likely to cause trouble.

import type { Lookalikes } from './lookalikes.ts';
import type { DoiName } from './name.ts';
import { toNfc } from './normalize.ts';
import { parseDoi } from './parse.ts';
import { percentDecode } from './percent.ts';
import { codePointAt, quoted } from './problem-messages.ts';
import { firstMixedWord, scriptsOfWord, wordAt } from './scripts.ts';
import {
  htmlEntity,
  markup,
  otherDash,
  queryOrFragment,
  severalNames,
  trailingPunctuation,
  viewSuffix,
  whiteSpace,
  withHyphens,
  withoutEntities,
  withoutMarkup,
  withoutStraySpace,
} from './stray-text.ts';

export type DoiWarningCode =
  | 'RESERVED_SUFFIX'
  | 'TRAILING_SLASH'
  | 'DOT_SEGMENT'
  | 'NOT_NFC'
  | 'CONFUSABLE_CHARACTERS'
  | 'MIXED_SCRIPTS'
  | 'LOOKS_PERCENT_ENCODED'
  | 'TRAILING_PUNCTUATION'
  | 'QUERY_OR_FRAGMENT'
  | 'VIEW_SUFFIX'
  | 'MARKUP'
  | 'HTML_ENTITY'
  | 'WHITE_SPACE'
  | 'SEVERAL_NAMES'
  | 'DASH';

export interface DoiWarning {
  readonly code: DoiWarningCode;
  readonly message: string;
  /** UTF-16 offset into the name, of the first place that is meant */
  readonly position: number | null;
  /** the name without the warned part; null if the rest is not a DOI name, or the part is unknown */
  readonly repaired: DoiName | null;
}

interface Check {
  readonly code: DoiWarningCode;
  /** -1 when there is nothing to warn of */
  readonly find: (name: DoiName, lookalikes: Lookalikes | null) => number;
  /** the name without it; the same name where it is not known what to take away */
  readonly repair: (name: DoiName, position: number, lookalikes: Lookalikes | null) => string;
  readonly message: string | ((name: DoiName, position: number, lookalikes: Lookalikes | null) => string);
  /** whether it may be found in what most names are made of: see USUAL_NAME */
  readonly isOfUsualNames?: true;
}

/** Most names are ASCII letters, digits and a few signs between them, and need few checks. */
const USUAL_NAME = /^[A-Za-z0-9.\-_/()]*[A-Za-z0-9]$/;

const cutOff: Check['repair'] = (name, position) => name.slice(0, position);
const noRepair: Check['repair'] = (name) => name;

const CHECKS: readonly Check[] = [
  {
    code: 'RESERVED_SUFFIX',
    find: reservedSlash,
    repair: noRepair,
    isOfUsualNames: true,
    message:
      'Z39.84-2000 reserved suffixes whose second character is a slash. Later documents dropped that; old software may refuse the name.',
  },
  {
    code: 'TRAILING_SLASH',
    find: (name) => (name.endsWith('/') ? name.length - 1 : -1),
    repair: withoutTrailingSlashes,
    message: 'The name ends in a slash, which is part of it. Most names that end so were copied wrongly.',
  },
  {
    code: 'DOT_SEGMENT',
    find: (name) => (name.includes('/.') ? name.search(/(?<=\/)\.\.?(?=\/|$)/) : -1),
    repair: noRepair,
    isOfUsualNames: true,
    message:
      'The name holds a "." or ".." between slashes, which URL parsers collapse. Use `url`, which encodes a slash beside it.',
  },
  {
    code: 'NOT_NFC',
    find: firstUnnormalized,
    repair: toNfc,
    message:
      'The name is not in Unicode Normalization Form C. DOI names are never normalized: software that normalizes text turns this into another name.',
  },
  {
    code: 'CONFUSABLE_CHARACTERS',
    find: (name, lookalikes) => lookalikes?.firstImitation(name) ?? -1,
    repair: (name, _, lookalikes) => lookalikes?.withoutImitations(name) ?? name,
    message: imitationMessage,
  },
  {
    code: 'MIXED_SCRIPTS',
    find: firstMixedWord,
    repair: noRepair,
    message: mixedScriptsMessage,
  },
  {
    code: 'LOOKS_PERCENT_ENCODED',
    find: (name) => (name.includes('%') ? name.search(/%[0-9A-Fa-f]{2}/) : -1),
    repair: decodedOnceMore,
    message:
      'The name itself holds what looks like a percent triplet. It may have been encoded twice; if it is meant, every form of it encodes the percent sign.',
  },
  {
    code: 'TRAILING_PUNCTUATION',
    find: trailingPunctuation,
    repair: cutOff,
    message:
      'The name ends in punctuation, which is part of it. Most names that end so were copied with the end of a sentence or of a pair of brackets.',
  },
  {
    code: 'QUERY_OR_FRAGMENT',
    find: queryOrFragment,
    repair: cutOff,
    message:
      'The name holds what looks like the query or the fragment of a URL. Outside a URL both belong to the name: remove them if they do not.',
  },
  {
    code: 'VIEW_SUFFIX',
    find: viewSuffix,
    repair: cutOff,
    isOfUsualNames: true,
    message:
      'The name ends in what publishers put behind it in addresses of their pages, such as "/full" or ".pdf". Remove it if it is not part of the name.',
  },
  {
    code: 'MARKUP',
    find: markup,
    repair: withoutMarkup,
    message:
      'The name holds an escape of LaTeX, or the end of a link, an element or a field, as if it was copied from LaTeX, Markdown, HTML or BibTeX. Remove it if it is not part of the name.',
  },
  {
    code: 'HTML_ENTITY',
    find: htmlEntity,
    repair: withoutEntities,
    message:
      'The name holds an HTML entity, as if it was copied from the source of a page. Write the character that is meant.',
  },
  {
    code: 'WHITE_SPACE',
    find: whiteSpace,
    repair: withoutStraySpace,
    message:
      'The name holds white space, which is legal and rare. Most names that hold it were broken at the end of a line, or have text behind them.',
  },
  {
    code: 'SEVERAL_NAMES',
    find: severalNames,
    repair: cutOff,
    message: 'The name holds what looks like another name behind it. Send each name alone.',
  },
  {
    code: 'DASH',
    find: otherDash,
    repair: withHyphens,
    message:
      'The name holds a dash or hyphen that is not the "-" of ASCII. Programs for text put such dashes in place of "-": with "-" it is another name, `repaired`, if that is meant.',
  },
];

const CHECKS_OF_USUAL_NAMES = CHECKS.filter(({ isOfUsualNames }) => isOfUsualNames);

/** That a name is made of characters that look like others; undefined for one that is not. */
export function lookalikeWarning(name: DoiName, lookalikes: Lookalikes): DoiWarning | undefined {
  return doiWarnings(name, lookalikes).find(
    ({ code }) => code === 'CONFUSABLE_CHARACTERS' || code === 'MIXED_SCRIPTS',
  );
}

/** One warning a kind, in the order of the table above. Without `lookalikes` none is CONFUSABLE_CHARACTERS. */
export function doiWarnings(name: DoiName, lookalikes: Lookalikes | null): DoiWarning[] {
  const warnings: DoiWarning[] = [];
  for (const { code, find, repair, message } of USUAL_NAME.test(name) ? CHECKS_OF_USUAL_NAMES : CHECKS) {
    const position = find(name, lookalikes);
    if (position === -1) continue;
    const text = repair(name, position, lookalikes);
    const repaired = text === name ? null : parseDoi(text, 'NAME').name;
    const words = typeof message === 'string' ? message : message(name, position, lookalikes);
    warnings.push(Object.freeze({ code, message: words, position, repaired }));
  }
  return warnings;
}

/** A loop, since a regular expression would try the end of each run of them, however far from the end. */
function withoutTrailingSlashes(name: DoiName): string {
  let end = name.length;
  while (name[end - 1] === '/') end -= 1;
  return name.slice(0, end);
}

function decodedOnceMore(name: DoiName): string {
  const decoded = percentDecode(name);
  return decoded.ok ? decoded.text : name;
}

function reservedSlash(name: DoiName): number {
  const first = name.indexOf('/') + 1;
  const second = first + ((name.codePointAt(first) ?? 0) > 0xffff ? 2 : 1);
  return name[second] === '/' ? second : -1;
}

function firstUnnormalized(name: DoiName): number {
  const normalized = toNfc(name);
  if (normalized === name) return -1;
  let offset = 0;
  for (const character of name) {
    if (!normalized.startsWith(character, offset)) return offset;
    offset += character.length;
  }
  return offset;
}

function imitationMessage(name: DoiName, position: number, lookalikes: Lookalikes | null): string {
  const where = `${codePointAt(name, position)} at offset ${position}`;
  const imitated = lookalikes?.imitatedAscii(String.fromCodePoint(name.codePointAt(position) ?? 0)) ?? '';
  return imitated === ''
    ? `The name holds ${where}, which cannot be seen. Without it, it is another name: \`repaired\`, if that is meant.`
    : `The name holds ${where}, which looks like ${quoted(imitated)} and is not. In ASCII it is another name: \`repaired\`, if that is meant.`;
}

function mixedScriptsMessage(name: DoiName, position: number): string {
  const word = wordAt(name, position);
  return `The word ${quoted(word)} is written in scripts that are not used together: ${scriptsOfWord(word).join(', ')}. Some of its characters may be there for others that look like them.`;
}
