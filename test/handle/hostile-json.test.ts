// JSON that was written to do harm, or by something broken: refused as a whole, or read as it stands.

import { describe, expect, test } from 'vitest';
import { MalformedRecordError, parseHandleJson } from '../../src/handle/json.ts';
import { testTable } from '../support/test-table.ts';
import { readAnswer, wireAnswer, wireValue } from './wire.ts';

/** The text of a good answer, with other text in the place of something in it. */
function answerWith(original: string, replacement: string): string {
  const text = JSON.stringify(
    wireAnswer({
      values: [
        wireValue(),
        wireValue({ index: 2, data: { format: 'site', value: { servers: [{ port: 2641 }] } } }),
        wireValue({ index: 3, references: [{ handle: '0.NA/10.5555', index: 200 }] }),
      ],
    }),
  );
  if (!text.includes(original)) throw new Error(`${original} is not in the answer`);
  return text.replace(original, () => replacement);
}

function nested(levels: number, open: string, close: string, core = '0'): string {
  return open.repeat(levels) + core + close.repeat(levels);
}

test('the answer that these tests spoil is a good one', () => {
  expect(readAnswer(answerWith('2641', '2642')).values).toHaveLength(3);
});

describe('text that is no JSON', () => {
  testTable([
    '',
    ' ',
    'null',
    '<!DOCTYPE html><title>504</title>',
    '{"responseCode":1',
    '{"responseCode":1,}',
    "{'responseCode':1}",
    '{"responseCode":01}',
    '{"responseCode":NaN}',
    '{"responseCode":0x1}',
    '{"responseCode":100,"handle":"10.5555/\n"}',
    '{"responseCode":100,"handle":"10.5555/x"}{}',
    'callback({"responseCode":100,"handle":"10.5555/x"});',
    '\ufeff{"responseCode":100,"handle":"10.5555/x"}',
  ])('%j is refused', (text) => {
    expect(() => readAnswer(text)).toThrow(MalformedRecordError);
  });

  test('is refused wherever a good answer is cut off', () => {
    const text = JSON.stringify(wireAnswer());
    for (let length = 0; length < text.length; length += 1) {
      expect(() => readAnswer(text.slice(0, length))).toThrow(MalformedRecordError);
    }
  });

  test('is not repeated by the message, only by its cause', () => {
    expect(() => parseHandleJson('<b>secret</b>')).toThrow(new MalformedRecordError('not JSON'));
  });
});

describe('of duplicate keys the last counts', () => {
  test('in the answer', () => {
    const text = '{"responseCode":2,"handle":"other","responseCode":100,"handle":"10.5555/x"}';
    expect(readAnswer(text)).toMatchObject({ responseCode: 100, handle: '10.5555/x' });
  });

  test('in a value and its data', () => {
    const text = answerWith('"index":1,', '"index":"bad","index":9,').replace(
      '"format":"string",',
      '"format":"hex","format":"string",',
    );
    expect(readAnswer(text).values[0]).toMatchObject({ index: 9, data: { format: 'string' } });
  });

  test('even when only the first is good', () => {
    expect(() => readAnswer(answerWith('"index":1,', '"index":1,"index":null,'))).toThrow(
      MalformedRecordError,
    );
  });

  test('also when one of them is written with escapes', () => {
    const text = String.raw`{"responseCode":2,"handle":"10.5555/x","response\u0043ode":100}`;
    expect(readAnswer(text).responseCode).toBe(100);
  });
});

describe('numbers', () => {
  const PLACES = [
    ['response code', '"responseCode":1', '"responseCode":'],
    ['index', '"index":1', '"index":'],
    ['ttl', '"ttl":86400', '"ttl":'],
    ['index of a reference', '"index":200', '"index":'],
  ] as const;
  const OUTSIDE_INT32 = ['2147483648', '-2147483649', '4294967296', '1e10', '1.5', '-0.5', '1e-7'];
  const INEXACT = ['9007199254740993', '-9007199254740992', '1e22', '1e400', '-1e400'];

  testTable(PLACES)('that are no signed integer of 32 bits are no %s', (_, original, member) => {
    for (const number of [...OUTSIDE_INT32, ...INEXACT, '1e999999999']) {
      expect(() => readAnswer(answerWith(original, member + number)), number).toThrow(MalformedRecordError);
    }
  });

  testTable(INEXACT)('such as %s are refused anywhere, because a double changes them', (number) => {
    expect(() => readAnswer(answerWith('2641', number))).toThrow(MalformedRecordError);
    expect(() => parseHandleJson(number)).toThrow(MalformedRecordError);
    expect(() => parseHandleJson(`{"a":[{"b":${number}}]}`)).toThrow(MalformedRecordError);
  });

  testTable(['9007199254740991', '-9007199254740991', '0.1', '-2.5e-3', '1e3', '0'])(
    'such as %s stay where the wire is open-ended',
    (number) => {
      expect(parseHandleJson(`[${number}]`)).toEqual([Number(number)]);
    },
  );
});

describe('nesting', () => {
  testTable([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('of 100,000 levels of %s is refused', (_, open, close) => {
    expect(() => parseHandleJson(nested(100_000, open, close))).toThrow(MalformedRecordError);
    expect(() => parseHandleJson(nested(100_000, open, ''))).toThrow(MalformedRecordError);
    expect(() => readAnswer(answerWith('2641', nested(100_000, open, close)))).toThrow(MalformedRecordError);
  });

  test('of 100,000 levels is refused also in a member that is never read', () => {
    const text = answerWith('"responseCode":1', `"unread":${nested(100_000, '[', ']')},"responseCode":1`);
    expect(() => readAnswer(text)).toThrow(MalformedRecordError);
  });

  test('as deep as a site has it is kept', () => {
    expect(() => parseHandleJson(nested(20, '[', ']'))).not.toThrow();
    expect(readAnswer(answerWith('2641', nested(10, '{"a":', '}'))).values).toHaveLength(3);
  });
});

describe('the key __proto__', () => {
  const SPELLINGS = ['"__proto__"', String.raw`"\u005f\u005fproto__"`, String.raw`"__\u0070roto\u005F_"`];
  const PLACES = [
    ['in the answer', '{"responseCode"', '"responseCode"'],
    ['in a value', '{"index":1', '"index":1'],
    ['in data', '{"format":"string"', '"format":"string"'],
    ['in a site', '{"servers"', '"servers"'],
    ['deep in a site', '{"port"', '"port"'],
    ['in a reference', '{"handle":"0.NA/10.5555"', '"handle":"0.NA/10.5555"'],
  ] as const;

  testTable(PLACES)('is refused %s, also written with escapes', (_, original, member) => {
    for (const key of SPELLINGS) {
      for (const value of ['{"polluted":true}', 'null', '1']) {
        const text = answerWith(original, `{${key}:${value},${member}`);
        expect(() => readAnswer(text), text).toThrow(MalformedRecordError);
      }
    }
  });

  test('is refused where it stands instead of what is missing', () => {
    expect(() => readAnswer('{"__proto__":{"responseCode":100,"handle":"10.5555/x"}}')).toThrow(
      MalformedRecordError,
    );
  });

  test('does not change what objects inherit', () => {
    expect(() => parseHandleJson('{"__proto__":{"polluted":true}}')).toThrow(MalformedRecordError);
    expect('polluted' in {}).toBe(false);
  });

  test('is no matter as a string, nor are other names that objects inherit', () => {
    const site = '{"constructor":{"prototype":1},"toString":"__proto__"}';
    const [, value] = readAnswer(answerWith('{"servers":[{"port":2641}]}', site)).values;
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
  ])('is refused %s', (_, original) => {
    for (const surrogate of SURROGATES) {
      const isQuoted = original.startsWith('"');
      const text = answerWith(original, isQuoted ? `"${surrogate}"` : original + surrogate);
      expect(() => readAnswer(text), text).toThrow(MalformedRecordError);
    }
  });

  testTable([
    ['a permission', '"ttl":86400', String.raw`"ttl":86400,"permissions":"\ud800"`],
    ['a string of a site', '2641', String.raw`"\ud800"`],
    ['a key of a site', '"port"', String.raw`"\ud800"`],
    ['a member that nobody knows', '"ttl":86400', String.raw`"ttl":86400,"new":["\ud800"]`],
  ])('is refused as %s', (_, original, replacement) => {
    expect(() => readAnswer(answerWith(original, replacement))).toThrow(MalformedRecordError);
  });

  test('is something else than a pair, which stays', () => {
    expect(readAnswer(answerWith('10.5555/x', String.raw`10.5555/\ud83d\ude00`)).handle).toBe('10.5555/😀');
  });
});
