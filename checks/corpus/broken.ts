// Names that a line break divides at a random place, as in the text of a PDF; and references with other text in the next
// line.

import { foldBasicLatin, type Reading, readingsIn } from 'doi-names/parts';
import { anyName, filled, type Random } from './texts.ts';

const BEFORE = [
  'doi:',
  'doi: ',
  'DOI: ',
  'DOI ',
  'https://doi.org/',
  'http://dx.doi.org/',
  'https://doi.org/',
  '',
];
const BREAKS = ['\n', '\n', '\r\n', '\n   '];
const AFTER = [
  ...[
    '',
    '.',
    '\n',
    '.\nSmith, J. ({year}). A title.',
    ' PMID: {7}',
    '. URL',
    ', and more',
    ' (accessed {year})',
  ],
  ...['.\n[{2}] A, B.', '\n{1}. Jones A. Title'],
];

interface BrokenName {
  readonly text: string;
  readonly name: string;
}

export function brokenNames(random: Random, count: number): BrokenName[] {
  return Array.from({ length: count }, () => {
    let name = anyName(random);
    while (name.includes(' ')) name = anyName(random);
    const at = 1 + random.below(name.length - 1);
    const broken = name.slice(0, at) + random.of(BREAKS) + name.slice(at);
    const text = `Smith J. {title}. {journal} {year};{2}:{pages}. ${random.of(BEFORE)}⟦⟧${random.of(AFTER)}`;
    return { text: filled(text, random, () => broken), name };
  });
}

/** Lines that can follow a reference. */
const NEXT_LINES = [
  ...['{author} ({year}). {title}.', '{2}. {author} {title}.', '[{2}] {author} {title}', '({1}) {author}'],
  ...[
    '{year} was a good year.',
    '{2} patients were ill.',
    '{1}D printing',
    'COVID-{2} is a disease.',
    '{title}',
  ],
  ...[
    '{pages}',
    '{year};{2}({1}):{pages}.',
    '{1}.{1} Methods',
    '{1}.{1}.{1} Results',
    '{year}-{month}-{month}',
  ],
  ...[
    '{month}.{month}.{year}',
    '{month}-Feb-{year}',
    'Page {1} of {2}',
    '{2}',
    '{5} Berlin, Germany',
    '{word}{2} was',
  ],
  ...[
    'PMID: {8}',
    'https://example.org/{5}',
    'Received {2} May {year}',
    '{WORD}{2} and {word}',
    '{letter}',
    '{3} {journal}',
  ],
];
const ENDS = ['.\n', '.\n', '\n', ',\n', '. ', ' ', '.\r\n', '.\n    ', '.\n\n'];

export function ordinaryTexts(random: Random, count: number): BrokenName[] {
  return Array.from({ length: count }, () => {
    const name = anyName(random);
    const text = `{author} {title}. ${random.of(BEFORE)}⟦⟧${random.of(ENDS)}${random.of(NEXT_LINES)}`;
    return { text: filled(text, random, () => name), name };
  });
}

/**
 * Returns the share of names that are found whole; the share of names that are found or are an alternative of what is
 * found; and the number of names that are found with a part of the next line.
 */
export function scoreBroken(texts: readonly BrokenName[]) {
  let whole = 0;
  let served = 0;
  let joined = 0;
  const failures: object[] = [];
  for (const { text, name } of texts) {
    const meant = foldBasicLatin(name);
    const readings = [...readingsIn(text, { at: 0, floor: 0, context: null })];
    const names = readings.flatMap(({ match }) => (match === null ? [] : foldBasicLatin(match.name)));
    const isWhole = names.includes(meant);
    whole += Number(isWhole);
    joined += Number(names.some((found) => found !== meant && found.startsWith(meant)));
    if (isWhole || offers(readings).some((offer) => foldBasicLatin(offer) === meant)) served += 1;
    else failures.push({ text, name, names });
  }
  return { whole: whole / texts.length, served: served / texts.length, joined, failures };
}

function offers(readings: readonly Reading[]): readonly string[] {
  return readings.flatMap(({ alternatives }) => alternatives);
}
