// Which characters a DOI name may hold: the Graphic ones, and no other.

import { describe, expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

describe('what no DOI name may hold', () => {
  testTable([
    ['control', '\u0007'],
    ['tab', '\t'],
    ['line feed', '\n'],
    ['delete', '\u007f'],
    ['soft hyphen', '\u00ad'],
    ['zero-width space', '\u200b'],
    ['zero-width joiner', '\u200d'],
    ['byte order mark', '\ufeff'],
    ['line separator', '\u2028'],
    ['paragraph separator', '\u2029'],
    ['private use', '\ue000'],
    ['noncharacter', '\ufffe'],
    ['unassigned', '\u0378'],
    ['tag', '\u{e0041}'],
  ])('every row', (_, character) => {
    for (const form of [null, 'NAME', 'WEB_FORM'] as const) {
      expect(parseDoi(`10.1000/a${character}b`, form).problem).toMatchObject({
        code: 'NON_GRAPHIC_CHARACTER',
        position: 9,
      });
    }
  });

  testTable([
    ['space', ' '],
    ['no-break space', '\u00a0'],
    ['ideographic space', '\u3000'],
    ['combining mark', '\u0301'],
    ['variation selector', '\ufe0f'],
    ['enclosing mark', '\u20dd'],
    ['replacement character', '\ufffd'],
    ['emoji', '😀'],
    ['letter number', 'Ⅷ'],
  ])('but %s it may', (_, character) => {
    for (const form of [null, 'NAME', 'WEB_FORM'] as const) {
      expect(parseDoi(`10.1000/a${character}b`, form).name).toBe(`10.1000/a${character}b`);
    }
  });
});
