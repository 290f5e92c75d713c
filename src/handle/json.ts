// Parses JSON that comes from outside, and refuses what would not survive being passed on.

// How much there is in a JSON text, found out before it is parsed.

/** A handle record nests 6 levels, with a site in it 10. */
export const MAX_DEPTH = 32;
/** Objects, arrays and commas. A handle value has eight, so these are 25,000 of them. */
export const MAX_PARTS = 200_000;
/**
 * Members of objects, where objects that begin with the same members in the same order count once. A record has
 * about twenty. V8 takes a microsecond to learn each: 0.2 s for as many as an answer has room for.
 */
export const MAX_DIFFERENT_MEMBERS = 5_000;

/** What objects that begin alike have in common so far. */
interface Shape {
  /** other shapes by their members; null while there is only `usual` */
  next: Map<string, Shape> | null;
  /** the member that came next last time, its quotes included; most objects are like the one before */
  usualKey: string;
  usual: Shape | null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * What a text has more of than any handle record, as words for the log; null where it has not. Takes up to 5 ms
 * a megabyte. Whether the text is JSON is left to the parser: up to the first fault both read the same.
 */
export function excessOf(text: string): string | null {
  const shapes = createShapes();
  /** of the objects and arrays around; null for an array */
  const around: (Shape | null)[] = [];
  let parts = 0;
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const shape = isKeyNext ? around.at(-1) : null;
      isKeyNext = false;
      if (shape) {
        const key = keyAt(text, at, shape);
        around[around.length - 1] = shapes.after(shape, key);
        if (shapes.count > MAX_DIFFERENT_MEMBERS)
          return `more than ${MAX_DIFFERENT_MEMBERS} different members`;
        at += key.length - 1;
      } else at = endOfText(text, at);
    } else if (character === COMMA) {
      isKeyNext = true;
      parts += 1;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (around.length === MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
      around.push(character === OPEN_BRACE ? shapes.empty : null);
      isKeyNext = true;
      parts += 1;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      around.pop();
    }
    if (parts > MAX_PARTS) return `more than ${MAX_PARTS} parts`;
  }
  return null;
}

function createShapes() {
  const create = (): Shape => ({ next: null, usualKey: '', usual: null });
  let count = 0;
  return {
    /** of an object without members */
    empty: create(),
    get count() {
      return count;
    },
    after(shape: Shape, key: string): Shape {
      if (shape.usual !== null && shape.usualKey === key) return shape.usual;
      if (shape.usual !== null) shape.next ??= new Map([[shape.usualKey, shape.usual]]);
      let next = shape.next?.get(key);
      if (next === undefined) {
        next = create();
        shape.next?.set(key, next);
        count += 1;
      }
      shape.usualKey = key;
      shape.usual = next;
      return next;
    },
  };
}

/** The member's name that begins there, as it is written, with its quotes. */
function keyAt(text: string, at: number, { usual, usualKey }: Shape): string {
  return usual !== null && text.startsWith(usualKey, at) ? usualKey : text.slice(at, endOfText(text, at) + 1);
}

/** The offset of the quote that ends a text; the end of the input if there is none. */
function endOfText(text: string, start: number): number {
  const next = text.indexOf('"', start + 1);
  if (next !== -1 && text.charCodeAt(next - 1) !== BACKSLASH) return next;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) return at;
    if (character === BACKSLASH) at += 1;
  }
  return text.length;
}

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

// Reads members of wire objects, or says which one is missing or of the wrong kind.

export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what: string): WireObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as WireObject;
  throw new MalformedRecordError(`${what} is not an object`);
}

export function asArray(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new MalformedRecordError(`${what} is not an array`);
}

/** A string of whole Unicode characters. */
export function asString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MalformedRecordError(`${what} is not a string`);
  if (!value.isWellFormed()) throw new MalformedRecordError(`${what} holds an unpaired surrogate`);
  return value;
}

/** An integer of signed 32 bits, as GraphQL's Int and the handle protocol have it. */
export function asInt32(value: unknown, what: string): number {
  if (typeof value === 'number' && (value | 0) === value) return value;
  throw new MalformedRecordError(`${what} is not an integer of 32 bits`);
}

/** Computes a value from each key once. The value is dropped with its key. */
export function remember<Key extends object, Reading>(read: (key: Key) => Reading): (key: Key) => Reading {
  const readings = new WeakMap<Key, { readonly reading: Reading }>();
  return (key) => {
    const known = readings.get(key);
    if (known) return known.reading;
    const reading = read(key);
    readings.set(key, { reading });
    return reading;
  };
}
