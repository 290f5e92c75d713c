// Parses the JSON that clients send. Describes the fault of invalid JSON in words.

import { isUtf8 } from 'node:buffer';
import { excessOf, type JsonLimits } from '../../handle/json.ts';

/**
 * The largest operations stay below these limits. JSON above the limits can be short, and still take tens of
 * milliseconds to parse.
 */
const LIMITS: JsonLimits = { maxDepth: 200, maxParts: 100_000 };
/** Shorter JSON is not checked, because it parses fast in any case. */
const UNCHECKED_BYTES = 4_000;

export const NOT_JSON = 'is not JSON';

export interface ParsedJson {
  readonly value: unknown;
  /** the end of a sentence such as "The request body is not JSON"; null for valid JSON */
  readonly fault: string | null;
  /** whether the JSON is above a limit */
  readonly isExcess: boolean;
}

export function parseBodyJson(bytes: Buffer): ParsedJson {
  if (!isUtf8(bytes)) return faulty('is not UTF-8');
  const text = bodyText(bytes);
  const excess = bytes.length > UNCHECKED_BYTES ? excessOf(text, LIMITS) : null;
  if (excess !== null) return faulty(`has ${excess}`, true);
  try {
    return { value: JSON.parse(text), fault: null, isExcess: false };
  } catch {
    return faulty(NOT_JSON);
  }
}

/** Decodes UTF-8. Removes a byte order mark, like the Fetch standard. */
export function bodyText(bytes: Buffer): string {
  const text = bytes.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function faulty(fault: string, isExcess = false): ParsedJson {
  return { value: undefined, fault, isExcess };
}
