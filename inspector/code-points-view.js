// @ts-check
// The characters of a name in cells. A non-ASCII character is marked by shape and word, not only by colour.

import { button, el } from './dom.js';
import { plate } from './plate.js';
import { codePoint } from './text.js';
import { count } from './words.js';

/** @import { Character, Doi } from './answers.js' */

/** The number of characters that the page shows at first. */
const FIRST = 500;

/** @typedef {'ascii' | 'space' | 'mark' | 'other'} Kind */

/** @type {Readonly<Record<Kind, { sign: string, words: string }>>} */
const KINDS = {
  ascii: { sign: '', words: '' },
  space: { sign: '␣', words: 'space' },
  mark: { sign: '◌', words: 'combining mark, not ASCII' },
  other: { sign: '◆', words: 'not ASCII' },
};

/** @param {string} character @returns {Kind} */
function kindOf(character) {
  if (/\p{Mark}/u.test(character)) return 'mark';
  if (/\s/u.test(character)) return 'space';
  return (character.codePointAt(0) ?? 0) < 128 ? 'ascii' : 'other';
}

/** @param {Pick<Doi, 'name' | 'prefix' | 'characters'>} doi */
export function codePointsView({ name, prefix, characters: known = [] }) {
  const characters = Array.from(name);
  const strip = el('ol', { class: 'strip', 'aria-label': 'Characters of the name' });
  const put = (/** @type {number} */ from, /** @type {number} */ to) =>
    strip.append(
      ...characters
        .slice(from, to)
        .map((character, index) =>
          cell(character, partOf(from + index, prefix.length), known[from + index] ?? null),
        ),
    );
  put(0, FIRST);
  const rest = button(`Show all ${count(characters.length, 'character')}`, () => {
    put(FIRST, characters.length);
    rest.remove();
  });
  rest.className = 'quiet';
  return plate(
    'code-points',
    'Character by character',
    summary(characters),
    strip,
    characters.length > FIRST && rest,
  );
}

/** @param {readonly string[]} characters */
function summary(characters) {
  const kinds = characters.map(kindOf);
  const explained = /** @type {const} */ (['other', 'mark', 'space']).filter((kind) => kinds.includes(kind));
  const isAscii = kinds.every((kind, index) => kind === 'ascii' || characters[index] === ' ');
  return el(
    'p',
    { class: 'legend' },
    `${count(characters.length, 'character')}, ${isAscii ? 'all of them ASCII.' : 'not all of them ASCII.'} `,
    ...explained.map((kind) =>
      el(
        'span',
        { class: 'legend-entry' },
        el('span', { 'aria-hidden': 'true' }, KINDS[kind].sign),
        ` ${KINDS[kind].words}`,
      ),
    ),
  );
}

/** A prefix is ASCII, so each character is one UTF-16 unit. @param {number} index @param {number} prefix its length */
function partOf(index, prefix) {
  if (index === prefix) return 'divider';
  return index < prefix ? 'in-prefix' : 'in-suffix';
}

/** @param {string} character @param {string} part @param {Character | null} known the gateway's data about the character */
function cell(character, part, known) {
  const kind = kindOf(character);
  const { sign, words } = KINDS[kind];
  return el(
    'li',
    { class: `cell ${kind} ${part}`, title: kind === 'ascii' ? null : known?.name },
    el('bdi', { class: 'glyph' }, glyph(character, kind)),
    el('span', { class: 'point' }, codePoint(character).slice(2)),
    sign !== '' &&
      el(
        'span',
        { class: 'kind' },
        el('span', { 'aria-hidden': 'true' }, sign),
        el('span', { class: 'hidden' }, words),
      ),
    sign !== '' &&
      kind !== 'space' &&
      known?.name &&
      el('span', { class: 'hidden' }, known.name.toLowerCase()),
    known?.imitates && el('span', { class: 'imitates' }, 'like ', el('bdi', {}, known.imitates)),
  );
}

/** @param {string} character @param {Kind} kind */
function glyph(character, kind) {
  if (kind === 'space') return '␣';
  // A combining mark alone would join the character before it.
  return kind === 'mark' ? `\u25CC${character}` : character;
}
