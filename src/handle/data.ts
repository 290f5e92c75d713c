// Decodes the data of a handle value. The member `format` selects the decoder, not the type of the value.

import { asArray, asInt32, asObject, asString, MalformedRecordError, type WireObject } from './json.ts';

/**
 * The permissions of an HS_ADMIN value (Resolution doc, section 5; RFC 3651), in the order of the bits. The first
 * permission is the rightmost character of the bit mask.
 */
export const HANDLE_PERMISSIONS = [
  'ADD_HANDLE',
  'DELETE_HANDLE',
  'ADD_DERIVED_PREFIX',
  'DELETE_DERIVED_PREFIX',
  'MODIFY_VALUE',
  'REMOVE_VALUE',
  'ADD_VALUE',
  'MODIFY_ADMIN',
  'REMOVE_ADMIN',
  'ADD_ADMIN',
  'READ_VALUE',
  'LIST_HANDLES',
] as const;

export type HandlePermission = (typeof HANDLE_PERMISSIONS)[number];

/** @param mask such as `011111110010`; bits to the left of the twelve known bits are ignored */
export function grantedPermissions(mask: string): HandlePermission[] {
  return HANDLE_PERMISSIONS.filter((_, bit) => mask.at(-1 - bit) === '1');
}

export interface HandleReference {
  readonly handle: string;
  readonly index: number;
}

interface DataByKind {
  readonly string: { readonly value: string };
  readonly binary: { readonly bytes: Buffer };
  /** `permissions`: the bit mask, for `grantedPermissions` */
  readonly admin: HandleReference & { readonly permissions: string; readonly legacyByteLength: boolean };
  readonly vlist: { readonly references: readonly HandleReference[] };
  readonly site: { readonly site: unknown };
  readonly key: { readonly key: unknown };
  /** data in a format that the gateway does not know, unchanged */
  readonly other: { readonly value: unknown };
}

/** `format`: the member `format` in the directory's JSON. */
export type HandleDataOf<Kind extends keyof DataByKind> = DataByKind[Kind] & {
  readonly kind: Kind;
  readonly format: string;
};

export type HandleData = { [Kind in keyof DataByKind]: HandleDataOf<Kind> }[keyof DataByKind];

type Decoder = (value: unknown) => HandleData;

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['string', (value) => ({ kind: 'string', format: 'string', value: asString(value, 'a string value') })],
  ['base64', (value) => ({ kind: 'binary', format: 'base64', bytes: fromBase64(value) })],
  ['hex', (value) => ({ kind: 'binary', format: 'hex', bytes: fromHex(value) })],
  ['admin', toAdmin],
  ['vlist', (value) => ({ kind: 'vlist', format: 'vlist', references: toReferences(value) })],
  ['site', (value) => ({ kind: 'site', format: 'site', site: value ?? null })],
  ['key', (value) => ({ kind: 'key', format: 'key', key: value ?? null })],
]);

/** @param wire the member `data` of a value. Throws MalformedRecordError if the data does not fit its format. */
export function decodeData(wire: unknown): HandleData {
  const { format, value } = asObject(wire, 'data');
  const name = asString(format, 'the data format');
  const decode = DECODERS.get(name) ?? (() => ({ kind: 'other', format: name, value: value ?? null }));
  return Object.freeze(decode(value));
}

/** Only for `trustedValues`. Does not check or freeze text. This saves time, because most data is text. */
export function trustedData(wire: WireObject): HandleData {
  const { format, value } = wire;
  return format === 'string' ? { kind: 'string', format, value: value as string } : decodeData(wire);
}

export function toReferences(wire: unknown): readonly HandleReference[] {
  const references = asArray(wire, 'a list of references').map((item) => {
    const { handle, index } = asObject(item, 'a reference');
    return Object.freeze({
      handle: asString(handle, 'the handle of a reference'),
      index: asInt32(index, 'the index of a reference'),
    });
  });
  return Object.freeze(references);
}

/** The text of string data, or of binary data that is UTF-8. Null for all other data. */
export function dataText(data: HandleData): string | null {
  if (data.kind === 'string') return data.value;
  return data.kind === 'binary' ? utf8Text(data.bytes) : null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

function toAdmin(wire: unknown): HandleDataOf<'admin'> {
  const { handle, index, permissions, legacyByteLength } = asObject(wire, 'an admin value');
  const mask = asString(permissions, 'the permissions of an admin value');
  if (!/^[01]*$/.test(mask)) throw new MalformedRecordError('the permissions of an admin value are not bits');
  return {
    kind: 'admin',
    format: 'admin',
    handle: asString(handle, 'the handle of an admin value'),
    index: asInt32(index, 'the index of an admin value'),
    permissions: mask,
    legacyByteLength: legacyByteLength === true,
  };
}

function fromBase64(wire: unknown): Buffer {
  const text = asString(wire, 'a base64 value');
  if (!/^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text) || digitsOf(text) % 4 === 1) {
    throw new MalformedRecordError('a base64 value is not base64');
  }
  return Buffer.from(text, 'base64');
}

/** Counts the base64 digits, without white space and padding. A loop is faster than to remove the other characters. */
function digitsOf(base64: string): number {
  let digits = 0;
  for (let at = 0; at < base64.length; at += 1) {
    const character = base64.charCodeAt(at);
    const isDigit = character > 0x20 && character < 0x80 && character !== PADDING;
    if (isDigit) digits += 1;
  }
  return digits;
}

const PADDING = 0x3d;

function fromHex(wire: unknown): Buffer {
  const text = asString(wire, 'a hex value');
  if (text.length % 2 !== 0 || !/^[0-9A-Fa-f]*$/.test(text)) {
    throw new MalformedRecordError('a hex value is not hexadecimal');
  }
  return Buffer.from(text, 'hex');
}
