// Two names, and how they relate.

import type { AliasTargets, Character, ComparedSide, Comparison } from './answers.ts';
import { bounded } from './bounded.ts';
import { type Difference, differencesOf } from './differences.ts';
import { el } from './dom.ts';
import { characterInWords, markedText } from './lookalikes.ts';
import { forReaders } from './reader-words.ts';
import { table } from './table.ts';
import { bdi, code } from './text.ts';
import { relationInWords } from './words.ts';

/** Relations for which the view lists the characters that differ. */
const LOOK_ALIKE = ['CONFUSABLE', 'NORMALIZATION'];
const MAX_DIFFERENCES = 20;

/** @param aliases the element for the result of the look-ups */
export function compareView(
  { relation, equivalent, equivalentInNiso2000, explanation, a, b }: Comparison,
  aliases: Element,
  graphiql: string,
) {
  const differences = LOOK_ALIKE.includes(relation)
    ? differencesOf(a.doi?.characters ?? [], b.doi?.characters ?? [])
    : [];
  const sign = equivalent === null ? '?' : equivalent ? '=' : '≠';
  return el(
    'div',
    { class: `comparison ${equivalent ? 'same' : 'different'}` },
    el(
      'div',
      { class: 'sides' },
      side(a, placesOf(differences, 'a')),
      el('span', { class: 'relation-sign', 'aria-hidden': 'true' }, sign),
      side(b, placesOf(differences, 'b')),
    ),
    el('h3', {}, relationInWords(relation)),
    el('p', {}, el('bdi', {}, explanation)),
    differences.length > 0 && bounded(differences, MAX_DIFFERENCES, 'difference', differenceTable),
    equivalentInNiso2000 !== null && el('p', {}, niso(equivalent, equivalentInNiso2000)),
    equivalent !== null && aliases,
    el('p', {}, el('a', { class: 'quiet', href: graphiql }, 'Open in GraphiQL')),
  );
}

function side({ doi, problem }: ComparedSide, marked: readonly number[]) {
  if (!doi)
    return el(
      'p',
      { class: 'side' },
      el('span', { class: 'missing' }, 'no DOI name: ', bdi(forReaders(problem?.message ?? ''))),
    );
  const { characters = [], name } = doi;
  return el('p', { class: 'side' }, marked.length > 0 ? markedText(characters, marked) : code(name));
}

/** The positions in one name where the names differ. */
function placesOf(differences: readonly Difference<Character>[], which: 'a' | 'b') {
  return differences.flatMap((difference) =>
    difference[which].map((_, index) => difference.position + index),
  );
}

function differenceTable(differences: readonly Difference<Character>[]) {
  const inWords = (characters: readonly Character[]) =>
    characters.length === 0
      ? el('span', { class: 'missing' }, 'nothing')
      : el('ul', {}, ...characters.map((character) => el('li', {}, characterInWords(character))));
  return table(
    'differences',
    'The differences. A place is the number of a character.',
    ['Place', 'The first', 'The other'],
    differences.map(({ position, a, b }) => [String(position + 1), inWords(a), inWords(b)]),
  );
}

function niso(equivalent: boolean | null, equivalentThen: boolean) {
  const verdict = equivalentThen ? 'one DOI' : 'two DOIs';
  return equivalent === equivalentThen
    ? `The standard of 2000 (Z39.84-2000) says the same: ${verdict}.`
    : `In the standard of 2000 (Z39.84-2000), the case of a suffix counted. It would have called them ${verdict}.`;
}

/** @param message the reason why the targets are unknown; else null */
export function aliasTargetView({ doiEquivalence, doiDirectory }: AliasTargets, message: string | null) {
  if (message !== null || !doiEquivalence)
    return el('p', { class: 'missing' }, 'Where their aliases end is not known: ', bdi(message ?? ''));
  const { sameAliasTarget, a, b } = doiEquivalence;
  if (sameAliasTarget === true) return el('p', {}, 'Both end at one handle when their aliases are followed.');
  const absent = [a, b].flatMap(({ doi }) => (doi?.exists === false ? [doi.name] : []));
  if (absent.length === 0)
    return el('p', {}, 'They end at two different handles, also when aliases are followed.');
  const isEmbedded = doiDirectory?.kind === 'EMBEDDED';
  const words = isEmbedded
    ? 'in the embedded directory, so where aliases would end is not known here.'
    : 'registered, so there is no alias to follow.';
  return absent.length === 1
    ? el('p', {}, code(absent[0] ?? ''), ` is not ${words}`)
    : el('p', {}, `Neither of them is ${words}`);
}
