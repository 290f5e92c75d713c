// Scripts and general categories, from the Unicode data of the runtime.

import { describe, expect, test } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { categoryOf, scriptsOf, withMemory } from '../src/scripts.ts';

describe('the scripts of a character', () => {
  testTable([
    ['a', ['Latin']],
    ['\u0430', ['Cyrillic']],
    ['1', ['Common']],
    ['\u30fc', ['Hiragana', 'Katakana']],
    ['\u{10300}', ['Old_Italic']],
  ])('include every script that uses the character', (character, scripts) => {
    expect([...scriptsOf(character)].sort()).toEqual(scripts);
  });

  test('are known for every character of Unicode 17', () => {
    const known: RegExp[] = [];
    let lastHolds: RegExp | undefined;
    const without: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!/[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u.test(character)) continue;
      // Most characters have the script of the character before.
      if (lastHolds?.test(character)) continue;
      lastHolds = known.find((holds) => holds.test(character));
      if (lastHolds) continue;
      const [script] = scriptsOf(character);
      if (script === undefined) without.push(code.toString(16));
      else known.push(new RegExp(`\\p{Script_Extensions=${script}}`, 'u'));
    }
    if (Number.parseFloat(process.versions['unicode'] ?? '') <= 17) expect(without).toEqual([]);
    expect(known.length).toBeGreaterThan(150);
  });
});

testTable([
  ['a', 'Ll'],
  ['A', 'Lu'],
  ['\u65e5', 'Lo'],
  ['\u0301', 'Mn'],
  ['1', 'Nd'],
  ['\u2163', 'Nl'],
  ['-', 'Pd'],
  ['(', 'Ps'],
  ['+', 'Sm'],
  [' ', 'Zs'],
  ['\u{10FFFD}', 'Cn'],
])('a character has its general category', (character, category) => {
  expect(categoryOf(character)).toBe(category);
});

test('the memory of characters is bounded', () => {
  let computed = 0;
  const remembered = withMemory(() => (computed += 1));
  for (let code = 0; code <= 4_000; code += 1) remembered(String.fromCharCode(0x4e00 + code));
  remembered(String.fromCharCode(0x4e00));
  expect(computed).toBe(4_002);
});
