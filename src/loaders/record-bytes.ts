// How much the records and metadata of one operation hold together: what is asked for by a short name may be megabytes.

import { type MetadataAnswer, mapAnswer } from '../directory/directory.ts';
import { canonicalName, type HandleName } from '../doi/name.ts';
import { GatewayError, MAX_ALIASES } from '../errors.ts';
import { remember } from '../handle/json.ts';
import { aliasOf, type HandleRecord } from '../handle/record.ts';
import { gatewayBusy } from '../work/admission-line.ts';

// Follows aliases through a loader, so that the chains of a list are looked up hop by hop, each name once.

export interface AliasChain {
  /** what the chain ends with; may be a name that is not found */
  readonly record: HandleRecord;
  /** the handles gone through after the first, the last one included; empty where there is no alias */
  readonly via: readonly HandleName[];
  /** milliseconds since the epoch; when the first of its records becomes stale */
  readonly freshUntil: number;
}

const NO_HANDLES: readonly HandleName[] = Object.freeze([]);

/**
 * The chain itself where all of its records are at hand, else a promise. Fails with ALIAS_LOOP for a chain that
 * comes back to itself or is longer than MAX_ALIASES, else as `load` does.
 */
export function followAliases(
  name: HandleName,
  load: (name: HandleName) => HandleRecord | Promise<HandleRecord>,
): AliasChain | Promise<AliasChain> {
  return mapAnswer(load(name), (record) => {
    const alias = aliasOf(record);
    if (alias === null) return { record, via: NO_HANDLES, freshUntil: record.freshUntil };
    return followFrom(alias, { seen: new Set([canonicalName(name)]), via: [], load }, record.freshUntil);
  });
}

interface Way {
  readonly seen: Set<HandleName>;
  readonly via: HandleName[];
  readonly load: (name: HandleName) => HandleRecord | Promise<HandleRecord>;
}

function followFrom(alias: HandleName, way: Way, until: number): AliasChain | Promise<AliasChain> {
  const { seen, via, load } = way;
  if (seen.has(canonicalName(alias)) || via.length === MAX_ALIASES) throw new GatewayError('ALIAS_LOOP');
  seen.add(canonicalName(alias));
  via.push(alias);
  return mapAnswer(load(alias), (record) => {
    const freshUntil = Math.min(until, record.freshUntil);
    const next = aliasOf(record);
    return next === null ? { record, via, freshUntil } : followFrom(next, way, freshUntil);
  });
}

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
const jsonLength = remember((csl: object) => JSON.stringify(csl).length);

function lengthOf({ content }: MetadataAnswer): number {
  return content === null ? 0 : typeof content === 'string' ? content.length : jsonLength(content);
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
