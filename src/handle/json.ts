// Parses JSON of other systems. Rejects JSON that takes too long to parse, or that the gateway could not write again
// unchanged.

export interface JsonLimits {
  readonly maxDepth: number;
  /** objects, arrays and commas together */
  readonly maxParts: number;
}

/**
 * A handle record has 6 levels of nesting, or 10 with a site. A handle value has eight parts, so a record can have 25,000
 * values.
 */
export const RECORD_LIMITS: JsonLimits = { maxDepth: 32, maxParts: 200_000 };
/**
 * The maximum number of object shapes. V8 makes shapes slowly: without this limit, it could need 0.2 s for a response.
 * Each new member makes a shape. Objects with the same members in the same order share their shapes, so a record has only
 * about twenty shapes.
 */
export const MAX_DIFFERENT_MEMBERS = 5_000;

/** The first members of one or more objects, in order. */
interface Shape {
  /** The shapes with one more member, by this member. Null if the only such shape is `usual`. */
  next: Map<string, Shape> | null;
  /** The member that followed last time, with its quotes. Compared first, because most objects are alike. */
  usualKey: string;
  /** the shape after `usualKey` */
  usual: Shape | null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Says which limit the text exceeds. Null if it exceeds no limit. Does not check whether the text is JSON. */
export function excessOf(text: string, { maxDepth, maxParts }: JsonLimits = RECORD_LIMITS): string | null {
  const shapes = createShapes();
  /** the shapes of the enclosing objects, from the outermost to the innermost; null for an array */
  const enclosing: (Shape | null)[] = [];
  let parts = 0;
  let isKeyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const shape = isKeyNext ? enclosing.at(-1) : null;
      isKeyNext = false;
      if (shape) {
        const key = keyAt(text, at, shape);
        enclosing[enclosing.length - 1] = shapes.after(shape, key);
        if (shapes.count > MAX_DIFFERENT_MEMBERS)
          return `more than ${MAX_DIFFERENT_MEMBERS} different members`;
        at += key.length - 1;
      } else at = endOfText(text, at);
    } else if (character === COMMA) {
      isKeyNext = true;
      parts += 1;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (enclosing.length === maxDepth) return `more than ${maxDepth} levels`;
      enclosing.push(character === OPEN_BRACE ? shapes.empty : null);
      isKeyNext = true;
      parts += 1;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      enclosing.pop();
    }
    if (parts > maxParts) return `more than ${maxParts} parts`;
  }
  return null;
}

function createShapes() {
  const create = (): Shape => ({ next: null, usualKey: '', usual: null });
  let count = 0;
  return {
    /** the shape of an object without members */
    empty: create(),
    get count() {
      return count;
    },
    /** The shape with one more member. The first call makes the shape. */
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

/** The name of the member at this offset, with its quotes and not decoded. */
function keyAt(text: string, at: number, { usual, usualKey }: Shape): string {
  return usual !== null && text.startsWith(usualKey, at) ? usualKey : text.slice(at, endOfText(text, at) + 1);
}

/** The offset of the quote that ends the string. If the quote is missing, the length of the input. */
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

/** The JSON of a response or record is invalid. The message says where the fault is, and is only for the log. */
export class MalformedRecordError extends Error {
  override readonly name = 'MalformedRecordError';
}

/**
 * Throws MalformedRecordError if the text exceeds a limit above, or is not JSON. Also throws for values that the
 * gateway could not write again: numbers that a double cannot hold exactly, unpaired surrogates, and the key
 * `__proto__`.
 */
export function parseHandleJson(text: string): unknown {
  const excess = excessOf(text);
  if (excess !== null) throw new MalformedRecordError(excess);
  return parseFileJson(text);
}

/** Like `parseJson`, for files of the operator, which can be large. Limits only the depth. */
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

/** Throws for values that the gateway could not write again unchanged. */
function refuseUnfaithful(value: unknown, depth = 0): void {
  if (typeof value === 'string') refuseSurrogates(value, 'a text');
  if (typeof value === 'number' && !isExact(value)) {
    throw new MalformedRecordError('a number is too large to be exact');
  }
  if (typeof value !== 'object' || value === null) return;
  const { maxDepth } = RECORD_LIMITS;
  if (depth === maxDepth) throw new MalformedRecordError(`more than ${maxDepth} levels`);
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

/** Freezes a value of JSON and everything in it. */
export function freezeJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Array.isArray(value) ? value : Object.values(value)) freezeJson(child);
  return Object.freeze(value);
}

// The functions below check the type of a member. The error names the member with the text `what`.

export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what: string): WireObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as WireObject;
  throw new MalformedRecordError(`${what} is not an object`);
}

export function asArray(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new MalformedRecordError(`${what} is not an array`);
}

export function asString(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new MalformedRecordError(`${what} is not a string`);
  refuseSurrogates(value, what);
  return value;
}

/** A signed 32-bit integer, as in GraphQL's Int and in the handle protocol. */
export function asInt32(value: unknown, what: string): number {
  if (typeof value === 'number' && (value | 0) === value) return value;
  throw new MalformedRecordError(`${what} is not an integer of 32 bits`);
}

/** Wraps a function, so that it runs once for each key. The result is kept while the key is in memory. */
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
