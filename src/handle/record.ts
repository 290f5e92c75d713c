// A handle record: the directory's answer for one name, and how long it is fresh.

import { canonicalName, foldBasicLatin, type HandleName, toHandleName } from '../doi/name.ts';
import { textOf } from './data.ts';
import { asInt32, asObject, asString, MalformedRecordError, remember } from './json.ts';
import { type HandleStatus, meaningOf, SUCCESS, statusOf } from './response-codes.ts';
import { decodeValues, type HandleValue, recordLifeMs } from './value.ts';

const HS_ALIAS = 'hs_alias';

/** A search of this few values is faster than a look-up of the remembered alias. */
const FEW_VALUES = 16;

/**
 * The target of a record's HS_ALIAS value. If there are several, the one with the lowest index. Null if there is none.
 */
export function aliasOf({ values }: HandleRecord): HandleName | null {
  return values.length <= FEW_VALUES ? readAlias(values) : rememberedAlias(values);
}

const rememberedAlias = remember(readAlias);

function readAlias(values: readonly HandleValue[]): HandleName | null {
  let lowest: number | null = null;
  let target: string | null = null;
  for (const { index, type, data } of values) {
    const isAlias = type.length === HS_ALIAS.length && foldBasicLatin(type) === HS_ALIAS;
    if (!isAlias || (lowest !== null && index >= lowest)) continue;
    const text = textOf(data);
    if (text) [lowest, target] = [index, text];
  }
  return target === null ? null : toHandleName(target);
}

export interface HandleRecord {
  readonly responseCode: number;
  readonly status: HandleStatus;
  /** the requested name, in its original letter case */
  readonly handle: HandleName;
  /** The values in the directory's order. Empty if the status is not SUCCESS. */
  readonly values: readonly HandleValue[];
  /** A text of the gateway, never of the directory. It says what is absent, or why the directory failed. */
  readonly message: string | null;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** whether the record is returned after `freshUntil` */
  readonly stale: boolean;
}

export type RecordParts = Pick<HandleRecord, 'responseCode' | 'handle' | 'values' | 'fetchedAt'> &
  Partial<Pick<HandleRecord, 'message'>>;

export function createRecord(parts: RecordParts): HandleRecord {
  const { responseCode, values, fetchedAt, handle, message = meaningOf(responseCode) } = parts;
  const status = statusOf(responseCode);
  const freshUntil = fetchedAt + recordLifeMs(status, values, fetchedAt);
  return Object.freeze({
    responseCode,
    status,
    handle,
    values,
    message,
    fetchedAt,
    freshUntil,
    stale: false,
  });
}

/** An answer of the proxy's REST API. The caller must check its name with `echoes`. */
export interface WireAnswer {
  readonly responseCode: number;
  /** The name that the answer repeats. Null if the directory failed before it read the name. */
  readonly handle: string | null;
  readonly values: readonly HandleValue[];
  /** the directory's message, only for the log */
  readonly message: string | null;
}

const NO_VALUES: readonly HandleValue[] = Object.freeze([]);

/** Decodes `{responseCode, handle, values | message}`. Throws MalformedRecordError if any part is invalid. */
export function decodeAnswer(wire: unknown): WireAnswer {
  const { responseCode, handle, values, message } = asObject(wire, 'the answer');
  const code = asInt32(responseCode, 'responseCode');
  if (code === SUCCESS && values === undefined) throw new MalformedRecordError('values are missing');
  return Object.freeze({
    responseCode: code,
    handle: handle === undefined && statusOf(code) === 'ERROR' ? null : asString(handle, 'handle'),
    values: code === SUCCESS ? decodeValues(values) : NO_VALUES,
    message: typeof message === 'string' ? message : null,
  });
}

export interface StoredRecord {
  readonly handle: HandleName;
  readonly values: readonly HandleValue[];
}

/** Decodes `{handle, values}`, a line of a directory file. Throws MalformedRecordError. */
export function decodeStoredRecord(wire: unknown): StoredRecord {
  const { handle, values } = asObject(wire, 'the record');
  const name = toHandleName(asString(handle, 'handle'));
  if (name === null) throw new MalformedRecordError('handle is empty');
  return Object.freeze({ handle: name, values: decodeValues(values) });
}

/** Whether the answer repeats the requested name, or an equivalent name. */
export function echoes({ handle }: WireAnswer, asked: HandleName): boolean {
  return handle === null || canonicalName(handle as HandleName) === canonicalName(asked);
}
