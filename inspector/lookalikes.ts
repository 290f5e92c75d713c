// Characters that look like other characters. The view marks and numbers these in the name, and explains them below it.

import type { Character } from './answers.ts';
import { bounded } from './bounded.ts';
import { el } from './dom.ts';
import { bdi } from './text.ts';

/** The page does not check the characters of longer texts. */
const MAX_CHARACTERS = 2_000;
const MAX_LISTED = 20;

/** Whether the input contains characters to explain, perhaps percent-encoded. */
export function deservesCloseLook(text: string) {
  return text.length <= MAX_CHARACTERS && /[^\x20-\x7E]|%/.test(text);
}

/** Whether two names are short enough to be compared character by character. */
export function areComparable(a: string, b: string) {
  return a.length + b.length <= MAX_CHARACTERS;
}

interface Marked {
  readonly character: Character;
  /** in characters, from 0 */
  readonly position: number;
}

export function imitationsIn(characters: readonly Character[]): readonly Marked[] {
  return characters.flatMap((character, position) =>
    character.imitates === null ? [] : [{ character, position }],
  );
}

/** A name or a part of it, with characters marked and numbered. @param marked their indexes in `characters` */
export function markedText(characters: readonly Character[], marked: readonly number[]) {
  const numbers = new Map(marked.map((place, index) => [place, index + 1]));
  return el(
    'code',
    { class: 'long' },
    el(
      'bdi',
      { dir: 'ltr' },
      ...characters.map(({ character, name, codePoint }, place) => {
        const number = numbers.get(place);
        if (number === undefined) return character;
        return el(
          'mark',
          { class: 'lookalike' },
          glyph(character),
          el('span', { class: 'lookalike-number', 'aria-hidden': 'true' }, String(number)),
          el('span', { class: 'hidden' }, ` (mark ${number}: ${name ?? codePoint}) `),
        );
      }),
    ),
  );
}

/** Explains each marked character. */
export function imitationList(marked: readonly Marked[]) {
  return bounded(marked, MAX_LISTED, 'look-alike', (some) =>
    el(
      'ol',
      { class: 'lookalikes', 'aria-label': 'Look-alikes' },
      ...some.map(({ character, position }) =>
        el('li', {}, `Character ${position + 1}: `, characterInWords(character)),
      ),
    ),
  );
}

export function characterInWords({ character, codePoint, name, imitates }: Character) {
  return el(
    'span',
    {},
    el('b', { class: 'lookalike-glyph' }, bdi(glyph(character), 'ltr')),
    ` ${codePoint}${name === null ? '' : ` ${name}`}`,
    imitates === '' && ', which cannot be seen',
    imitates && el('span', {}, ', looks like ', el('b', { class: 'lookalike-glyph' }, bdi(imitates, 'ltr'))),
  );
}

/** A combining mark alone would join the character before it. */
function glyph(character: string) {
  return /\p{Mark}/u.test(character) ? `\u25CC${character}` : character;
}
