// Handle values and responses as a directory sends them.

import { decodeData, type HandleData } from '../../src/handle/data.ts';
import { parseHandleJson } from '../../src/handle/json.ts';
import { createRecord, decodeAnswer, type HandleRecord, type WireAnswer } from '../../src/handle/record.ts';
import { decodeValues, type HandleValue } from '../../src/handle/value.ts';
import { doiName } from '../support/doi-names.ts';

type Members = Readonly<Record<string, unknown>>;

/** A complete URL value. `members` replace its members; `undefined` removes a member. */
export function wireValue(members: Members = {}): Members {
  const value = {
    index: 1,
    type: 'URL',
    data: { format: 'string', value: 'https://example.org/' },
    ttl: 86_400,
    timestamp: '2023-11-14T22:13:20Z',
    ...members,
  };
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

/** A found record with one value. */
export function wireResponse(members: Members = {}): Members {
  return { responseCode: 1, handle: '10.5555/x', values: [wireValue()], ...members };
}

/** The value that `wireValue(members)` decodes to. */
export function decodedValue(members: Members = {}): HandleValue {
  const [value] = decodeValues([wireValue(members)]);
  if (value === undefined) throw new Error('the value is hidden');
  return value;
}

export function dataOf(format: string, value: unknown): HandleData {
  return decodeData({ format, value });
}

/** Reads JSON text as the response of a proxy. */
export function readResponse(text: string): WireAnswer {
  return decodeAnswer(parseHandleJson(text));
}

/** The paths of objects and arrays that are not frozen, such as `.values.0.data`. Bytes cannot be frozen. */
export function unfrozenIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  const members = Object.entries(value).flatMap(([key, member]) => unfrozenIn(member, `${path}.${key}`));
  return Object.isFrozen(value) ? members : [path, ...members];
}

/** A value with a text, in the JSON of a directory. */
export function textValue(type: string, index: number, value: string): Members {
  return { index, type, data: { format: 'string', value } };
}

/** A found record with these values. Each value has the members of `wireValue` that it does not replace. */
export function recordWith(values: readonly Members[], name = '10.5555/x'): HandleRecord {
  const wire = values.map((members) => wireValue(members));
  return createRecord({ responseCode: 1, handle: doiName(name), values: decodeValues(wire), fetchedAt: 0 });
}
