// What reaches a terminal or a log is harmless there, and JSON still means what it meant.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from '../src/log.ts';
import { harmlessLine, harmlessText, jsonLine, safeLogLine, safeText } from '../src/safe-text.ts';

/** One of each kind: C0, DEL, C1, bidirectional, separators, format characters (one beyond the BMP), a half character. */
const STEERING = [
  ...['\u0000', '\u0007', '\b', '\t', '\n', '\f', '\r', '\u001B', '\u007F', '\u0080', '\u009B', '\u009F'],
  ...['\u061C', '\u200E', '\u200F', '\u202A', '\u202E', '\u2066', '\u2069', '\u2028', '\u2029'],
  ...['\u00AD', '\u200B', '\u2060', '\uFEFF', '\u{E0041}', '\uD800', '\uDC00'],
];
const STEERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...STEERING, 'a', '\\', '"', 'u001B', 'é', '😀')).map((parts) => parts.join('')),
);

test('each character that steers is written out, and no other is', () => {
  for (const character of STEERING) expect(safeText(`a${character}b`)).toMatch(/^a(?:\\u[0-9A-F]{4}){1,2}b$/);
  const harmless = 'aé中😀\u0301\u00A0\\u001B';
  expect(safeText(harmless)).toBe(harmless);
  expect(safeText('a\nb\u001B', '\n')).toBe('a\nb\\u001B');
});

test('a harmless line has a space for each character that steers, but keeps joiners', () => {
  for (const character of STEERING) expect(harmlessLine(`a${character} b`, 99)).toBe('a b');
  expect(harmlessLine(' می\u200cخواهم ', 99)).toBe('می\u200cخواهم');
  expect(harmlessText('a\r\n\u001Bb')).toBe('a \n b');
  expect([harmlessLine('abc', 3), harmlessLine('abcd', 3), harmlessLine('ab😀', 3)]).toEqual([
    'abc',
    'abc…',
    'ab…',
  ]);
});

test('every bidirectional control is written out', () => {
  // All characters of Unicode's property Bidi_Control.
  const ranges: readonly (readonly [number, number])[] = [
    [0x061c, 0x061c],
    [0x200e, 0x200f],
    [0x202a, 0x202e],
    [0x2066, 0x2069],
  ];
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code += 1)
      expect(safeText(String.fromCharCode(code))).toBe(
        `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`,
      );
  }
});

test('a line of JSON is harmless, and means the same', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = jsonLine({ text });
      expect(line.slice(0, -1)).not.toMatch(STEERS);
      expect(JSON.parse(line)).toEqual({ text });
    }),
  );
});

test('a line of the log is harmless, before it is decoded and after', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = safeLogLine(`${JSON.stringify({ [text]: text })}\n`);
      expect(line.slice(0, -1)).not.toMatch(STEERS);
      const [entry] = Object.entries(JSON.parse(line) as Record<string, string>);
      const kept = safeText(text, '\n\t').replaceAll('\\', '');
      for (const decoded of entry ?? []) {
        expect(decoded.replaceAll(/[\n\t]/g, '')).not.toMatch(STEERS);
        // Only `\b`, `\f` and `\r` have escapes of their own in JSON.
        if (!/[\b\f\r]/.test(text))
          expect(decoded.replaceAll('\\', '').toUpperCase()).toBe(kept.toUpperCase());
      }
    }),
  );
});

test('the log writes nothing that steers, in messages, fields and errors', () => {
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  const log = createLog('info', { write });
  const hostile = STEERING.filter((character) => !'\n\t'.includes(character)).join('');
  log.warn({ path: hostile, err: new Error(hostile) }, `failed: ${hostile}`);
  const { path, msg, err } = JSON.parse(line) as { path: string; msg: string; err: { stack: string } };
  expect(`${line.slice(0, -1)}${path}${msg}`).not.toMatch(STEERS);
  expect(err.stack.replaceAll('\n', '')).not.toMatch(STEERS);
  expect(path).toContain('\\u001b');
  expect(err.stack).toContain('\n    at ');
});
