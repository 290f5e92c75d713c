// JSON as it is written: what has been written so far is counted in bytes, and there is an end to it.

import type { GraphQLLeafType } from 'graphql';
import { GatewayError } from '../errors.ts';
import { CHARACTERS_A_UNIT } from '../schema/field-price.ts';
import { BytesAsText } from '../schema/handle/bytes-as-text.ts';
import type { Need } from '../work/reservation.ts';
import { Pieces, type Written } from './pieces.ts';

/** Ends the whole answer, whichever field it happens in. */
export abstract class AnswerEnded extends GatewayError {}

/** No field has failed. */
export class AnswerTooLarge extends AnswerEnded {
  constructor(maxBytes: number) {
    super('LIMIT_EXCEEDED', {
      message: `The answer would be larger than the ${maxBytes} bytes that this gateway allows. Ask for fewer DOIs or fewer fields at once, and by short aliases.`,
    });
  }
}

/** The account of work in hand has no more bytes for this operation. */
export class WorkRefused extends AnswerEnded {
  /** of the field that needed them */
  path: readonly (string | number)[] | null = null;

  constructor() {
    super('GATEWAY_BUSY', {
      message: 'The gateway has too much work in hand. Ask for fewer DOIs at once, or try again.',
    });
  }
}

/** Where an operation takes more than it has reserved. */
interface Growing {
  grow(bytes: number): boolean;
  growResponse(bytes: number): boolean;
}

const UNLIMITED: Need = {
  heapBytes: Number.POSITIVE_INFINITY,
  responseBytes: Number.POSITIVE_INFINITY,
};
const ALWAYS: Growing = { grow: () => true, growResponse: () => true };

/** More is taken in steps, so that few fields have to ask. */
const GROWTH_BYTES = 64_000;

/** What one answer may take, and what it has taken. */
export class Allowance {
  readonly #maxBytes: number;
  readonly #maxCost: number;
  readonly #work: Growing;
  /** `writtenBytes` beyond this are looked at */
  #reservedBytes: number;
  #reservedHeapBytes: number;
  #heapBytes = 0;
  #ended: AnswerEnded | null = null;
  writtenBytes = 0;
  paidCost = 0;

  /** @param need what is reserved; left out: there is no account */
  constructor(maxBytes: number, maxCost: number, need = UNLIMITED, work = ALWAYS) {
    this.#maxBytes = maxBytes;
    this.#maxCost = maxCost;
    this.#work = work;
    this.#reservedBytes = Math.min(maxBytes, need.responseBytes);
    this.#reservedHeapBytes = need.heapBytes;
  }

  /** Counts bytes of JSON. Throws an AnswerTooLarge or a WorkRefused, and does so from then on. */
  bytes(count: number): void {
    this.writtenBytes += count;
    if (this.writtenBytes > this.#reservedBytes) this.#growResponse();
  }

  /** Counts objects that stay on the heap until the operation ends. Throws a WorkRefused. */
  keep(bytes: number): void {
    this.#heapBytes += bytes;
    if (this.#heapBytes <= this.#reservedHeapBytes) return;
    if (this.#ended) throw this.#ended;
    const more = Math.max(GROWTH_BYTES, this.#heapBytes - this.#reservedHeapBytes);
    if (!this.#work.grow(more)) throw this.#end(new WorkRefused());
    this.#reservedHeapBytes += more;
  }

  #growResponse(): void {
    if (this.#ended) throw this.#ended;
    if (this.writtenBytes > this.#maxBytes) throw this.#end(new AnswerTooLarge(this.#maxBytes));
    const bytes = Math.max(GROWTH_BYTES, this.writtenBytes - this.#reservedBytes);
    if (!this.#work.growResponse(bytes)) throw this.#end(new WorkRefused());
    this.#reservedBytes = Math.min(this.#maxBytes, this.#reservedBytes + bytes);
  }

  #end(error: AnswerEnded): AnswerEnded {
    this.#ended = error;
    return error;
  }

  /** Counts what a record brought along, in fields to resolve. Throws LIMIT_EXCEEDED for what is too much, and does not count it. */
  pay(cost: number): void {
    if (this.paidCost + cost > this.#maxCost) {
      throw new GatewayError('LIMIT_EXCEEDED', {
        message: `What was found costs more than the ${this.#maxCost} that this gateway allows an operation to cost. Ask for fewer DOIs or fewer fields at once, or send a shorter text.`,
      });
    }
    this.paidCost += cost;
  }

  canPay(cost: number): boolean {
    return this.paidCost + cost <= this.#maxCost;
  }
}

/** JSON writes these as they are, each in one byte. */
const NOT_PLAIN = /[^\x20\x21\x23-\x5B\x5D-\x7E]/;

/** From here on a text is written in pieces: it would stand in memory several times. */
const LONG_TEXT = 64_000;
const PIECE_CHARACTERS = 16_000;

/** A text as JSON, paid for and counted. */
export function writeText(text: string, allowance: Allowance): Written {
  payFor(text, allowance);
  if (text.length >= LONG_TEXT) return writePieces(piecesOf(text), allowance);
  if (NOT_PLAIN.test(text)) return counted(JSON.stringify(text), allowance);
  allowance.bytes(text.length + 2);
  return `"${text}"`;
}

function payFor({ length }: { readonly length: number }, allowance: Allowance): void {
  if (length >= CHARACTERS_A_UNIT) allowance.pay(Math.floor(length / CHARACTERS_A_UNIT));
}

function* piecesOf(text: string): Generator<string, void> {
  for (let from = 0; from < text.length; ) {
    const isPairCut = /[\uD800-\uDBFF]/.test(text[from + PIECE_CHARACTERS - 1] ?? '');
    const to = from + PIECE_CHARACTERS - (isPairCut ? 1 : 0);
    yield text.slice(from, to);
    from = to;
  }
}

function writePieces(texts: Iterable<string>, allowance: Allowance): Pieces {
  allowance.bytes(2);
  const pieces = new Pieces().add('"');
  for (const text of texts) {
    const bytes = Buffer.from(NOT_PLAIN.test(text) ? JSON.stringify(text).slice(1, -1) : text);
    allowance.bytes(bytes.length);
    pieces.addBytes(bytes);
  }
  return pieces.add('"');
}

/** A scalar or an enum value as JSON. Throws where the type cannot hold the value. */
export function writeLeaf(type: GraphQLLeafType, value: unknown, allowance: Allowance): Written {
  if (value instanceof BytesAsText) {
    payFor(value, allowance);
    return writePieces(value.pieces(), allowance);
  }
  const serialized = type.serialize(value);
  if (typeof serialized === 'string') return writeText(serialized, allowance);
  if (serialized === undefined || serialized === null) {
    throw new Error(`Expected ${type.name} to hold a value, but it was ${String(serialized)}.`);
  }
  const json = jsonOf(serialized);
  payFor(json, allowance);
  return counted(json, allowance);
}

const texts = new WeakMap<object, string>();

/** Of a structure once: a client may ask for it under many names. */
function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const json = texts.get(value) ?? JSON.stringify(value);
  texts.set(value, json);
  return json;
}

function counted(json: string, allowance: Allowance): string {
  allowance.bytes(Buffer.byteLength(json));
  return json;
}
