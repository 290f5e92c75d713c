// The type DOICharacter. Its fields show the differences between characters that look alike.

import { lookalikes } from 'doi-names/lookalikes';
import { asciiLookalike, categoryOf, codePoints, scriptsOf, utf8Hex } from 'doi-names/parts';
import { builder } from '../builder.ts';
import { CHARACTERS_PER_UNIT, priced } from '../field-price.ts';
import { characterName } from './character-names.ts';
import { DoiType, ofName } from './doi.ts';

/** The search for the scripts of a character takes as long as several other fields. */
const SCRIPTS_PRICE = { field: 5, multiplier: 1 };

const DoiCharacterType = builder.objectRef<string>('DOICharacter').implement({
  description: 'One character of a DOI name, as Unicode describes it.',
  fields: (t) => ({
    codePoint: t.string({
      description: 'Its code point: `U+0430`.',
      resolve: (character) => codePoints(character).join(''),
    }),
    character: t.string({ description: 'The character itself: `а`.', resolve: (character) => character }),
    utf8Hex: t.string({ description: 'Its bytes in UTF-8: `D0 B0`.', resolve: utf8Hex }),
    name: t.string({
      nullable: true,
      description:
        'Its name in Unicode: `CYRILLIC SMALL LETTER A`. Null for the few characters without a name.',
      resolve: characterName,
    }),
    scripts: t.stringList({
      ...priced(SCRIPTS_PRICE),
      description:
        'The scripts that use the character, with the names of Unicode: `["Cyrillic"]`, `["Hiragana", "Katakana"]`. `["Common"]` or `["Inherited"]` if all scripts use it.',
      resolve: scriptsOf,
    }),
    category: t.string({
      description:
        'Its general category in Unicode: `Ll` for a small letter, `Nd` for a digit, `Pd` for a dash.',
      resolve: categoryOf,
    }),
    imitates: t.string({
      nullable: true,
      description:
        'The ASCII text that the character looks like: `a` for the Cyrillic `а`, `-` for a dash, `fi` for a ligature, empty for an invisible character. Null for an ASCII character, and for a character that does not look like ASCII.',
      resolve: lookalikes.imitatedAscii,
    }),
  }),
});

builder.objectFields(DoiType, (t) => ({
  characters: t.field({
    type: [DoiCharacterType],
    description:
      'The characters of the name one by one: `{ character name imitates }`. The price counts the selected fields for each character.',
    ...priced({ field: 20, multiplier: CHARACTERS_PER_UNIT }),
    resolve: ofName((name) => [...name]),
  }),
  asciiLookalike: t.string({
    nullable: true,
    description:
      'The name with an ASCII character instead of each look-alike: `10.1000/paypal` for a name with a Cyrillic `а`. Words of another script stay unchanged. Null if the name has no look-alike. `warnings` shows whether the look-alike is probably a mistake.',
    resolve: ofName((name) => asciiLookalike(name, lookalikes)),
  }),
}));
