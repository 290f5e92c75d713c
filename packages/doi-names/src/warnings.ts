// Warns about parts of a DOI name that are legal but probably a mistake.

import type { Lookalikes } from './lookalikes.ts';
import { type DoiName, WORD } from './name.ts';
import { parseDoi } from './parse.ts';
import { percentDecode } from './percent.ts';
import { codePointAt, quoted } from './problem-messages.ts';
import { firstMixedWord, scriptsOfWord } from './scripts.ts';
import * as stray from './stray-text.ts';
import { normalized } from './unicode-normalization.ts';

interface Check {
  /** UTF-16 offset of the part that the check warns about; -1 if the name has no such part */
  readonly find: (name: DoiName, lookalikes: Lookalikes | null) => number;
  /** the corrected name; the same name if no correction is known */
  readonly repair: (name: DoiName, position: number, lookalikes: Lookalikes | null) => string;
  readonly message: string | ((name: DoiName, position: number, lookalikes: Lookalikes | null) => string);
  /** a name that fits USUAL_NAME can have this part */
  readonly isOfUsualNames?: true;
}

/** Most names have only these characters, and need few checks. */
export const USUAL_NAME = /^[A-Za-z0-9.\-_/()]*[A-Za-z0-9]$/;

const cutOff: Check['repair'] = (name, position) => name.slice(0, position);
const noRepair: Check['repair'] = (name) => name;

const CHECKS = {
  RESERVED_SUFFIX: {
    find: findReservedSlash,
    repair: noRepair,
    isOfUsualNames: true,
    message:
      'Z39.84-2000 reserved suffixes whose second character is a slash. Later documents dropped that rule, but old software can refuse the name.',
  },
  TRAILING_SLASH: {
    find: (name) => (name.endsWith('/') ? name.length - 1 : -1),
    repair: (name) => name.replace(/(?<!\/)\/+$/, ''),
    message: 'The name ends in a slash. Most such names were copied wrongly.',
  },
  DOT_SEGMENT: {
    find: (name) => (name.includes('/.') ? name.search(/(?<=\/)\.\.?(?=\/|$)/) : -1),
    repair: noRepair,
    isOfUsualNames: true,
    message:
      'The name holds a "." or ".." between slashes, which URL parsers remove. Use `url`: it encodes a slash beside the segment.',
  },
  NOT_NFC: {
    find: findUnnormalized,
    repair: (name) => normalized(name, 'NFC'),
    message:
      'The name is not in Unicode Normalization Form C. DOI names are never normalized: software that normalizes text changes it to another name.',
  },
  CONFUSABLE_CHARACTERS: {
    find: (name, lookalikes) => lookalikes?.firstImitation(name) ?? -1,
    repair: (name, _, lookalikes) => lookalikes?.withoutImitations(name) ?? name,
    message: imitationMessage,
  },
  MIXED_SCRIPTS: {
    find: firstMixedWord,
    repair: noRepair,
    message: mixedScriptsMessage,
  },
  LOOKS_PERCENT_ENCODED: {
    find: (name) => (name.includes('%') ? name.search(/%[0-9A-Fa-f]{2}/) : -1),
    repair: (name) => {
      const decoded = percentDecode(name);
      return decoded.ok ? decoded.text : name;
    },
    message:
      'The name holds a percent triplet, so perhaps the name was encoded twice. If the triplet is part of the name, every URL of the name encodes its percent sign.',
  },
  TRAILING_PUNCTUATION: {
    find: stray.findTrailingPunctuation,
    repair: cutOff,
    message:
      'The name ends in punctuation. Most such names were copied with the end of a sentence or with a bracket around the name.',
  },
  QUERY_OR_FRAGMENT: {
    find: stray.findQueryOrFragment,
    repair: cutOff,
    message:
      'The end of the name looks like the query or fragment of a URL. Remove it if it is not part of the name.',
  },
  VIEW_SUFFIX: {
    find: stray.findViewSuffix,
    repair: cutOff,
    isOfUsualNames: true,
    message:
      'The name ends like the address of a page at a publisher, such as "/full" or ".pdf". Remove this end if it is not part of the name.',
  },
  MARKUP: {
    find: stray.findMarkup,
    repair: stray.withoutMarkup,
    message:
      'The name holds an escape of LaTeX, or the end of a Markdown link, an HTML element or a BibTeX field. Remove it if it is not part of the name.',
  },
  HTML_ENTITY: {
    find: stray.findHtmlEntity,
    repair: stray.withoutEntities,
    message:
      'The name holds an HTML entity, probably from the source of a web page. Write the character instead.',
  },
  WHITE_SPACE: {
    find: stray.findWhiteSpace,
    repair: stray.withoutStraySpace,
    message:
      'The name holds white space, which is legal but rare. Most such names were broken at the end of a line, or have other text after them.',
  },
  SEVERAL_NAMES: {
    find: stray.findSeveralNames,
    repair: cutOff,
    message: 'The name seems to contain a second name. Send each name alone.',
  },
  DASH: {
    find: stray.findOtherDash,
    repair: stray.withHyphens,
    message:
      'The name holds a dash or hyphen that is not the "-" of ASCII. Text programs often replace "-" with a dash. With "-", it is another name. If you mean that name, use `repaired`.',
  },
} satisfies Record<string, Check>;

// `Extract` makes the compiler show the name of the type instead of its members.
export type DoiWarningCode = Extract<keyof typeof CHECKS, string>;

const ALL_CHECKS = Object.entries(CHECKS) as [DoiWarningCode, Check][];
const CHECKS_OF_USUAL_NAMES = ALL_CHECKS.filter(([, { isOfUsualNames }]) => isOfUsualNames);

export interface DoiWarning {
  readonly code: DoiWarningCode;
  readonly message: string;
  /** UTF-16 offset in the name, where the first part with this mistake begins */
  readonly position: number | null;
  /** the corrected name; null if no correction is known, or if the corrected text is not a DOI name */
  readonly repaired: DoiName | null;
}

/** The first warning about characters that look like other characters; undefined if there is none. */
export function lookalikeWarning(name: DoiName, lookalikes: Lookalikes): DoiWarning | undefined {
  return doiWarnings(name, lookalikes).find(
    ({ code }) => code === 'CONFUSABLE_CHARACTERS' || code === 'MIXED_SCRIPTS',
  );
}

/** At most one warning for each code, in the order of the table. CONFUSABLE_CHARACTERS needs `lookalikes`. */
export function doiWarnings(name: DoiName, lookalikes: Lookalikes | null): DoiWarning[] {
  const warnings: DoiWarning[] = [];
  const checks = USUAL_NAME.test(name) ? CHECKS_OF_USUAL_NAMES : ALL_CHECKS;
  for (const [code, { find, repair, message }] of checks) {
    const position = find(name, lookalikes);
    if (position === -1) continue;
    const text = repair(name, position, lookalikes);
    const repaired = text === name ? null : parseDoi(text, 'NAME').name;
    const words = typeof message === 'string' ? message : message(name, position, lookalikes);
    warnings.push(Object.freeze({ code, message: words, position, repaired }));
  }
  return warnings;
}

function findReservedSlash(name: DoiName): number {
  const first = name.indexOf('/') + 1;
  const second = first + ((name.codePointAt(first) ?? 0) > 0xffff ? 2 : 1);
  return name[second] === '/' ? second : -1;
}

function findUnnormalized(name: DoiName): number {
  const inNfc = normalized(name, 'NFC');
  if (inNfc === name) return -1;
  let offset = 0;
  for (const character of name) {
    if (!inNfc.startsWith(character, offset)) return offset;
    offset += character.length;
  }
  return offset;
}

function imitationMessage(name: DoiName, position: number, lookalikes: Lookalikes | null): string {
  const where = `${codePointAt(name, position)} at offset ${position}`;
  const imitated = lookalikes?.imitatedAscii(String.fromCodePoint(name.codePointAt(position) ?? 0)) ?? '';
  return imitated === ''
    ? `The name holds ${where}, which is invisible. Without this character, it is another name. If you mean that name, use \`repaired\`.`
    : `The name holds ${where}, which looks like ${quoted(imitated)} but is another character. In ASCII, it is another name. If you mean that name, use \`repaired\`.`;
}

const FIRST_WORD = new RegExp(WORD.source, 'u');

function mixedScriptsMessage(name: DoiName, position: number): string {
  const word = FIRST_WORD.exec(name.slice(position))?.[0] ?? '';
  return `The word ${quoted(word)} is written in scripts that are not used together: ${scriptsOfWord(word).join(', ')}. Some of its characters may stand for other characters that look like them.`;
}
