// Cached answers as compact text: what memory holds and what goes to the shared tier.

import type { WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import { LONGEST_LIFE_MS } from '../handle/freshness.ts';
import { MalformedRecordError, parseJson } from '../handle/json.ts';
import { createRecord, type HandleRecord } from '../handle/record.ts';
import { SUCCESS, statusOf } from '../handle/response-codes.ts';
import { asArray, asInt32, asString, type WireObject } from '../handle/shape.ts';
import { decodeValues, trustedValues } from '../handle/value.ts';
import { compact, expand, expandOwn } from './compact-value.ts';
import { createEntry, type Entry } from './entry.ts';
import { MAX_TEXT_BYTES } from './shared-tier.ts';

export interface Codec<Value> {
  encode(entry: Entry<Value>): string;
  /** Throws MalformedRecordError for text that it has not written. */
  decode(text: string, name: HandleName): Entry<Value>;
  /** The same for text that this process has written, or checked by `decode`: nothing is looked at twice. */
  decodeOwn(text: string, name: HandleName): Entry<Value>;
}

export const recordCodec: Codec<HandleRecord> = {
  // Until when it is fresh follows from the values, and its words from the response code.
  encode: ({ value }) =>
    JSON.stringify([value.fetchedAt, value.responseCode, value.values.map(({ wire }) => compact(wire))]),
  decode(text, handle) {
    const [fetchedAt, responseCode, values] = asArray(parseEntry(text), 'a cached record');
    const code = asInt32(responseCode, 'the response code');
    if (statusOf(code) === 'ERROR') throw new MalformedRecordError('a failure is never kept');
    const rows = asArray(values, 'the cached values');
    if (code !== SUCCESS && rows.length > 0) throw new MalformedRecordError('values of what is not there');
    return entryOf(
      createRecord({
        responseCode: code,
        handle,
        values: decodeValues(rows.map(expand)),
        fetchedAt: asTime(fetchedAt),
      }),
    );
  },
  decodeOwn(text, handle) {
    const [fetchedAt, responseCode, values] = JSON.parse(text) as [number, number, unknown[]];
    return entryOf(
      createRecord({
        responseCode,
        handle,
        values: trustedValues(values.map(expandOwn) as WireObject[]),
        fetchedAt,
      }),
    );
  },
};

export function entryOf(record: HandleRecord): Entry<HandleRecord> {
  return createEntry(record, record, record.status !== 'SUCCESS');
}

const STATUSES = ['FOUND', 'INVALID_DOI', 'DOES_NOT_EXIST', 'UNKNOWN'] as const;

export const whichRaCodec: Codec<WhichRaVerdict> = {
  encode: ({ value, fetchedAt, freshUntil }) =>
    JSON.stringify([fetchedAt, freshUntil, value.status, ...(value.agency === null ? [] : [value.agency])]),
  decode(text) {
    const [fetchedAt, freshUntil, status, agency] = asArray(parseEntry(text), 'a cached agency');
    const known = STATUSES.find((candidate) => candidate === status);
    if (known === undefined) throw new MalformedRecordError('the status is none that is known');
    const value: WhichRaVerdict =
      known === 'FOUND'
        ? { status: known, agency: asString(agency, 'the agency') }
        : { status: known, agency: null };
    const at = asTime(fetchedAt);
    return agencyEntryOf(Object.freeze(value), at, Math.min(asTime(freshUntil), at + LONGEST_LIFE_MS));
  },
  // Its text is short, and so are the checks.
  decodeOwn: (text, name) => whichRaCodec.decode(text, name),
};

export function agencyEntryOf(
  value: WhichRaVerdict | WhichRaAnswer,
  fetchedAt: number,
  freshUntil: number,
): Entry<WhichRaVerdict> {
  return createEntry(value, { fetchedAt, freshUntil }, value.status === 'DOES_NOT_EXIST');
}

function parseEntry(text: string): unknown {
  if (text.length <= MAX_TEXT_BYTES) return parseJson(text);
  throw new MalformedRecordError(`more than ${MAX_TEXT_BYTES} characters`);
}

function asTime(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new MalformedRecordError('a time is no number of milliseconds');
}
