// Encodes cached answers as compact text, for memory and for the shared tier, and decodes the text.

import type { HandleName } from 'doi-names';
import type { MetadataAnswer, WhichRaAnswer, WhichRaVerdict } from '../directory/directory.ts';
import {
  asArray,
  asInt32,
  asObject,
  asString,
  freezeJson,
  MalformedRecordError,
  parseHandleJson,
  type WireObject,
} from '../handle/json.ts';
import { createRecord, type HandleRecord } from '../handle/record.ts';
import { SUCCESS, statusOf } from '../handle/response-codes.ts';
import { decodeValues, trustedValues } from '../handle/value.ts';
import { LIFETIMES } from '../lifetimes.ts';
import type { CslItem, WorkHistory } from '../works/work.ts';
import { type CachedAnswer, MAX_TEXT_BYTES } from './cached-entry.ts';

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
  throw new MalformedRecordError('a cached value does not have 5 or 6 members');
}

function hasMembers(wire: WireObject, members: readonly string[]): boolean {
  const names = Object.keys(wire);
  return names.length === members.length && names.every((name, i) => name === members[i]);
}

/** Encodes answers as text, without the member `stale`. */
export interface Codec<Answer extends CachedAnswer> {
  encode(answer: Answer): string;
  /** Throws MalformedRecordError for a text in another format. */
  decode(text: string, name: HandleName): Answer;
  /** Decodes with few checks: only for a text that this process has encoded, or that `decode` has checked. */
  decodeOwn(text: string, name: HandleName): Answer;
}

export const recordCodec: Codec<HandleRecord> = {
  // The text has no `freshUntil` and no status: `createRecord` computes them from the values and the response code.
  encode: ({ fetchedAt, responseCode, values }) =>
    JSON.stringify([fetchedAt, responseCode, values.map(({ wire }) => compact(wire))]),
  decode(text, handle) {
    const [fetchedAt, responseCode, values] = asArray(parseEntry(text), 'a cached record');
    const code = asInt32(responseCode, 'the response code');
    if (statusOf(code) === 'ERROR') throw new MalformedRecordError('a cached record reports a failure');
    const rows = asArray(values, 'the cached values');
    if (code !== SUCCESS && rows.length > 0) throw new MalformedRecordError('a cached absence has values');
    const expanded = decodeValues(rows.map(expand));
    return createRecord({ responseCode: code, handle, values: expanded, fetchedAt: asTime(fetchedAt) });
  },
  decodeOwn(text, handle) {
    const [fetchedAt, responseCode, values] = JSON.parse(text) as [number, number, unknown[]];
    const expanded = trustedValues(values.map(expand) as WireObject[]);
    return createRecord({ responseCode, handle, values: expanded, fetchedAt });
  },
};

const STATUSES = ['FOUND', 'INVALID_DOI', 'DOES_NOT_EXIST', 'UNKNOWN'] as const;

export const whichRaCodec: Codec<WhichRaAnswer> = {
  encode: ({ fetchedAt, freshUntil, status, agency }) =>
    JSON.stringify([fetchedAt, freshUntil, status, ...(agency === null ? [] : [agency])]),
  decode(text) {
    const [fetchedAt, freshUntil, status, agency] = asArray(parseEntry(text), 'a cached agency');
    const known = STATUSES.find((candidate) => candidate === status);
    if (known === undefined) throw new MalformedRecordError('the status is not known');
    const verdict: WhichRaVerdict =
      known === 'FOUND'
        ? { status: known, agency: asString(agency, 'the agency') }
        : { status: known, agency: null };
    return Object.freeze({ ...verdict, ...asTimes(fetchedAt, freshUntil), stale: false });
  },
  // Checks again, because the text is short and the checks take little time.
  decodeOwn: (text, name) => whichRaCodec.decode(text, name),
};

function parseEntry(text: string): unknown {
  if (text.length <= MAX_TEXT_BYTES) return parseHandleJson(text);
  throw new MalformedRecordError(`more than ${MAX_TEXT_BYTES} characters`);
}

function asTime(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new MalformedRecordError('a time is not a whole number of milliseconds');
}

function asTimes(fetched: unknown, fresh: unknown): Pick<CachedAnswer, 'fetchedAt' | 'freshUntil'> {
  const fetchedAt = asTime(fetched);
  return { fetchedAt, freshUntil: Math.min(asTime(fresh), fetchedAt + LIFETIMES.record) };
}

/** @param isCsl whether the content is a CSL object, and not text */
export function createMetadataCodec(isCsl: boolean): Codec<MetadataAnswer> {
  function contentOf(content: unknown): MetadataAnswer['content'] {
    if (content === null) return null;
    if (!isCsl) return asString(content, 'the cached text');
    if (typeof content !== 'object' || Array.isArray(content))
      throw new MalformedRecordError('cached metadata is not an object');
    return freezeJson(content as CslItem);
  }

  function read(row: unknown): MetadataAnswer {
    const [fetched, fresh, source, content, history] = asArray(row, 'cached metadata');
    return Object.freeze({
      content: contentOf(content),
      source: asString(source, 'the source'),
      ...(history !== undefined && { history: historyOf(history) }),
      ...asTimes(fetched, fresh),
      stale: false,
    });
  }

  return {
    encode: ({ fetchedAt, freshUntil, source, content, history }) =>
      JSON.stringify([fetchedAt, freshUntil, source, content, ...(history === undefined ? [] : [history])]),
    decode: (text) => read(parseEntry(text)),
    decodeOwn: (text) => read(JSON.parse(text)),
  };
}

/** Does not check the members, because only the gateway writes them. */
function historyOf(history: unknown): WorkHistory {
  return freezeJson(asObject(history, 'the cached history') as unknown as WorkHistory);
}
