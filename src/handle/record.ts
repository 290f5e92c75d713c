// The handle record of a name: creates a record, decodes the directory's JSON, and reads the alias.

import { canonicalName, type HandleName } from 'doi-names';
import { toHandleName } from 'doi-names/parts';
import { LIFETIMES } from '../lifetimes.ts';
import { dataText } from './data.ts';
import { asInt32, asObject, asString, MalformedRecordError, remember } from './json.ts';
import { type HandleStatus, meaningOf, SUCCESS, statusOf, VALUES_NOT_FOUND } from './response-codes.ts';
import { toEpochMs } from './time.ts';
import { decodeValues, type HandleValue, hasType } from './value.ts';

const HS_ALIAS = 'hs_alias';

/** For at most this many values, the alias is not remembered, because it is faster to search the values again. */
const FEW_VALUES = 16;

/** The target of the HS_ALIAS value with the lowest index. Null if the record has no such value. */
export function aliasOf({ values }: HandleRecord): HandleName | null {
  return values.length <= FEW_VALUES ? readAlias(values) : rememberedAlias(values);
}

const rememberedAlias = remember(readAlias);

function readAlias(values: readonly HandleValue[]): HandleName | null {
  let lowest: number | null = null;
  let target: string | null = null;
  for (const value of values) {
    if (!hasType(value, HS_ALIAS) || (lowest !== null && value.index >= lowest)) continue;
    const text = dataText(value.data);
    if (text) [lowest, target] = [value.index, text];
  }
  return target === null ? null : toHandleName(target);
}

export interface HandleRecord {
  readonly responseCode: number;
  readonly status: HandleStatus;
  /** the requested name, in the letter case of the request */
  readonly handle: HandleName;
  /** in the order of the directory; empty if the status is not SUCCESS */
  readonly values: readonly HandleValue[];
  /** Says which part is absent, or why the directory failed. The gateway writes this text, never the directory. */
  readonly message: string | null;
  /** milliseconds since the epoch */
  readonly fetchedAt: number;
  /** milliseconds since the epoch */
  readonly freshUntil: number;
  /** whether the cache served the record after `freshUntil` */
  readonly stale: boolean;
}

/** Whether the directory knows the name. Only for a record whose status is not ERROR. */
export function isRegistered({ status }: HandleRecord): boolean {
  return status !== 'HANDLE_NOT_FOUND';
}

export type RecordParts = Pick<HandleRecord, 'responseCode' | 'handle' | 'values' | 'fetchedAt'> &
  Partial<Pick<HandleRecord, 'message'>>;

/** A name whose values are all hidden has no values for clients: its response code is 200, not 1. */
export function createRecord(parts: RecordParts): HandleRecord {
  const { values, fetchedAt, handle } = parts;
  const isEmpty = parts.responseCode === SUCCESS && values.length === 0;
  const responseCode = isEmpty ? VALUES_NOT_FOUND : parts.responseCode;
  const { message = meaningOf(responseCode) } = parts;
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

/** How long a record is fresh: the smallest ttl of its values, and at most a day. */
function recordLifeMs(status: HandleStatus, values: readonly HandleValue[], fetchedAt: number): number {
  if (status === 'ERROR') return 0;
  if (status !== 'SUCCESS') return LIFETIMES.absentRecord;
  let lifeMs = LIFETIMES.record;
  for (const value of values) {
    lifeMs = Math.min(lifeMs, valueLifeMs(value, fetchedAt));
    if (lifeMs <= 0) return 0;
  }
  return lifeMs;
}

function valueLifeMs({ ttl, wire }: HandleValue, fetchedAt: number): number {
  if (ttl !== null) return ttl * 1000;
  const expiresAt = wire['ttl'];
  // A value with an unreadable time is stale at once. A value without a ttl is fresh for LIFETIMES.record.
  return typeof expiresAt === 'string' ? (toEpochMs(expiresAt) ?? fetchedAt) - fetchedAt : LIFETIMES.record;
}

/** A decoded response of the proxy's REST API. The caller must check the name in the response with `echoes`. */
export interface WireAnswer {
  readonly responseCode: number;
  /** the name in the response; null if the directory failed before it read the name */
  readonly handle: string | null;
  readonly values: readonly HandleValue[];
  /** the directory's message, only for the log */
  readonly message: string | null;
}

const NO_VALUES: readonly HandleValue[] = Object.freeze([]);

/** Decodes `{responseCode, handle, values | message}`. Throws MalformedRecordError for an invalid response. */
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
  if (name === null) throw new MalformedRecordError('handle is not a handle name');
  return Object.freeze({ handle: name, values: decodeValues(values) });
}

/** Whether the response is about the requested name. The letter case can differ. */
export function echoes({ handle }: WireAnswer, requested: HandleName): boolean {
  return handle === null || canonicalName(handle as HandleName) === canonicalName(requested);
}
