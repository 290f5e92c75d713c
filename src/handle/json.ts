// Parses JSON that comes from outside, and refuses what would not survive being passed on.

/** A wire answer or record that cannot be read. The message says what and where; it is for the log. */
export class MalformedRecordError extends Error {
  override readonly name = 'MalformedRecordError';
}

const MAX_DEPTH = 32;

/**
 * Parses JSON text. Of duplicate keys the last counts. Throws MalformedRecordError for text that is no
 * JSON, for nesting deeper than 32, for numbers that a double cannot hold exactly, for unpaired surrogates
 * and for `__proto__`.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new MalformedRecordError('not JSON', { cause });
  }
  refuseUnfaithful(value);
  return value;
}

function refuseUnfaithful(root: unknown): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'number' && !isExact(value)) {
      throw new MalformedRecordError('a number is too large to be exact');
    }
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw new MalformedRecordError('a text holds an unpaired surrogate');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) throw new MalformedRecordError(`nested deeper than ${MAX_DEPTH} levels`);
    if (Object.hasOwn(value, '__proto__'))
      throw new MalformedRecordError('an object has the key "__proto__"');
    for (const [key, child] of Object.entries(value)) {
      if (!key.isWellFormed()) throw new MalformedRecordError('a key holds an unpaired surrogate');
      pending.push({ value: child, depth: depth + 1 });
    }
  }
}

function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

/** Freezes a parsed value and everything in it. */
export function freezeJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freezeJson(child);
  return Object.freeze(value);
}
