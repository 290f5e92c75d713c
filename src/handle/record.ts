// A handle record: the directory's answer for one name, and how long it is fresh.

import { canonicalName, foldBasicLatin, type HandleName, toHandleName } from '../doi/name.ts';
import { textOf } from './data.ts';
import { asInt32, asObject, asString, MalformedRecordError, remember } from './json.ts';
import { type HandleStatus, meaningOf, SUCCESS, statusOf } from './response-codes.ts';
import { decodeValues, type HandleValue, recordLifeMs } from './value.ts';

// Aliases: a record that says to resolve another handle in its place.

const HS_ALIAS = 'hs_alias';

/** To search so few values is faster than a look-up in memory. */
const FEW_VALUES = 16;

/** The target of a record's HS_ALIAS, the lowest index if there are several; null when it has none. */
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
  /** the name as it was asked for, case kept */
  readonly handle: HandleName;
  /** in the directory's order; empty unless status is SUCCESS */
  readonly values: readonly HandleValue[];
  /** a text of the gateway, never of the directory: what is absent, or why the directory failed */
  readonly message: string | null;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** served although past `freshUntil` */
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

/** An answer of the proxy's REST API, before the check that it is about the right name. */
export interface WireAnswer {
  readonly responseCode: number;
  /** the echo; null where the directory failed before it had read the name */
  readonly handle: string | null;
  readonly values: readonly HandleValue[];
  /** the directory's own words: for the log */
  readonly message: string | null;
}

const NO_VALUES: readonly HandleValue[] = Object.freeze([]);

/** Decodes `{responseCode, handle, values | message}`. Throws MalformedRecordError; never half an answer. */
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

/** Decodes `{handle, values}` as a directory file holds it. Throws MalformedRecordError. */
export function decodeStoredRecord(wire: unknown): StoredRecord {
  const { handle, values } = asObject(wire, 'the record');
  const name = toHandleName(asString(handle, 'handle'));
  if (name === null) throw new MalformedRecordError('handle is empty');
  return Object.freeze({ handle: name, values: decodeValues(values) });
}

/** Whether an answer's echo is the requested name, or a name that is equivalent to it. */
export function echoes({ handle }: WireAnswer, asked: HandleName): boolean {
  return handle === null || canonicalName(handle as HandleName) === canonicalName(asked);
}
