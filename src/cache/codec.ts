// Encodes cached answers as compact text, for memory and for the shared tier, and decodes the text.

import type { MetadataAnswer, WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import type { HandleName } from '../doi/name.ts';
import {
  asArray,
  asInt32,
  asObject,
  asString,
  freezeJson,
  MalformedRecordError,
  parseJson,
  type WireObject,
} from '../handle/json.ts';
import { createRecord, type HandleRecord } from '../handle/record.ts';
import { LONGEST_LIFE_MS } from '../handle/record-life.ts';
import { SUCCESS, statusOf } from '../handle/response-codes.ts';
import { decodeValues, trustedValues } from '../handle/value.ts';
import type { CslItem, WorkHistory } from '../metadata/work.ts';
import { createEntry, type Entry, MAX_TEXT_BYTES } from './cached-entry.ts';

// A handle value becomes a row (an array), without the member names. In a small record, these names are most of the JSON.

const DATA_MEMBERS = ['format', 'value'];
const MEMBERS = ['index', 'type', 'data', 'ttl'];
const DATED_MEMBERS = [...MEMBERS, 'timestamp'];

/** Makes a row if the value has the usual members in the usual order. Else returns the value itself. */
function compact(wire: WireObject): WireObject | readonly unknown[] {
  const { index, type, data, ttl, timestamp } = wire;
  const { format, value } = data as WireObject;
  if (!hasMembers(data as WireObject, DATA_MEMBERS)) return wire;
  if (hasMembers(wire, MEMBERS)) return [index, type, format, value, ttl];
  return hasMembers(wire, DATED_MEMBERS) ? [index, type, format, value, ttl, timestamp] : wire;
}

/** The inverse of `compact`. Throws MalformedRecordError for a row of another length. The caller checks the members. */
function expand(compacted: unknown): unknown {
  if (!Array.isArray(compacted)) return compacted;
  const [index, type, format, value, ttl, timestamp] = compacted as readonly unknown[];
  const data = { format, value };
  if (compacted.length === 5) return { index, type, data, ttl };
  if (compacted.length === 6) return { index, type, data, ttl, timestamp };
  throw new MalformedRecordError('a cached value is not a row of 5 or 6');
}

function hasMembers(wire: WireObject, members: readonly string[]): boolean {
  const names = Object.keys(wire);
  return names.length === members.length && names.every((name, i) => name === members[i]);
}

export interface Codec<Value> {
  encode(entry: Entry<Value>): string;
  /** Throws MalformedRecordError for a text in another format. */
  decode(text: string, name: HandleName): Entry<Value>;
  /** Decodes without checks. The text must come from this process, or this process must have decoded it before. */
  decodeOwn(text: string, name: HandleName): Entry<Value>;
}

export const recordCodec: Codec<HandleRecord> = {
  // The text has no `freshUntil` and no status: `createRecord` computes them from the values and the response code.
  encode: ({ value }) =>
    JSON.stringify([value.fetchedAt, value.responseCode, value.values.map(({ wire }) => compact(wire))]),
  decode(text, handle) {
    const [fetchedAt, responseCode, values] = asArray(parseEntry(text), 'a cached record');
    const code = asInt32(responseCode, 'the response code');
    if (statusOf(code) === 'ERROR') throw new MalformedRecordError('a failure is never kept');
    const rows = asArray(values, 'the cached values');
    if (code !== SUCCESS && rows.length > 0) throw new MalformedRecordError('values without SUCCESS');
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
        values: trustedValues(values.map(expand) as WireObject[]),
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
    if (known === undefined) throw new MalformedRecordError('the status is not known');
    const value: WhichRaVerdict =
      known === 'FOUND'
        ? { status: known, agency: asString(agency, 'the agency') }
        : { status: known, agency: null };
    const at = asTime(fetchedAt);
    return agencyEntryOf(Object.freeze(value), at, Math.min(asTime(freshUntil), at + LONGEST_LIFE_MS));
  },
  // The text is short, so the checks take little time.
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
  throw new MalformedRecordError('a time is not a whole number of milliseconds');
}

/** The members of a metadata answer without its times. */
export type KnownMetadata = Pick<MetadataAnswer, 'content' | 'source' | 'history'>;

/** @param isCsl true: the content is an object; false: it is text */
export function createMetadataCodec(isCsl: boolean): Codec<KnownMetadata> {
  function contentOf(content: unknown): MetadataAnswer['content'] {
    if (content === null) return null;
    if (!isCsl) return asString(content, 'the cached text');
    if (typeof content !== 'object' || Array.isArray(content))
      throw new MalformedRecordError('cached metadata is not an object');
    return freezeJson(content as CslItem);
  }

  function read(row: unknown): Entry<KnownMetadata> {
    const [fetched, fresh, source, content, history] = asArray(row, 'cached metadata');
    const fetchedAt = asTime(fetched);
    const times = { fetchedAt, freshUntil: Math.min(asTime(fresh), fetchedAt + LONGEST_LIFE_MS) };
    const known = { content: contentOf(content), source: asString(source, 'the source') };
    return metadataEntry(history === undefined ? known : { ...known, history: historyOf(history) }, times);
  }

  return {
    encode: ({ value, fetchedAt, freshUntil }) =>
      JSON.stringify([
        fetchedAt,
        freshUntil,
        value.source,
        value.content,
        ...(value.history === undefined ? [] : [value.history]),
      ]),
    decode: (text) => read(parseEntry(text)),
    decodeOwn: (text) => read(JSON.parse(text)),
  };
}

/** Does not check the members, because only the gateway writes them. */
function historyOf(history: unknown): WorkHistory {
  return freezeJson(asObject(history, 'the cached history') as unknown as WorkHistory);
}

export function metadataEntry(
  { content, source, history }: KnownMetadata,
  times: Pick<MetadataAnswer, 'fetchedAt' | 'freshUntil'>,
): Entry<KnownMetadata> {
  const value = history === undefined ? { content, source } : { content, source, history };
  return createEntry(Object.freeze(value), times, content === null);
}
