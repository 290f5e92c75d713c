// Limits the size of all records and metadata of one operation, because a short name may lead to megabytes.

import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';
import { remember } from '../handle/json.ts';
import type { HandleRecord } from '../handle/record.ts';
import { gatewayBusy } from '../work/admission-queue.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Evidence } from './evidence.ts';

/** Bytes of JSON. A thousand ordinary records have half a megabyte, and need several times as much memory. */
const MAX_BYTES = 16_000_000;
/** A value without its data: index, type, times. */
const VALUE_BYTES = 100;

export interface RecordBytes {
  /**
   * Throws LIMIT_EXCEEDED for the first record above the limit, and for all later records. Throws GATEWAY_BUSY if the
   * gateway has no memory for a large record.
   * @param work reserves memory for a large record; default: no reservation, because the cache already holds the record
   */
  spend(record: HandleRecord, work?: Work): void;
  /** The same for metadata. */
  spendMetadata(answer: MetadataAnswer, work?: Work): void;
}

/** The reservation of the operation, in the account of work in hand. */
export interface Work {
  grow(bytes: number): boolean;
}

/** The reservation of the operation includes records up to this size. */
const LARGE_BYTES = 20_000;
/** Bytes of heap for each byte of JSON. */
const HEAP_BYTES_A_BYTE = 2;

export function createRecordBytes(): RecordBytes {
  return new Bytes();
}

class Bytes implements RecordBytes {
  #spent = 0;

  spend(record: HandleRecord, work?: Work): void {
    this.#spend(bytesOfRecord(record), work);
  }

  spendMetadata(answer: MetadataAnswer, work?: Work): void {
    this.#spend(lengthOf(answer), work);
  }

  #spend(bytes: number, work: Work | undefined): void {
    this.#spent += bytes;
    if (this.#spent > MAX_BYTES) throw tooMuch();
    if (work && bytes > LARGE_BYTES && !work.grow(bytes * HEAP_BYTES_A_BYTE)) throw gatewayBusy();
  }
}

/** For frozen objects. */
const jsonLength = remember((value: object) => JSON.stringify(value).length);

/** The characters of a text, or of CSL and history as JSON. */
export function lengthOf({ content, history }: Pick<MetadataAnswer, 'content' | 'history'>): number {
  if (content === null || typeof content === 'string') return content?.length ?? 0;
  return jsonLength(content) + (history === undefined ? 0 : jsonLength(history));
}

function tooMuch(): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The records and metadata of this operation hold more than ${MAX_BYTES} bytes together. Ask for fewer names at once.`,
  });
}

/** An estimate of the JSON of its values. */
function bytesOfRecord({ values }: HandleRecord): number {
  let bytes = 0;
  for (const { data } of values) {
    bytes += VALUE_BYTES;
    if (data.kind === 'string') bytes += data.value.length;
    else if (data.kind === 'binary') bytes += data.bytes.length;
    else if (data.kind !== 'admin') bytes += JSON.stringify(data).length;
  }
  return bytes;
}

// Answers of memory count for the expiry of the response, for the metrics, and for the tally of the request.

/** The request that uses answers of memory. */
export interface Recipient {
  readonly directory: Pick<Directory, 'memory'>;
  readonly expiry: AnswerExpiry;
  readonly requester?: Requester | undefined;
}

export function countRecord(known: HandleRecord, recipient: Recipient): void {
  recipient.expiry.include(known);
  if (known.status === 'ERROR') recipient.expiry.mustNotBeCached();
  count('record', known.stale, 1, recipient);
}

export function countAgency(known: WhichRaAnswer, recipient: Recipient): void {
  recipient.expiry.include(known);
  count('agency', known.stale, 1, recipient);
}

export function countMetadata(known: MetadataAnswer, recipient: Recipient): void {
  recipient.expiry.include(known);
  count('metadata', known.stale, 1, recipient);
}

/** Counts all answers of the evidence again if memory still has them and none is stale. Else counts nothing. */
export function countEvidence(evidence: Evidence, recipient: Recipient): boolean {
  if (!evidence.isLive(recipient.directory.memory)) return false;
  recipient.expiry.include(evidence);
  const { records, agencies, metadata } = evidence;
  if (records.length > 0) count('record', false, records.length, recipient);
  if (agencies.length > 0) count('agency', false, agencies.length, recipient);
  if (metadata.length > 0) count('metadata', false, metadata.length, recipient);
  return true;
}

function count(
  kind: 'record' | 'agency' | 'metadata',
  stale: boolean,
  lookUps: number,
  { directory, requester }: Recipient,
): void {
  directory.memory?.count?.(kind, stale, lookUps);
  const tally = requester?.tally;
  if (tally === undefined) return;
  tally.lookedUp(lookUps);
  tally.answered(stale ? 'stale' : 'memory', lookUps);
}
