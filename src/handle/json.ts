// Parses JSON that comes from outside, and refuses what would not survive being passed on.

import { excessOf, MAX_DEPTH } from './json-size.ts';

/** A wire answer or record that cannot be read. The message says what and where; it is for the log. */
export class MalformedRecordError extends Error {
  override readonly name = 'MalformedRecordError';
}

/**
 * Parses JSON text. Of duplicate keys the last counts. Throws MalformedRecordError for text that is no
 * JSON, for numbers that a double cannot hold exactly, for unpaired surrogates and for `__proto__`; and, before
 * it is parsed, for text that is nested deeper or has more in it than any handle record (see json-size.ts).
 */
export function parseJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== null) throw new MalformedRecordError(excess);
  return parseFileJson(text);
}

/** The same for the files of who runs the gateway, which are large and read once: only their depth is bounded. */
export function parseFileJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MalformedRecordError('not JSON', { cause });
  }
  refuseUnfaithful(value);
  return value;
}

/** Nests no deeper than MAX_DEPTH itself. */
function refuseUnfaithful(value: unknown, depth = 0): void {
  if (typeof value === 'string') refuseSurrogates(value, 'a text');
  if (typeof value === 'number' && !isExact(value)) {
    throw new MalformedRecordError('a number is too large to be exact');
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) throw new MalformedRecordError(`nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const item of value) refuseUnfaithful(item, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw new MalformedRecordError('an object has the key "__proto__"');
    refuseSurrogates(key, 'a key');
    refuseUnfaithful((value as Readonly<Record<string, unknown>>)[key], depth + 1);
  }
}

function refuseSurrogates(text: string, what: string): void {
  if (!text.isWellFormed()) throw new MalformedRecordError(`${what} holds an unpaired surrogate`);
}

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** Freezes a parsed value and everything in it. */
export function freezeJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Array.isArray(value) ? value : Object.values(value)) freezeJson(child);
  return Object.freeze(value);
}
