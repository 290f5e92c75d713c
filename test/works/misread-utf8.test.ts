import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairMisreadUtf8 } from '../../src/works/damaged-text.ts';
import { readWork } from '../../src/works/work.ts';

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const utf8 = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
const asLatin1 = (text: string): string => String.fromCharCode(...utf8(text));
const asWindows1252 = (text: string): string =>
  asLatin1(text).replaceAll(
    /[\u0080-\u009f]/g,
    (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? '',
  );

const TEXTS = [
  ...['Müller', 'Straße', 'àéîõü', 'Österreich – ein Überblick', 'François’s “œuvre”…', 'Łódź'],
  ...['Ελλάδα', 'Москва', '東京大学', 'naïve 😀'],
];

describe('UTF-8 that was read in another charset', () => {
  it('is read as UTF-8', () => {
    for (const text of TEXTS) {
      expect(repairMisreadUtf8(asLatin1(text))).toBe(text);
      expect(repairMisreadUtf8(asWindows1252(text))).toBe(text);
      expect(repairMisreadUtf8(asWindows1252(asWindows1252(text)))).toBe(text);
    }
    expect(repairMisreadUtf8('MÃ¼ller')).toBe('Müller');
  });

  it('is not found in correct and partly correct texts', () => {
    const right = [
      ...[
        ...TEXTS,
        'CAFÉ–BAR',
        'SOCIÉTÉ\u00a0: UN',
        'A IRM\u00c3\u00bb',
        '“AMANH\u00c3”',
        'PERÚ–BRASIL',
        'Úšovice',
      ],
      ...['CAFÉ’S', 'É¹', 'SÃO PAULO', 'Ã', '± 5 µm', '20 °C', '«café»\u00a0:', '½', 'Ångström', 'ØÅÆ'],
      ...['MANHÃ–TARDE', 'Đà Nẵng', 'Müller und MÃ¼ller'],
    ];
    expect(right.map((text) => repairMisreadUtf8(text))).toEqual(right);
  });

  it('is not found in any text of a European language in Latin script', () => {
    const word = fc.stringMatching(
      /^[A-ZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞ]?[a-zàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿß]{1,8}$/,
    );
    const mark = fc.constantFrom(' ', '\u00a0', '\u00a0: ', '–', '’', '” ', '» ', ' «', ', ');
    const text = fc.array(fc.tuple(word, mark), { maxLength: 6 }).map((parts) => parts.flat().join(''));
    fc.assert(fc.property(text, (right) => repairMisreadUtf8(right) === right));
  });

  it('is read as UTF-8 in titles and names', () => {
    const work = readWork({ title: 'Ãœber <i>Wasser</i>', author: [{ family: 'MÃ¼ller', given: 'JÃ¶rg' }] });
    expect(work).toMatchObject({ title: 'Über Wasser', creators: [{ name: 'Jörg Müller' }] });
  });
});
