// Names in text of PDFs in which spaces stray between characters, with what follows such names in reference lists.

import type { CorpusText } from './marked-text.ts';
import { anyName, digits, year } from './names.ts';
import type { Random } from './random.ts';

/** `|` is the name with its address. */
const ENDINGS: readonly ((random: Random) => string)[] = [
  () => '|',
  (r) => `|\nSmith, J. (${year(r)}). A title.`,
  (r) => `|\n[${digits(r, 2)}] Another work`,
  () => '|.',
  (r) => `|.\nMiller (${year(r)})`,
  (r) => `|, p. ${digits(r, 2)}`,
  (r) => `|. The next sentence has ${digits(r, 1)} words.`,
  () => '| and others',
  (r) => `| (accessed 10 May ${year(r)})`,
  (r) => `| ${digits(r, 3)}`,
];

const ADDRESSES = ['https://doi.org/', 'http://dx.doi.org/', 'doi.org/', 'doi:'];

export function spacedOutTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, () => {
    const name = nameWithoutSpaces(random);
    const often = random.of([0.1, 0.2, 0.3]);
    const written = withStraySpaces(random.of(ADDRESSES) + name, often, random);
    const before = `${random.of(['Jones, A. ', 'J. Chem. '])}${year(random)}. `;
    const ending = random
      .of(ENDINGS)(random)
      .replace('|', () => written);
    const start = before.length;
    return {
      text: before + ending,
      names: [{ name, start, end: start + written.length }],
      reason: 'spaces stray',
    };
  });
}

function nameWithoutSpaces(random: Random): string {
  for (;;) {
    const name = anyName(random);
    if (!name.includes(' ')) return name;
  }
}

function withStraySpaces(text: string, often: number, random: Random): string {
  return Array.from(text, (character, at) =>
    at > 0 && random.next() < often ? ` ${character}` : character,
  ).join('');
}
