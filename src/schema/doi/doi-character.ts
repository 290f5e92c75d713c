// A character of a DOI name, for telling it from others that look like it.

import { codePoints, utf8Hex } from '../../doi/encoding-forms.ts';
import { lookalikes } from '../../doi/lookalikes.ts';
import { categoryOf, scriptsOf } from '../../doi/scripts.ts';
import { asciiLookalike } from '../../doi/suggest.ts';
import { builder } from '../builder.ts';
import { CHARACTERS_A_UNIT, priced } from '../field-price.ts';
import { characterName } from './character-names.ts';
import { DoiType, ofName } from './doi.ts';

/** To look through all scripts for a character that is new takes as long as several other fields. */
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
      description: 'Its name in Unicode: `CYRILLIC SMALL LETTER A`. Null for the few that have none here.',
      resolve: characterName,
    }),
    scripts: t.stringList({
      ...priced(SCRIPTS_PRICE),
      description:
        'The scripts that use it, by Unicode’s names: `["Cyrillic"]`, `["Hiragana", "Katakana"]`; `["Common"]` or `["Inherited"]` where all do.',
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
        'The ASCII that it looks like: `a` for the Cyrillic `а`, `-` for a dash, `fi` for a ligature, empty for a character that cannot be seen. Null for ASCII itself and for what looks like none.',
      resolve: lookalikes.imitatedAscii,
    }),
  }),
});

builder.objectFields(DoiType, (t) => ({
  characters: t.field({
    type: [DoiCharacterType],
    description:
      'The characters of the name one by one, with the character that a look-alike imitates: `{ character name imitates }`. Each costs its selected fields.',
    ...priced({ field: 20, multiplier: CHARACTERS_A_UNIT }),
    resolve: ofName((name) => [...name]),
  }),
  asciiLookalike: t.string({
    nullable: true,
    description:
      'The name with every imitation replaced by the ASCII character: `10.1000/paypal` for a name with a Cyrillic `а`. Words of another script stay unchanged. Null without imitations. `warnings` shows whether the imitation is likely to be a mistake.',
    resolve: ofName((name) => asciiLookalike(name, lookalikes)),
  }),
}));
