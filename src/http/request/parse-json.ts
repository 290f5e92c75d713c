// JSON of strangers: what it is, or what keeps it from being read.

import { isUtf8 } from 'node:buffer';

/** To parse deeply nested JSON takes a hundred times longer than flat JSON of the same size. */
const MAX_DEPTH = 200;
/** Shorter JSON cannot be nested so deeply that it matters. */
const SHALLOW_BYTES = 4_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const NOT_JSON = 'is not JSON';

/** `fault` continues a sentence that begins with what was sent, and is null where `value` is what it says. */
export interface ParsedJson {
  readonly value: unknown;
  readonly fault: string | null;
}

export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return faulty('is not UTF-8');
  if (bytes.length > SHALLOW_BYTES && isNestedDeeper(bytes, MAX_DEPTH)) {
    return faulty(`is nested deeper than ${MAX_DEPTH} levels`);
  }
  try {
    return { value: JSON.parse(textOf(bytes)), fault: null };
  } catch {
    return faulty(NOT_JSON);
  }
}

/** As the Fetch standard reads text: a byte order mark is none of it. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function faulty(fault: string): ParsedJson {
  return { value: undefined, fault };
}

function isNestedDeeper(json: Buffer, most: number): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > most) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
