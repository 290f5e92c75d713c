// Limits the size of all records and metadata of one operation, because the record of a short name can have megabytes.

import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';
import { remember } from '../handle/json.ts';
import type { HandleRecord } from '../handle/record.ts';
import { gatewayBusy } from '../work/admission-queue.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Evidence } from './evidence.ts';

/** The limit in bytes of JSON. A thousand ordinary records have half a megabyte. */
const MAX_BYTES = 16_000_000;
/** The bytes of a value without its data: index, type, times. */
const VALUE_BYTES = 100;

export interface RecordBytes {
  /**
   * Throws LIMIT_EXCEEDED for the first record above the limit, and for all later records. Throws GATEWAY_BUSY if the
   * gateway has no memory for a large record.
   * @param work reserves memory for a large record; default: no reservation, because the record is already in the cache
   */
  spend(record: HandleRecord, work?: Work): void;
  /** The same for metadata. */
  spendMetadata(answer: MetadataAnswer, work?: Work): void;
}

/** The memory that is reserved for the operation. `grow` returns false if no more memory is available. */
export interface Work {
  grow(bytes: number): boolean;
}

/** The memory for smaller records was reserved when the operation began. */
const LARGE_BYTES = 20_000;
/** Each byte of JSON needs this many bytes of heap. */
const HEAP_BYTES_PER_BYTE = 2;

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
    if (work && bytes > LARGE_BYTES && !work.grow(bytes * HEAP_BYTES_PER_BYTE)) throw gatewayBusy();
  }
}

/** The objects must be frozen, because the length is kept for each object. */
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

/** Estimates the length of the record's values as JSON. */
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

// The functions below count answers from memory: for the expiry of the response, the metrics, and the request's tally.

/** The request that uses answers from memory. */
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

/** If memory still has all answers of the evidence and none is stale, counts them again. Else returns false. */
export function countEvidence(evidence: Evidence, recipient: Recipient): boolean {
  if (!evidence.isCurrent(recipient.directory.memory)) return false;
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
