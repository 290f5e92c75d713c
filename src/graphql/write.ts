// Writes values as JSON. Counts the bytes and the cost of the response, and enforces their limits.

import type { GraphQLLeafType } from 'graphql';
import { GatewayError } from '../errors.ts';
import type { Need, Reservation } from '../memory/reservation.ts';
import { CHARACTERS_PER_UNIT } from '../schema/field-price.ts';
import { BytesAsText } from '../schema/handle/bytes-as-text.ts';
import { Pieces, type WrittenJson } from './pieces.ts';

/** An error that ends the whole response, and not only one field. */
export abstract class ResponseEnded extends GatewayError {}

export class ResponseTooLarge extends ResponseEnded {
  constructor(maxBytes: number) {
    super('LIMIT_EXCEEDED', {
      message: `The response would be larger than the ${maxBytes} bytes that this gateway allows. Ask for fewer DOIs or fewer fields at once, and use short aliases.`,
    });
  }
}

/** The error if the gateway has no more memory for an operation. */
export class MemoryRefused extends ResponseEnded {
  /** the path of the field that needed the memory */
  path: readonly (string | number)[] | null = null;

  constructor() {
    super('GATEWAY_BUSY', {
      message:
        'The gateway has no free memory for this operation now. Request fewer DOIs at once, or try again.',
    });
  }
}

type GrowableReservation = Pick<Reservation, 'grow' | 'growResponse'>;

const UNLIMITED: Need = {
  heapBytes: Number.POSITIVE_INFINITY,
  responseBytes: Number.POSITIVE_INFINITY,
};
const ALWAYS: GrowableReservation = { grow: () => true, growResponse: () => true };

/** Memory is reserved in steps of at least this size, so that only few fields reserve memory. */
const GROWTH_BYTES = 64_000;

/** Counts the bytes, the cost and the memory of one operation, and enforces their limits. */
export class OperationUsage {
  readonly #maxBytes: number;
  readonly #maxCost: number;
  readonly #reservation: GrowableReservation;
  #reservedBytes: number;
  #reservedHeapBytes: number;
  #heapBytes = 0;
  #ended: ResponseEnded | null = null;
  writtenBytes = 0;
  cost = 0;

  /** @param need the reserved memory; default: no limit */
  constructor(maxBytes: number, maxCost: number, need = UNLIMITED, reservation = ALWAYS) {
    this.#maxBytes = maxBytes;
    this.#maxCost = maxCost;
    this.#reservation = reservation;
    this.#reservedBytes = Math.min(maxBytes, need.responseBytes);
    this.#reservedHeapBytes = need.heapBytes;
  }

  /** Counts bytes of JSON. Throws a ResponseTooLarge or a MemoryRefused. Later calls throw the same error. */
  addBytes(count: number): void {
    this.writtenBytes += count;
    if (this.writtenBytes > this.#reservedBytes) this.#growResponse();
  }

  /** Counts bytes of objects that stay on the heap until the operation ends. Throws a MemoryRefused. */
  addHeapBytes(bytes: number): void {
    this.#heapBytes += bytes;
    if (this.#heapBytes <= this.#reservedHeapBytes) return;
    if (this.#ended) throw this.#ended;
    const more = Math.max(GROWTH_BYTES, this.#heapBytes - this.#reservedHeapBytes);
    if (!this.#reservation.grow(more)) throw this.#end(new MemoryRefused());
    this.#reservedHeapBytes += more;
  }

  #growResponse(): void {
    if (this.#ended) throw this.#ended;
    if (this.writtenBytes > this.#maxBytes) throw this.#end(new ResponseTooLarge(this.#maxBytes));
    const bytes = Math.max(GROWTH_BYTES, this.writtenBytes - this.#reservedBytes);
    if (!this.#reservation.growResponse(bytes)) throw this.#end(new MemoryRefused());
    this.#reservedBytes = Math.min(this.#maxBytes, this.#reservedBytes + bytes);
  }

  #end(error: ResponseEnded): ResponseEnded {
    this.#ended = error;
    return error;
  }

  /** Adds a cost that was unknown before the execution. If the cost is too high, throws LIMIT_EXCEEDED and adds nothing. */
  addCost(cost: number): void {
    if (this.cost + cost > this.#maxCost) {
      throw new GatewayError('LIMIT_EXCEEDED', {
        message: `The found data costs more than the ${this.#maxCost} that this gateway allows for an operation. Ask for fewer DOIs or fewer fields at once, or send a shorter text.`,
      });
    }
    this.cost += cost;
  }

  allowsCost(cost: number): boolean {
    return this.cost + cost <= this.#maxCost;
  }
}

/** A character that JSON must escape, or that needs more than one byte. */
const NOT_PLAIN = /[^\x20\x21\x23-\x5B\x5D-\x7E]/;

/** A text of this length or more is written in pieces, so that memory does not hold several copies of the whole text. */
const LONG_TEXT = 64_000;
const PIECE_CHARACTERS = 16_000;

/** A text as JSON. Counts its bytes and its cost. */
export function writeText(text: string, usage: OperationUsage): WrittenJson {
  addCostOf(text, usage);
  if (text.length >= LONG_TEXT) return writePieces(piecesOf(text), usage);
  if (NOT_PLAIN.test(text)) return countBytes(JSON.stringify(text), usage);
  usage.addBytes(text.length + 2);
  return `"${text}"`;
}

function addCostOf({ length }: { readonly length: number }, usage: OperationUsage): void {
  if (length >= CHARACTERS_PER_UNIT) usage.addCost(Math.floor(length / CHARACTERS_PER_UNIT));
}

function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const isPairCut = /[\uD800-\uDBFF]/.test(text[from + PIECE_CHARACTERS - 1] ?? '');
    const to = from + PIECE_CHARACTERS - (isPairCut ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
}

function writePieces(texts: Iterable<string>, usage: OperationUsage): Pieces {
  usage.addBytes(2);
  const pieces = new Pieces().add('"');
  for (const text of texts) {
    const bytes = Buffer.from(NOT_PLAIN.test(text) ? JSON.stringify(text).slice(1, -1) : text);
    usage.addBytes(bytes.length);
    pieces.addBytes(bytes);
  }
  return pieces.add('"');
}

/** A scalar or an enum value as JSON. Throws if the value does not fit the type. */
export function writeLeaf(type: GraphQLLeafType, value: unknown, usage: OperationUsage): WrittenJson {
  if (value instanceof BytesAsText) {
    addCostOf(value, usage);
    return writePieces(value.pieces(), usage);
  }
  const serialized = type.serialize(value);
  if (typeof serialized === 'string') return writeText(serialized, usage);
  if (serialized === undefined || serialized === null) {
    throw new Error(`Expected ${type.name} to hold a value, but it was ${String(serialized)}.`);
  }
  const json = jsonOf(serialized);
  addCostOf(json, usage);
  return countBytes(json, usage);
}

const jsonTexts = new WeakMap<object, string>();

/** The JSON of each object is made once, because a client can select the object under many aliases. */
function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const json = jsonTexts.get(value) ?? JSON.stringify(value);
  jsonTexts.set(value, json);
  return json;
}

function countBytes(json: string, usage: OperationUsage): string {
  usage.addBytes(Buffer.byteLength(json));
  return json;
}
