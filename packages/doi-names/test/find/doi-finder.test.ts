import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doiNames } from '../../../../test/support/doi-names.ts';
import { testTable } from '../../../../test/support/test-table.ts';
import { DoiFinder } from '../../src/find/doi-finder.ts';
import { type DoiMatch, findDois } from '../../src/find/find-dois.ts';

function findInPieces(pieces: Iterable<string>): DoiMatch[] {
  const finder = new DoiFinder();
  const found = [...pieces].flatMap((piece) => finder.add(piece));
  return [...found, ...finder.end()].map(({ alternatives, reference, ...match }) => match);
}

function* piecesOf(text: string, lengths: readonly number[]): Generator<string> {
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    yield text.slice(at, at + length);
    at += length;
  }
}

/** Text around a name decides where the name ends, so every piece must hold enough of it. */
const SURROUNDINGS = [
  ...['See (', ').\n', 'https://doi.org/', 'doi:', 'DOI: ', ' and ', '; ', ',', '"', '<a href="', '">'],
  '</a>',
  ...['\n', '\r\n', '-\n', '\\href{https://doi.org/', '}{', '}', 'a;b;c;', '1,2,', '\n\n', '&lt;', '%2F'],
  ...['<i>', 'https://example.org/?a=', '&b=', '.', 'x'.repeat(700), ' '.repeat(300), 'word '.repeat(150)],
  ...['[', '](', '|'],
];

const texts = fc
  .array(
    fc.oneof(fc.constantFrom(...SURROUNDINGS), doiNames(), fc.string({ unit: 'binary', maxLength: 12 })),
    { minLength: 20, maxLength: 120 },
  )
  .map((parts) => parts.join(''));

describe('the finder of a text in pieces', () => {
  test('finds the names of the whole text', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, lengths, (text, pieces) => {
        expect(findInPieces(piecesOf(text, pieces))).toEqual(findDois(text));
      }),
    );
  });

  test('finds the same names wherever the text is divided', () => {
    const text = `${'word '.repeat(600)}<a href="https://doi.org/10.1000/456%23789">x</a> doi:10.1103/Phys-\nRev.118 ${'end '.repeat(600)}`;
    const expected = findDois(text);
    expect(expected).toHaveLength(2);
    for (let at = 2_990; at < 3_120; at += 1) {
      expect(findInPieces([text.slice(0, at), text.slice(at)])).toEqual(expected);
    }
  });

  test('keeps only text in which a later name can begin', () => {
    const finder = new DoiFinder();
    const piece = `${'no name here. '.repeat(5_000)}\n`;
    for (let count = 1; count <= 50; count += 1) {
      finder.add(piece);
      finder.add(piece);
      // The finder keeps the text after `earliestNext`, and at most the same length again before it reads.
      expect(finder.earliestNext).toBeGreaterThan(2 * count * piece.length - 3 * piece.length);
    }
  });

  testTable([
    ['https://doi.org/10.1000/a.pdf.', '10.1000/a', ['10.1000/a.pdf']],
    ['https://example.org/doi/10.1000/a/full', '10.1000/a', ['10.1000/a/full']],
    ['See doi:10.1000/a.', '10.1000/a', []],
    ['10.1000/a', '10.1000/a', []],
    ['doi:10.1145/3292500.\n3330701', '10.1145/3292500.3330701', ['10.1145/3292500']],
    ['doi:10.1145/32925\n00.3330701', '10.1145/32925', ['10.1145/3292500.3330701']],
  ])('returns the other readings of a name', (text, name, alternatives) => {
    expect(new DoiFinder().add(`${text}\n${' '.repeat(2_000)}`)).toMatchObject([{ name, alternatives }]);
  });

  test('ends a name after a million characters', () => {
    const finder = new DoiFinder();
    const piece = 'x'.repeat(100_000);
    const found = finder.add('doi:10.1000/');
    for (let count = 0; count < 40; count += 1) found.push(...finder.add(piece));
    expect(found).toHaveLength(1);
    expect(found[0]?.name.length).toBeGreaterThan(1_000_000);
  });
});
