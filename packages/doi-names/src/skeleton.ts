// Makes the skeleton of a text: two texts that look alike have the same skeleton (UTS #39, section 4).

import { CONFUSABLES } from './confusables-data.ts';
import { isAscii } from './name.ts';
import { normalized } from './unicode-normalization.ts';

/** For each code point, the text that replaces it in a skeleton. A character without an entry stays. */
interface Confusables {
  readonly ascii: readonly (string | undefined)[];
  readonly others: ReadonlyMap<number, string>;
}

let decoded: Confusables | undefined;

/** Decodes the data at the first call, because most names do not need the data. */
export function readConfusables(): Confusables {
  decoded ??= decodeConfusables(CONFUSABLES);
  return decoded;
}

const SPACE = 0x20;
const PLUS = 0x2b;

/** Reads `text` in one pass without `split`: the function runs once, so the engine does not optimize it. */
export function decodeConfusables(text: string): Confusables {
  const ascii: (string | undefined)[] = new Array(0x80).fill(undefined);
  const others = new Map<number, string>();
  let prototype = '';
  let isInPrototype = true;
  let source = 0;
  let number = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit !== null) {
      number = number * 36 + digit;
      continue;
    }
    const divider = text.charCodeAt(at);
    if (isInPrototype) {
      prototype += String.fromCodePoint(number);
      isInPrototype = divider === PLUS;
    } else {
      source += number;
      if (source <= 0x7f) ascii[source] = prototype;
      else others.set(source, prototype);
      if (divider !== SPACE) {
        isInPrototype = true;
        prototype = '';
        source = 0;
      }
    }
    number = 0;
  }
  return { ascii, others };
}

function digitOf(code: number): number | null {
  if (code >= 0x61) return code - 0x61 + 10;
  return code >= 0x30 && code <= 0x39 ? code - 0x30 : null;
}

/** The skeleton of UTS #39 in four steps: NFD, remove invisible characters, replace confusables, NFD. */
export function skeletonOf(text: string): string {
  return normalized(replaceConfusables(removeInvisible(normalized(text, 'NFD'))), 'NFD');
}

/** The skeleton of the text in NFKC, with a hyphen for each dash. Use it to compare names. */
export function plainSkeletonOf(text: string): string {
  return skeletonOfPlain(prepareSkeleton(text));
}

/** @param text from `prepareSkeleton`, or a part of it */
export function skeletonOfPlain(text: string): string {
  const skeleton = replaceConfusables(text);
  return skeleton === text ? text : normalized(skeleton, 'NFD');
}

/** NFKC, a hyphen for each dash, and the first steps of a skeleton: NFD, and invisible characters removed. */
export function prepareSkeleton(text: string): string {
  if (isAscii(text)) return text;
  // NFKD is the NFD of the NFKC. NFD does not change dashes, so they can be replaced afterwards.
  const decomposed = normalized(text, 'NFKD');
  return IGNORABLE_OR_DASH.test(decomposed) ? removeInvisible(decomposed.replace(DASHES, '-')) : decomposed;
}

const IGNORABLE_OR_DASH = /[\p{Default_Ignorable_Code_Point}\p{Dash}]/u;
const DASHES = /\p{Dash}/gu;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;

function removeInvisible(text: string): string {
  return isAscii(text) ? text : text.replace(IGNORABLE, '');
}

function replaceConfusables(text: string): string {
  const { ascii, others } = readConfusables();
  let skeleton = '';
  let done = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const isPair = (unit & 0xfc00) === 0xd800;
    const prototype = unit <= 0x7f ? ascii[unit] : others.get(isPair ? (text.codePointAt(at) ?? 0) : unit);
    if (prototype !== undefined) {
      skeleton += text.slice(done, at) + prototype;
      done = isPair ? at + 2 : at + 1;
    }
    if (isPair) at += 1;
  }
  return done === 0 ? text : skeleton + text.slice(done);
}
