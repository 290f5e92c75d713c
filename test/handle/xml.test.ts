import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readXml } from '../../src/handle/xml.ts';

const WANTED = { isWanted: () => true, maxElements: 8, plural: 'locations' };

const PARTS = [
  ...[
    ...'<>&"\'=/?!%: \n\0\uFFFFa',
    '&#x',
    '110000;',
    '0;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml',
    'xmlns',
  ],
  ...['<!DOCTYPE', '<!ENTITY', '\uD800', '\u{1D4B3}', '<locations>', '</locations>', '<location href="x">'],
  '</location>',
];

test('any text is read to elements or a fault', () => {
  const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, (xml) => {
      const { elements, fault } = readXml(xml, WANTED);
      expect(elements.length > 0 || fault !== null).toBe(true);
    }),
    { numRuns: 2_000, examples: [['<!ENTITY\uD800']] },
  );
});
