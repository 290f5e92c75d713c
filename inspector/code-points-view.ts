// The characters of a name in cells. A non-ASCII character is marked by shape and word, not only by colour.

import type { Character, Doi } from './answers.ts';
import { button, el } from './dom.ts';
import { plate } from './plate.ts';
import { codePoint } from './text.ts';
import { count } from './words.ts';

/** The number of characters that the page shows at first. */
const FIRST = 500;

type Kind = 'ascii' | 'space' | 'mark' | 'other';

const KINDS: Readonly<Record<Kind, { sign: string; words: string }>> = {
  ascii: { sign: '', words: '' },
  space: { sign: '␣', words: 'space' },
  mark: { sign: '◌', words: 'combining mark, not ASCII' },
  other: { sign: '◆', words: 'not ASCII' },
};

function kindOf(character: string): Kind {
  if (/\p{Mark}/u.test(character)) return 'mark';
  if (/\s/u.test(character)) return 'space';
  return (character.codePointAt(0) ?? 0) < 128 ? 'ascii' : 'other';
}

export function codePointsView({
  name,
  prefix,
  characters: known = [],
}: Pick<Doi, 'name' | 'prefix' | 'characters'>) {
  const characters = Array.from(name);
  const strip = el('ol', { class: 'strip', 'aria-label': 'Characters of the name' });
  const put = (from: number, to: number) =>
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

function summary(characters: readonly string[]) {
  const kinds = characters.map(kindOf);
  const explained = (['other', 'mark', 'space'] as const).filter((kind) => kinds.includes(kind));
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

/** A prefix is ASCII, so each character is one UTF-16 unit. @param prefix its length */
function partOf(index: number, prefix: number) {
  if (index === prefix) return 'divider';
  return index < prefix ? 'in-prefix' : 'in-suffix';
}

/** @param known the gateway's data about the character */
function cell(character: string, part: string, known: Character | null) {
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

function glyph(character: string, kind: Kind) {
  if (kind === 'space') return '␣';
  // A combining mark alone would join the character before it.
  return kind === 'mark' ? `\u25CC${character}` : character;
}
