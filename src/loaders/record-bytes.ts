// Limits the size of all records and metadata of one operation, because the record of a short name can have megabytes.

import type { MetadataAnswer } from '../directory/directory.ts';
import { GatewayError, gatewayBusy } from '../errors.ts';
import { remember } from '../handle/json.ts';
import type { HandleRecord } from '../handle/record.ts';

/** The limit in bytes of JSON. A thousand ordinary records have half a megabyte. */
const MAX_BYTES = 16_000_000;
/** The bytes of a value without its data: index, type, times. */
const VALUE_BYTES = 100;
/** The memory for records up to this size was reserved when the operation began. */
const LARGE_BYTES = 20_000;
/** Each byte of JSON needs this many bytes of heap. */
const HEAP_BYTES_PER_BYTE = 2;

/** The memory that is reserved for the operation. `grow` returns false if no more memory is available. */
export interface GrowingReservation {
  grow(bytes: number): boolean;
}

export class RecordBytes {
  #spent = 0;

  /**
   * Throws LIMIT_EXCEEDED for the first record above the limit, and for all later records. Throws GATEWAY_BUSY if the
   * gateway has no memory for a large record.
   * @param reservation reserves memory for a large record; default: no reservation, because the record is already in the cache
   */
  spend(record: HandleRecord, reservation?: GrowingReservation): void {
    this.#spend(bytesOfRecord(record), reservation);
  }

  /** Like `spend`, for metadata. */
  spendMetadata(answer: MetadataAnswer, reservation?: GrowingReservation): void {
    this.#spend(lengthOf(answer), reservation);
  }

  #spend(bytes: number, reservation: GrowingReservation | undefined): void {
    this.#spent += bytes;
    if (this.#spent > MAX_BYTES) {
      throw new GatewayError('LIMIT_EXCEEDED', {
        message: `The records and metadata of this operation hold more than ${MAX_BYTES} bytes together. Look up fewer names at once.`,
      });
    }
    if (reservation && bytes > LARGE_BYTES && !reservation.grow(bytes * HEAP_BYTES_PER_BYTE))
      throw gatewayBusy();
  }
}

/** The objects must be frozen, because the length is kept for each object. */
const jsonLength = remember((value: object) => JSON.stringify(value).length);

/** The characters of a text, or of CSL and history as JSON. */
export function lengthOf({ content, history }: Pick<MetadataAnswer, 'content' | 'history'>): number {
  if (content === null || typeof content === 'string') return content?.length ?? 0;
  return jsonLength(content) + (history === undefined ? 0 : jsonLength(history));
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
