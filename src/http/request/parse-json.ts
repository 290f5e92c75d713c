// Parses the JSON that clients send. Says in words what is wrong with invalid JSON.

import { isUtf8 } from 'node:buffer';

/** Deeply nested JSON takes a hundred times longer to parse than flat JSON of the same size. */
const MAX_DEPTH = 200;
/** The depth of shorter JSON is not checked, because it parses fast even if it is deeply nested. */
const UNCHECKED_BYTES = 4_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export const NOT_JSON = 'is not JSON';

export interface ParsedJson {
  readonly value: unknown;
  /** the end of a sentence such as "The request body is not JSON"; null for valid JSON */
  readonly fault: string | null;
}

export function parseJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return faulty('is not UTF-8');
  if (bytes.length > UNCHECKED_BYTES && isNestedDeeper(bytes, MAX_DEPTH)) {
    return faulty(`is nested deeper than ${MAX_DEPTH} levels`);
  }
  try {
    return { value: JSON.parse(textOf(bytes)), fault: null };
  } catch {
    return faulty(NOT_JSON);
  }
}

/** Decodes UTF-8. Removes a byte order mark, like the Fetch standard. */
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
