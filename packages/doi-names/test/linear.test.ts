// 15 or 30 kB of anything are answered by every function: what took quadratic time would not end here.

import { describe, expect } from 'vitest';
import { doiName } from '../../../test/support/doi-names.ts';
import { testTable } from '../../../test/support/test-table.ts';
import { DOI_ENCODINGS, proxyQuery } from '../src/encoding-forms.ts';
import { compareDois } from '../src/equivalence.ts';
import { lookalikes } from '../src/lookalikes.ts';
import { canonicalName } from '../src/name.ts';
import { parseDoi } from '../src/parse.ts';
import { encodedOffset, percentDecode, percentDecodeLeniently } from '../src/percent.ts';
import { withoutScheme } from '../src/recognise.ts';
import { categoryOf, scriptsOf } from '../src/scripts.ts';
import { plainSkeletonOf, skeletonOf } from '../src/skeleton.ts';
import { digitTypos, repairsOf } from '../src/suggest.ts';
import { doiWarnings } from '../src/warnings.ts';

const UNITS = [
  ...['%', '%41', ' ', '<', '/./', '.', ':', ',', 'éA', '😀', '…)', 'e\u0301'],
  ...['а', 'aа', 'а ', '–', 'ﾞ\u0301', 'ﷺ', '\u{E0100}', 'aא'],
  ...['(', ')', '"', '}', '«', '/', 'doi:', 'doi ', 'a.', '&amp;', '&#', ';10.1/', '?', '#a'],
  ...['/full', '\\_', '{\\', '\\}', '&lt;'],
  ...['\u0301\u0323', `a${'\u0301\u0323'.repeat(16)}`, `a${'\u0301\u0323'.repeat(127)}`],
];

const filled = (unit: string): string => unit.repeat(Math.floor(30_000 / Buffer.byteLength(unit)));

const BEGINNINGS = [
  '',
  '10.1000/',
  '10.',
  'doi:10.1000/',
  'urn:doi:',
  'https://doi.org/',
  'https://doi.org/10.1/1?',
  '(10.1000/',
  '"doi:doi:',
  'DOI ',
  'doi.org.',
  'https://doi-org',
  'hdl:',
];

const ENDS = ['', '%80', '%00', ')', '"'];

const TEXTS = UNITS.map((unit, at) => [unit.slice(0, 8), filled(unit), at] as const);

/** For what calls many functions. */
const HALF_TEXTS = TEXTS.map(([unit, long]) => [unit, long.slice(0, 15_000)] as const);

describe('much of one thing', () => {
  testTable(TEXTS)('is read, whatever stands around it', (_, long, unitAt) => {
    // Of beginning, unit and end, each two come together.
    for (const [at, before] of BEGINNINGS.entries()) {
      const after = ENDS[(at + unitAt) % ENDS.length];
      expect(parseDoi(before + long + after).input).toContain(long);
    }
    expect(parseDoi(`doi:10.1000/${long}`, 'URI').input).toContain(long);
    expect(withoutScheme(`urn:doi:${long}`).length).toBe(long.length);
  });

  testTable(HALF_TEXTS)('is written in every form', (_, text) => {
    const name = doiName(`10.1000/${text}`);
    for (const { encode } of Object.values(DOI_ENCODINGS))
      expect(encode(name).length).toBeGreaterThan(text.length / 4);
    expect(proxyQuery({ urlAppend: text, types: [text] })).toContain('&urlappend=');
  });

  testTable(HALF_TEXTS)('is decoded, strictly and leniently', (_, text) => {
    percentDecode(`${text}%80`);
    percentDecodeLeniently(`${text}%80%`);
    expect(encodedOffset(text, Number.MAX_SAFE_INTEGER % text.length)).toBeGreaterThanOrEqual(0);
  });

  testTable(HALF_TEXTS)('is warned of, repaired and compared', (_, text) => {
    const name = doiName(`10.1000/${text}`);
    expect(canonicalName(name).length).toBe(name.length);
    doiWarnings(name, lookalikes);
    expect(skeletonOf(text)).not.toBe(plainSkeletonOf(`${text}a`));
    lookalikes.withoutImitations(text);
    for (const character of text) lookalikes.imitatedAscii(character);
    expect(scriptsOf(text).length + categoryOf(text).length).toBeGreaterThan(1);
    repairsOf(name, lookalikes);
    digitTypos(name, 10);
    const relations = ['', '/', 'A', '\u0301'].map(
      (end) =>
        compareDois(parseDoi(`${name}`, 'NAME'), parseDoi(`${name}${end}`, 'NAME'), lookalikes).relation,
    );
    expect(relations.slice(0, 2)).toEqual(['IDENTICAL', 'TRAILING_SLASH']);
  });
});
