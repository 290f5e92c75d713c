// Handle values and answers as they come over the wire, for tests.

import { decodeData, type HandleData } from '../../src/handle/data.ts';
import { parseHandleJson } from '../../src/handle/json.ts';
import { decodeAnswer, type WireAnswer } from '../../src/handle/record.ts';
import { decodeValues, type HandleValue } from '../../src/handle/value.ts';

type Members = Readonly<Record<string, unknown>>;

/** A URL value, complete; members given replace its own, `undefined` takes one away. */
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
export function wireAnswer(members: Members = {}): Members {
  return { responseCode: 1, handle: '10.5555/x', values: [wireValue()], ...members };
}

/** The value that `wireValue(members)` decodes to. */
export function decodedValue(members: Members = {}): HandleValue {
  const [value] = decodeValues([wireValue(members)]);
  if (value === undefined) throw new Error('no value came out');
  return value;
}

export function dataOf(format: string, value: unknown): HandleData {
  return decodeData({ format, value });
}

/** Reads JSON text as the answer of a proxy. */
export function readAnswer(text: string): WireAnswer {
  return decodeAnswer(parseHandleJson(text));
}

/** Where in `value` there is an object or array that is not frozen: `.values.0.data`. Bytes cannot be. */
export function unfrozenIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return [];
  const members = Object.entries(value).flatMap(([key, member]) => unfrozenIn(member, `${path}.${key}`));
  return Object.isFrozen(value) ? members : [path, ...members];
}
