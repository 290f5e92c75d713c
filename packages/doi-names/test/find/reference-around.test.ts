import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testTable } from '../../../../test/support/test-table.ts';
import { DoiFinder } from '../../src/find/doi-finder.ts';
import { findDois } from '../../src/find/find-dois.ts';
import { MAX_AFTER, MAX_BEFORE, referenceAround } from '../../src/find/reference-around.ts';

const ONE = 'One, A. (2001). The first title of all. Journal, 1.';
const TWO = 'Two, B. (2002). The second title of all. Journal, 2.';

/** Returns the reference of each name in a text, in one line. */
const around = (text: string) =>
  findDois(text).map((match) => referenceAround(text, match).text.replace(/\s+/g, ' ').trim());
const areWhole = (text: string) => findDois(text).map((match) => referenceAround(text, match).isWhole);

describe('the reference around a name', () => {
  testTable([
    ['lines', `${ONE} doi:10.1000/1\n${TWO} doi:10.1000/2\n`],
    ['paragraphs', `${ONE} doi:10.1000/1\n\n${TWO} doi:10.1000/2\n`],
    ['one line', `${ONE} doi:10.1000/1 ${TWO} doi:10.1000/2`],
    [
      'bullets, of which the first has no name',
      `- ${ONE.replace('One', 'Nil')}\n- ${ONE} doi:10.1000/1\n- ${TWO} doi:10.1000/2`,
    ],
    [
      'wrapped paragraphs',
      `${ONE.replaceAll(' ', '\n')}\ndoi:10.1000/1\n\n${TWO.replaceAll(' ', '\n')}\ndoi:10.1000/2`,
    ],
    ['items of HTML', `<ul><li>${ONE} 10.1000/1</li><li>${TWO} 10.1000/2</li></ul>`],
    ['names first', `doi:10.1000/1 ${ONE}\ndoi:10.1000/2 ${TWO}`],
  ])('ends where the next reference begins', (_, text) => {
    const [one, two] = around(text);
    for (const word of ['first', '2001'])
      expect([one?.includes(word), two?.includes(word)]).toEqual([true, false]);
    for (const word of ['second', '2002'])
      expect([one?.includes(word), two?.includes(word)]).toEqual([false, true]);
    expect(areWhole(text)).toEqual([true, true]);
  });

  testTable([
    [
      'BibTeX',
      `@book{a,\n  doi = {10.1000/1},\n\n  title = {First},\n}\n@book{b,\n title = {Second},\n doi = {10.1000/2}\n}`,
    ],
    [
      'RIS',
      `TY  - BOOK\nDO  - 10.1000/1\nTI  - First\nER  - \nTY  - BOOK\nTI  - Second\nDO  - 10.1000/2\nER  - \n`,
    ],
  ])('is the whole record for a name at any place in the record', (_, text) => {
    const [one, two] = around(text);
    expect([one, two]).toEqual([expect.stringMatching(/First/), expect.stringMatching(/Second/)]);
    expect(one).not.toContain('Second');
    expect(two).not.toContain('First');
  });

  testTable([
    ['a link', `${ONE} [10.1000/1](https://doi.org/10.1000/1)`],
    ['an element', `<li>${ONE} <a href="https://doi.org/10.1000/1">https://doi.org/10.1000/1</a></li>`],
    ['an encoded address', `${ONE} 10.1000/1, https://doi.org/10.1000%2F1`],
    ['capitals', `${ONE} 10.1000/aB1, https://doi.org/10.1000/Ab1`],
  ])('continues after its name if the same name follows again', (_, text) => {
    expect(around(text)).toHaveLength(2);
    for (const reference of around(text)) expect(reference).toContain('first title');
  });

  testTable([
    ['a wrapped number', `${ONE.replace('Journal, 1.', 'Journal, 171,\n737.')} doi:10.1000/1`],
    ['a wrapped remark', `${ONE}\n[Online]. Available: doi:10.1000/1`],
  ])('does not begin inside a reference that is wrapped', (_, text) => {
    expect(around(text)[0]).toContain('first title');
  });

  test('does not continue after a name that only begins with the same letters', () => {
    const [, two] = around(`${ONE} doi:10.1000/ab\n${TWO} doi:10.1000/a`);
    expect(two).not.toContain('first');
  });

  testTable([
    ['begins far before the name', `${'word '.repeat(400)} 2001 doi:10.1000/1`],
    ['is only the name', 'See\n\ndoi:10.1000/1\n\n'],
    [
      'is in an object of JSON, because the fields can have any order',
      '{"a": "b c d e f g h", "year": "2001",\n "DOI": "10.1000/1"}',
    ],
  ])('is marked as not whole if words of the reference may be missing', (_, text) => {
    expect(areWhole(text)).toEqual([false]);
  });

  test('has a maximum length', () => {
    const text = `${'a'.repeat(50_000)} 10.1000/1 ${'b'.repeat(50_000)}`;
    const [match] = findDois(text);
    if (!match) return expect.unreachable();
    expect(referenceAround(text, match).text.length).toBeLessThanOrEqual(MAX_BEFORE + MAX_AFTER + 1);
  });

  test('is the same in a text that arrives in pieces', () => {
    const links = ['doi:10.1000/1', 'https://doi.org/10.1000/2'];
    const parts = [`${ONE} `, TWO, ...links, '\n', '\n\n', '@a{b,\n', '\n}\n', 'x '.repeat(600)];
    const texts = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3_000 }), (text, length) => {
        const finder = new DoiFinder({ withReferences: true });
        const found = [];
        for (let at = 0; at < text.length; at += length)
          found.push(...finder.add(text.slice(at, at + length)));
        found.push(...finder.end());
        expect(found.map(({ reference }) => reference)).toEqual(
          findDois(text).map((match) => referenceAround(text, match)),
        );
      }),
    );
  });
});
