// Cached answers as compact text: what memory holds and what goes to the shared tier.

import type { WhichRaVerdict } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import { MalformedRecordError, parseJson } from '../handle/json.ts';
import { createRecord, type HandleRecord } from '../handle/record.ts';
import { asArray, asInt32, asString, type WireObject } from '../handle/shape.ts';
import { decodeValues, trustedValues } from '../handle/value.ts';
import { compact, expand, expandOwn } from './compact-value.ts';
import type { Entry } from './entry.ts';

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
    const record = createRecord({
      responseCode: asInt32(responseCode, 'the response code'),
      handle,
      values: decodeValues(asArray(values, 'the cached values').map(expand)),
      fetchedAt: asTime(fetchedAt),
    });
    return entryOf(record);
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
  return { value: record, fetchedAt: record.fetchedAt, freshUntil: record.freshUntil };
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
    return { value: Object.freeze(value), fetchedAt: asTime(fetchedAt), freshUntil: asTime(freshUntil) };
  },
  // Its text is short, and so are the checks.
  decodeOwn: (text, name) => whichRaCodec.decode(text, name),
};

/** Somewhat more than the largest answer of the directory takes, unless DIRECTORY_MAX_RESPONSE_BYTES is raised. */
const MAX_CHARACTERS = 8_000_000;

function parseEntry(text: string): unknown {
  if (text.length <= MAX_CHARACTERS) return parseJson(text);
  throw new MalformedRecordError(`more than ${MAX_CHARACTERS} characters`);
}

function asTime(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new MalformedRecordError('a time is no number of milliseconds');
}
