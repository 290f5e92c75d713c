// What is legal in a DOI name but likely to go wrong somewhere.

import { firstImitation, firstMixedWord, imitatedAscii, scriptsOfWord, wordAt } from './lookalikes.ts';
import type { DoiName } from './name.ts';
import { toNfc } from './normalize.ts';
import { codePointAt, quoted } from './problems.ts';

export type DoiWarningCode =
  | 'RESERVED_SUFFIX'
  | 'TRAILING_SLASH'
  | 'DOT_SEGMENT'
  | 'NOT_NFC'
  | 'CONFUSABLE_CHARACTERS'
  | 'MIXED_SCRIPTS'
  | 'LOOKS_PERCENT_ENCODED';

export interface DoiWarning {
  readonly code: DoiWarningCode;
  readonly message: string;
  /** UTF-16 offset into the name, of the first place that is meant */
  readonly position: number | null;
}

interface Check {
  readonly code: DoiWarningCode;
  /** -1 when there is nothing to warn of */
  readonly find: (name: DoiName) => number;
  readonly message: string | ((name: DoiName, position: number) => string);
}

const CHECKS: readonly Check[] = [
  {
    code: 'RESERVED_SUFFIX',
    find: reservedSlash,
    message:
      'Z39.84-2000 reserved suffixes whose second character is a slash. Later documents dropped that; old software may refuse the name.',
  },
  {
    code: 'TRAILING_SLASH',
    find: (name) => (name.endsWith('/') ? name.length - 1 : -1),
    message: 'The name ends in a slash, which is part of it. Most names that end so were copied wrongly.',
  },
  {
    code: 'DOT_SEGMENT',
    find: (name) => (name.includes('/.') ? name.search(/(?<=\/)\.\.?(?=\/|$)/) : -1),
    message:
      'The name holds a "." or ".." between slashes, which URL parsers collapse. Use `url`, which encodes a slash beside it.',
  },
  {
    code: 'NOT_NFC',
    find: firstUnnormalized,
    message:
      'The name is not in Unicode Normalization Form C. DOI names are never normalized: software that normalizes text turns this into another name.',
  },
  {
    code: 'CONFUSABLE_CHARACTERS',
    find: firstImitation,
    message: imitationMessage,
  },
  {
    code: 'MIXED_SCRIPTS',
    find: firstMixedWord,
    message: mixedScriptsMessage,
  },
  {
    code: 'LOOKS_PERCENT_ENCODED',
    find: (name) => (name.includes('%') ? name.search(/%[0-9A-Fa-f]{2}/) : -1),
    message:
      'The name itself holds what looks like a percent triplet. It may have been encoded twice; if it is meant, every form of it encodes the percent sign.',
  },
];

/** One warning a kind, in the order of the table above. */
export function doiWarnings(name: DoiName): DoiWarning[] {
  const warnings: DoiWarning[] = [];
  for (const { code, find, message } of CHECKS) {
    const position = find(name);
    if (position === -1) continue;
    const words = typeof message === 'string' ? message : message(name, position);
    warnings.push(Object.freeze({ code, message: words, position }));
  }
  return warnings;
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

function imitationMessage(name: DoiName, position: number): string {
  const where = `${codePointAt(name, position)} at offset ${position}`;
  const imitated = imitatedAscii(String.fromCodePoint(name.codePointAt(position) ?? 0)) ?? '';
  return imitated === ''
    ? `The name holds ${where}, which cannot be seen. Without it, it is another name: \`repaired\`, if that is meant.`
    : `The name holds ${where}, which looks like ${quoted(imitated)} and is not. In ASCII it is another name: \`repaired\`, if that is meant.`;
}

function mixedScriptsMessage(name: DoiName, position: number): string {
  const word = wordAt(name, position);
  return `The word ${quoted(word)} is written in scripts that are not used together: ${scriptsOfWord(word).join(', ')}. Some of its characters may be there for others that look like them.`;
}
