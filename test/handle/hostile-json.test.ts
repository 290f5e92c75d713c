// Harmful or broken JSON is rejected as a whole, or read unchanged.

import { describe, expect, test } from 'vitest';
import { MalformedRecordError, parseHandleJson } from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { readResponse, wireResponse, wireValue } from './wire.ts';

/** The text of a valid response, with one part replaced. */
function responseWith(original: string, replacement: string): string {
  const text = JSON.stringify(
    wireResponse({
      values: [
        wireValue(),
        wireValue({ index: 2, data: { format: 'site', value: { servers: [{ port: 2641 }] } } }),
        wireValue({ index: 3, references: [{ handle: '0.NA/10.5555', index: 200 }] }),
      ],
    }),
  );
  if (!text.includes(original)) throw new Error(`${original} is not in the response`);
  return text.replace(original, () => replacement);
}

function nested(levels: number, open: string, close: string): string {
  return `${open.repeat(levels)}0${close.repeat(levels)}`;
}

const expectRejected = (text: string) => expect(() => readResponse(text), text).toThrow(MalformedRecordError);

describe('text that is not JSON', () => {
  testTable([
    '',
    'null',
    '<!DOCTYPE html><title>504</title>',
    '{"responseCode":1,}',
    "{'responseCode':1}",
    '{"responseCode":01}',
    '{"responseCode":NaN}',
    '{"responseCode":100,"handle":"10.5555/\n"}',
    '{"responseCode":100,"handle":"10.5555/x"}{}',
    'callback({"responseCode":100,"handle":"10.5555/x"});',
    '\ufeff{"responseCode":100,"handle":"10.5555/x"}',
  ])('is rejected', (text) => {
    expectRejected(text);
  });

  test('is rejected wherever a valid response is cut', () => {
    const text = JSON.stringify(wireResponse());
    for (let length = 0; length < text.length; length += 1) {
      expectRejected(text.slice(0, length));
    }
  });

  test('is not part of the message of the error', () => {
    expect(() => parseHandleJson('<b>secret</b>')).toThrow(new MalformedRecordError('not JSON'));
  });
});

describe('the last of duplicate members counts', () => {
  test('in the response, even if one of the members is written with escapes', () => {
    const text = String.raw`{"responseCode":2,"handle":"other","response\u0043ode":100,"handle":"10.5555/x"}`;
    expect(readResponse(text)).toMatchObject({ responseCode: 100, handle: '10.5555/x' });
  });

  test('in a value and its data, even if only the first member is valid', () => {
    const text = responseWith('"index":1,', '"index":"bad","index":9,').replace(
      '"format":"string",',
      '"format":"hex","format":"string",',
    );
    expect(readResponse(text).values[0]).toMatchObject({ index: 9, data: { format: 'string' } });
    expectRejected(responseWith('"index":1,', '"index":1,"index":null,'));
  });
});

describe('a number', () => {
  const PLACES = [
    ['response code', '"responseCode":1', '"responseCode":'],
    ['index', '"index":1', '"index":'],
    ['ttl', '"ttl":86400', '"ttl":'],
    ['index of a reference', '"index":200', '"index":'],
  ] as const;
  const OUTSIDE_INT32 = ['2147483648', '-2147483649', '4294967296', '1e10', '1.5', '-0.5', '1e-7'];
  const INEXACT = ['9007199254740993', '-9007199254740992', '1e22', '1e400', '-1e400'];

  testTable(PLACES)('is rejected where a signed integer of 32 bits must stand', (_, original, member) => {
    for (const number of [...OUTSIDE_INT32, ...INEXACT, '1e999999999']) {
      expectRejected(responseWith(original, member + number));
    }
  });

  testTable(INEXACT)('is rejected anywhere if a double cannot hold the number', (number) => {
    expectRejected(responseWith('2641', number));
    expect(() => parseHandleJson(`{"a":[{"b":${number}}]}`)).toThrow(MalformedRecordError);
  });

  testTable(['9007199254740991', '-9007199254740991', '0.1', '-2.5e-3', '1e3', '0'])(
    'stays in data of any structure',
    (number) => {
      expect(parseHandleJson(`[${number}]`)).toEqual([Number(number)]);
    },
  );
});

describe('nesting', () => {
  testTable([
    ['[', ']'],
    ['{"a":', '}'],
  ])('of 100,000 levels is rejected, even in an unknown member', (open, close) => {
    const deep = nested(100_000, open, close);
    expectRejected(deep);
    expectRejected(nested(100_000, open, ''));
    expectRejected(responseWith('2641', deep));
    expectRejected(responseWith('"responseCode":1', `"unknown":${deep},"responseCode":1`));
  });
});

describe('the key __proto__', () => {
  const SPELLINGS = ['"__proto__"', String.raw`"\u005f\u005fproto__"`, String.raw`"__\u0070roto\u005F_"`];
  const PLACES = [
    ['in the response', '{"responseCode"', '"responseCode"'],
    ['in a value', '{"index":1', '"index":1'],
    ['in data', '{"format":"string"', '"format":"string"'],
    ['in a site', '{"servers"', '"servers"'],
    ['deep in a site', '{"port"', '"port"'],
    ['in a reference', '{"handle":"0.NA/10.5555"', '"handle":"0.NA/10.5555"'],
  ] as const;

  testTable(PLACES)('is rejected everywhere, even if it is written with escapes', (_, original, member) => {
    for (const key of SPELLINGS) {
      for (const value of ['{"polluted":true}', 'null', '1']) {
        expectRejected(responseWith(original, `{${key}:${value},${member}`));
      }
    }
  });

  test('adds no members to an object and does not change other objects', () => {
    expectRejected('{"__proto__":{"responseCode":100,"handle":"10.5555/x","polluted":true}}');
    expect('polluted' in {}).toBe(false);
  });

  test('is allowed as a text, and other inherited names are allowed as keys', () => {
    const site = '{"constructor":{"prototype":1},"toString":"__proto__"}';
    const [, value] = readResponse(responseWith('{"servers":[{"port":2641}]}', site)).values;
    expect(value?.data).toMatchObject({ kind: 'site', site: JSON.parse(site) });
  });
});

describe('an unpaired surrogate', () => {
  const SURROGATES = [String.raw`\ud800`, String.raw`\udc00\ud800`, String.raw`x\uDBFF`, '\udfff'];

  testTable([
    ['in the echo', '10.5555/x'],
    ['in a type', '"URL"'],
    ['in a format', '"string"'],
    ['in a string', 'https://example.org/'],
    ['in a reference', '0.NA/10.5555'],
  ])('is rejected in a member that is read', (_, original) => {
    for (const surrogate of SURROGATES) {
      const isQuoted = original.startsWith('"');
      expectRejected(responseWith(original, isQuoted ? `"${surrogate}"` : original + surrogate));
    }
  });

  testTable([
    ['a permission', '"ttl":86400', String.raw`"ttl":86400,"permissions":"\ud800"`],
    ['a string of a site', '2641', String.raw`"\ud800"`],
    ['a key of a site', '"port"', String.raw`"\ud800"`],
    ['an unknown member', '"ttl":86400', String.raw`"ttl":86400,"new":["\ud800"]`],
  ])('is rejected in a member that stays unchanged', (_, original, replacement) => {
    expectRejected(responseWith(original, replacement));
  });

  test('is rejected, but a pair of surrogates stays', () => {
    expect(readResponse(responseWith('10.5555/x', String.raw`10.5555/\ud83d\ude00`)).handle).toBe(
      '10.5555/😀',
    );
  });
});
