// null in place of anything: refused where something is required, and never taken for half a record.

import { expect, test } from 'vitest';
import { MalformedRecordError } from '../../src/handle/json.ts';
import { decodeAnswer } from '../../src/handle/record.ts';
import { wireAnswer, wireValue } from './wire.ts';

test('null is refused wherever a member is required to be something', () => {
  const wire = wireAnswer({
    values: [
      wireValue({ permissions: '1110', references: [{ handle: '0.NA/10.5555', index: 200 }] }),
      wireValue({ data: { format: 'admin', value: { handle: '0.NA/1', index: 1, permissions: '1' } } }),
      wireValue({ data: { format: 'vlist', value: [{ handle: '200/1', index: 300 }] } }),
      wireValue({ data: { format: 'hex', value: 'ff' } }),
    ],
  });
  const accepted = placesIn(wire).filter((path) => {
    try {
      decodeAnswer(replaceAt(wire, path, null));
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedRecordError);
      return false;
    }
  });
  expect(accepted.map((path) => path.at(-1))).toEqual(['timestamp', 'timestamp', 'timestamp', 'timestamp']);
});

type Path = readonly string[];

/** Where something stands in a JSON value, itself included. */
function placesIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, child]) => placesIn(child).map((path) => [key, ...path])),
  ];
}

function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaceAt(item, rest, replacement) : item));
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [key]: replaceAt(members[key], rest, replacement) };
}
