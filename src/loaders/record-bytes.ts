// How much the records and metadata of one operation hold together: what is asked for by a short name may be megabytes.

import type { Directory, MetadataAnswer, WhichRaAnswer } from '../directory/directory.ts';
import type { Requester } from '../directory/requester.ts';
import { GatewayError } from '../errors.ts';
import { remember } from '../handle/json.ts';
import type { HandleRecord } from '../handle/record.ts';
import { gatewayBusy } from '../work/admission-line.ts';
import type { AnswerExpiry } from './answer-expiry.ts';
import type { Evidence } from './evidence.ts';

/** As JSON. A thousand ordinary records have half a megabyte; in memory they take several times as much. */
const MAX_BYTES = 16_000_000;
/** Of a value beside its data: index, type, times. */
const VALUE_BYTES = 100;

export interface RecordBytes {
  /**
   * Throws LIMIT_EXCEEDED for a record that is too much, and for every one after it.
   * @param work pays for a large one; left out: memory holds it already. GATEWAY_BUSY where it cannot pay
   */
  spend(record: HandleRecord, work?: Work): void;
  /** The same for metadata. */
  spendMetadata(answer: MetadataAnswer, work?: Work): void;
}

/** The reservation of the operation, in the account of work in hand. */
export interface Work {
  grow(bytes: number): boolean;
}

/** What the operation has reserved covers records up to this size. */
const LARGE_BYTES = 20_000;
/** Objects on the heap for each byte of JSON. */
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

/** Of an object that is frozen, as JSON. */
const jsonLength = remember((value: object) => JSON.stringify(value).length);

/** The characters of a text, or of CSL and history as JSON, which are counted once. */
export function lengthOf({ content, history }: Pick<MetadataAnswer, 'content' | 'history'>): number {
  if (content === null || typeof content === 'string') return content?.length ?? 0;
  return jsonLength(content) + (history === undefined ? 0 : jsonLength(history));
}

function tooMuch(): GatewayError {
  return new GatewayError('LIMIT_EXCEEDED', {
    message: `The records and metadata of this operation hold more than ${MAX_BYTES} bytes together. Ask for fewer names at once.`,
  });
}

/** About as many as its values have as JSON. */
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

// What is handed out of memory counts: for the life of the answer, for the metrics, and in the request's account.

/** One request, and whom it asks. */
export interface Recipient {
  readonly directory: Pick<Directory, 'memory'>;
  readonly expiry: AnswerExpiry;
  readonly requester?: Requester | undefined;
}

export function handOutRecord(known: HandleRecord, recipient: Recipient): void {
  recipient.expiry.include(known);
  if (known.status === 'ERROR') recipient.expiry.mustNotBeCached();
  count('record', known.stale, 1, recipient);
}

export function handOutAgency(known: WhichRaAnswer, recipient: Recipient): void {
  recipient.expiry.include(known);
  count('agency', known.stale, 1, recipient);
}

export function handOutMetadata(known: MetadataAnswer, recipient: Recipient): void {
  recipient.expiry.include(known);
  count('metadata', known.stale, 1, recipient);
}

/** Hands out all of it once more, if memory still gives the very same answers, none of them stale; else nothing. */
export function handOutAgain(evidence: Evidence, recipient: Recipient): boolean {
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
