// Text for terminals and logs has no control characters, and JSON keeps its meaning.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from '../src/log.ts';
import { harmlessLine, harmlessText, jsonLine, safeLogLine, safeText } from '../src/safe-text.ts';

/** One of each kind: C0, DEL, C1, bidirectional, separators, format characters (one beyond the BMP), lone surrogates. */
const CONTROLS = [
  ...['\u0000', '\u0007', '\b', '\t', '\n', '\f', '\r', '\u001B', '\u007F', '\u0080', '\u009B', '\u009F'],
  ...'\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u2028\u2029',
  ...['\u00AD', '\u200B', '\u2060', '\uFEFF', '\u{E0041}', '\uD800', '\uDC00'],
];
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...CONTROLS, 'a', '\\', '"', 'u001B', 'é', '😀')).map((parts) => parts.join('')),
);

test('each control character becomes an escape, and no other character', () => {
  for (const character of CONTROLS) {
    const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).toUpperCase());
    const escapes = units.map((unit) => `\\u${unit.padStart(4, '0')}`).join('');
    expect(safeText(`a${character}b`)).toBe(`a${escapes}b`);
  }
  const harmless = 'aé中😀\u0301\u00A0\\u001B';
  expect(safeText(harmless)).toBe(harmless);
  expect(safeText('a\nb\u001B', '\n')).toBe('a\nb\\u001B');
});

test('a line for people has a space for each control character, but keeps joiners', () => {
  for (const character of CONTROLS) expect(harmlessLine(`a${character} b`, 99)).toBe('a b');
  expect(harmlessLine(' می\u200cخواهم ', 99)).toBe('می\u200cخواهم');
  expect(harmlessText('a\r\n\u001Bb')).toBe('a \n b');
  expect([harmlessLine('abc', 3), harmlessLine('abcd', 3), harmlessLine('ab😀', 3)]).toEqual([
    'abc',
    'abc…',
    'ab…',
  ]);
});

test('a line of JSON has no control characters, and the same meaning', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = jsonLine({ text });
      expect(line.slice(0, -1)).not.toMatch(CONTROL);
      expect(JSON.parse(line)).toEqual({ text });
    }),
  );
});

test('a line of the log has no control characters, before and after the line is decoded', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const line = safeLogLine(`${JSON.stringify({ [text]: text })}\n`);
      expect(line.slice(0, -1)).not.toMatch(CONTROL);
      const [entry] = Object.entries(JSON.parse(line) as Record<string, string>);
      const kept = safeText(text, '\n\t').replaceAll('\\', '');
      for (const decoded of entry ?? []) {
        expect(decoded.replaceAll(/[\n\t]/g, '')).not.toMatch(CONTROL);
        // JSON has special escapes for `\b`, `\f` and `\r`.
        if (!/[\b\f\r]/.test(text))
          expect(decoded.replaceAll('\\', '').toUpperCase()).toBe(kept.toUpperCase());
      }
    }),
  );
});

test('the log writes no control characters in messages, fields and errors', () => {
  let line = '';
  const write = (text: string) => {
    line += text;
  };
  const log = createLog('info', { write });
  const hostile = CONTROLS.filter((character) => !'\n\t'.includes(character)).join('');
  log.warn({ path: hostile, err: new Error(hostile) }, `failed: ${hostile}`);
  const { path, msg, err } = JSON.parse(line) as { path: string; msg: string; err: { stack: string } };
  expect(`${line.slice(0, -1)}${path}${msg}`).not.toMatch(CONTROL);
  expect(err.stack.replaceAll('\n', '')).not.toMatch(CONTROL);
  expect(path).toContain('\\u001b');
  expect(err.stack).toContain('\n    at ');
});
