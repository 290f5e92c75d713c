// XML in records, from any registrant.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readXml } from '../../src/handle/xml.ts';

const WANTED = { isWanted: () => true, maxElements: 8, plural: 'locations' };

const PIECES = [
  ...[
    '<',
    '>',
    '&',
    '&#x',
    '110000;',
    '0;',
    '"',
    "'",
    '=',
    '/',
    '?',
    '!',
    '%',
    ':',
    ' ',
    '\n',
    '\0',
    '\uFFFF',
  ],
  ...[
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '<!DOCTYPE',
    '<!ENTITY',
    '\uD800',
    '\u{1D4B3}',
    'xmlns',
    'a',
  ],
  ...['<locations>', '</locations>', '<location href="x">', '</location>'],
];

test('any text has elements or a fault, and does not throw', () => {
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, (xml) => {
      const { elements, fault } = readXml(xml, WANTED);
      expect(elements.length > 0 || fault !== null).toBe(true);
    }),
    { numRuns: 2_000, examples: [['<!ENTITY\uD800']] },
  );
});
