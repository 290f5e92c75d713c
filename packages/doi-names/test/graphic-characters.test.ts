import { expect } from 'vitest';
import { testTable } from '../../../test/support/test-table.ts';
import { parseDoi } from '../src/parse.ts';

const FORMS = [null, 'NAME', 'WEB_FORM'] as const;

testTable([
  ['control', '\u0007'],
  ['line feed', '\n'],
  ['delete', '\u007f'],
  ['zero-width joiner', '\u200d'],
  ['byte order mark', '\ufeff'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['noncharacter', '\ufffe'],
  ['unassigned', '\u0378'],
  ['tag', '\u{e0041}'],
])('a character that is not Graphic makes no DOI name', (_, character) => {
  for (const form of FORMS) {
    const expected = { code: 'NON_GRAPHIC_CHARACTER', position: 9 };
    expect(parseDoi(`10.1000/a${character}b`, form).problem).toMatchObject(expected);
  }
});

testTable([
  ['no-break space', '\u00a0'],
  ['ideographic space', '\u3000'],
  ['combining mark', '\u0301'],
  ['variation selector', '\ufe0f'],
  ['enclosing mark', '\u20dd'],
  ['replacement character', '\ufffd'],
  ['emoji', '😀'],
  ['letter number', 'Ⅷ'],
])('a DOI name may contain a Graphic character of any script', (_, character) => {
  for (const form of FORMS) {
    expect(parseDoi(`10.1000/a${character}b`, form).name).toBe(`10.1000/a${character}b`);
  }
});
