// Reads members of wire objects, or says which one is missing or of the wrong kind.

import { MalformedRecordError } from './json.ts';

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
