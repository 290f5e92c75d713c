// Unicode's look-alike data as it is looked up.

import { CONFUSABLES } from './confusables-data.ts';

/** What stands for a character in a skeleton, by code point. What is not there stands for itself. */
export interface Confusables {
  readonly ascii: readonly (string | undefined)[];
  readonly others: ReadonlyMap<number, string>;
}

let read: Confusables | undefined;

/** Reads the data when it is first needed, which for most gateways is soon and for most names never. */
export function readConfusables(): Confusables {
  read ??= decodeConfusables(CONFUSABLES);
  return read;
}

const SPACE = 0x20;
const PLUS = 0x2b;

/** One pass without texts in between, since it runs before it is compiled. */
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
