// Generates texts with DOI names, and the position of each name: sentences, tables, markup, and reference lists in twelve
// styles.

import { type CorpusText, fromMarked } from './score.ts';
import { anyName, filled, type Random } from './texts.ts';

/** Texts that may follow a name in a reference list. */
const ENDINGS = [
  '',
  '\nSmith, J. ({year}). A title.',
  '\n[{2}] Another work',
  '.',
  '.\nMiller ({year})',
  ', p. {2}',
  '. The next sentence has {1} words.',
  ' and others',
  ' (accessed 10 May {year})',
  ' {3}',
];

const ADDRESSES = ['https://doi.org/', 'http://dx.doi.org/', 'doi.org/', 'doi:'];

/** Names with stray spaces between characters, as in the text of some PDFs. */
export function spacedOutTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, () => {
    let name = anyName(random);
    while (name.includes(' ')) name = anyName(random);
    const probability = random.of([0.1, 0.2, 0.3]);
    const written = withStraySpaces(random.of(ADDRESSES) + name, probability, random);
    const before = filled(`${random.of(['Jones, A. ', 'J. Chem. '])}{year}. `, random);
    const text = before + written + filled(random.of(ENDINGS), random);
    const markedName = { name, start: before.length, end: before.length + written.length };
    return { text, names: [markedName], reason: 'stray spaces' };
  });
}

function withStraySpaces(text: string, probability: number, random: Random): string {
  return Array.from(text, (character, at) =>
    at > 0 && random.next() < probability ? ` ${character}` : character,
  ).join('');
}

/** Texts that contain no DOI name but look as if they did. */
const TEMPTING = [
  'The cost is 1{1}10.{4}/x.',
  'Release {1}.10.{4}/{word} is out.',
  'v10.{4}/{word}',
  'inet 10.{byte}.{byte}.{byte}/{mask} brd',
  'http://10.{byte}.{byte}.{byte}/{word}/{4}.html',
  '192.168.10.{3}/24',
  'It was rated 10.{1}/10 by {3} people.',
  '$10.{2}/month, €10.{4}/unit',
  '10.{2}/kg',
  'from 10.{month}.{year}/14.12.{year}',
  'season 10.{year}/{year}',
  '10.{year}/11.{year}',
  'Ubuntu 10.04/10.10, macOS 10.{2}.{1}/arm64',
  "The prefix 10.{4} is {word}'s.",
  '10.{4}/ and nothing',
  'doi:10.{4}/.',
  'https://doi.org/{word}{2}',
  '10/{word}{1}',
  'hdl:20.500.{5}/{3}',
  'ISBN 978-10-{4}-{3}-0',
  'arXiv:10{2}.{4}/v2',
  'Sections 10.{1}.{1}/10.{1}.2',
  'mean {2}.10.{4}/2',
  '10.{3}x/{3}',
  '10.000/{2}.000 Einwohner',
  'p = 10.{4}/20.{4}',
  '10.{4} / {3}',
  '/usr/lib/python3.10.{2}/site-packages/{word}',
];

export function temptingTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, (_, index) => ({
    text: filled(TEMPTING[index % TEMPTING.length] as string, random),
    names: [],
    reason: 'no DOI name',
  }));
}

/** Reference lists: the twelve styles. */
const STYLES = [
  '{author} ({year}). {title}. {journal}, {2}({1}), {pages}. https://doi.org/⟦⟧',
  '{author} {title}. {journal}. {year};{2}({1}):{pages}. doi:⟦⟧.',
  '{author} "{title}." {journal} {2}, no. {1} ({year}): {pages}. https://doi.org/⟦⟧.',
  '[{2}] {author}, “{title},” {journal}, vol. {2}, pp. {pages}, {year}, doi: ⟦⟧.',
  "{author} {year}, '{title}', {journal}, vol. {2}, viewed 10.12.{year}, <https://doi.org/⟦⟧>.",
  '{author} {title}. {journal} {2}, {pages} ({year}). DOI: ⟦⟧',
  '{author} “{title}.” {journal} {2}.{1} ({year}): {pages}. Web. DOI ⟦⟧.',
  '{2}. {author} ({year}) {title}. {journal} [⟦⟧]',
  '{author} {title} ({journal}, {year}; ⟦⟧).',
  '{author}, {title}, {journal} {2} ({year}) {pages}, http://dx.doi.org/⟦⟧, {author}, ibid., ⟦⟧; ⟦⟧.',
  '{author}: {title}. In: {journal}. Band {2}, {year}, S. {pages}, doi:⟦⟧ (abgerufen am 10.12.{year}).',
  '{author} {title} // {journal}. {year}. Т. {2}, № {1}. С. {pages}. DOI: ⟦⟧.',
];

const SENTENCES = [
  'As was shown (⟦⟧), it holds.',
  'See ⟦⟧, ⟦⟧ and ⟦⟧.',
  'Is that what ⟦⟧ says?',
  "It is “⟦⟧”, not '⟦⟧'.",
  'In 10.{1} of {2} cases [see doi:⟦⟧; {3}/10.{1}] it failed.',
  'Data: ⟦⟧. Code: https://doi.org/⟦⟧; see also info:doi/⟦⟧.',
  '数据见⟦⟧。另见（⟦⟧）。',
];

const TABLES = [
  '| {author} | ⟦⟧ | {year} |',
  '"{author}","⟦⟧",{year}\n"{author}","⟦⟧",{year}',
  '{3}\t⟦⟧\t{year}\n{3}\t⟦⟧\t{year}',
  '{3},⟦⟧,{year}\n{3},⟦⟧,{year}',
  '{year} & ⟦⟧ & {2} \\\\',
];

/** Markup, in which the spelling of a name follows the rules of the markup. */
const MARKUP = [
  '<p>{author} <a href="https://doi.org/⟦urlInEntities⟧">⟦entities⟧</a>.</p>',
  "<a href='https://publisher.example/doi/full/⟦urlInEntities⟧?src=x&amp;y=1#s2'>x</a>",
  '<meta name="citation_doi" content="⟦entities⟧"/>',
  '<mixed-citation>{year}<pub-id pub-id-type="doi">⟦entities⟧</pub-id></mixed-citation>',
  '@article{x{3},\n  year = {{year}},\n  doi = {⟦tex⟧},\n  url = {https://doi.org/⟦url⟧}\n}',
  '\\bibitem{a} A title, \\href{https://doi.org/⟦url⟧}{link}, \\doi{⟦tex⟧}.',
  'TY  - JOUR\nPY  - {year}\nDO  - ⟦⟧\nUR  - https://doi.org/⟦url⟧\nER  - ',
  '[a title](https://doi.org/⟦url⟧) and <https://doi.org/⟦url⟧>',
  '{"DOI":"⟦json⟧","URL":"https://doi.org/⟦url⟧"}',
  '{{cite journal |doi=⟦⟧ |url=https://publisher.example/a?doi=⟦query⟧&x=1 }}',
  'https://publisher.example/doi/pdf/⟦url⟧?download=true and https://publisher.example/x?id=⟦query⟧',
  'https://login.proxy.example.edu/login?url=https%3A%2F%2Fdoi.org%2F⟦query⟧',
];

/** `share` is the share of texts of this kind or of a kind above it. A text repeats its template one to three times. */
const KINDS = [
  { share: 0.4, templates: STYLES, reason: 'a reference list', divider: '\n' },
  { share: 0.6, templates: SENTENCES, reason: 'a sentence', divider: ' ' },
  { share: 0.7, templates: TABLES, reason: 'a table', divider: '\n' },
];

export function generatedTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, () => {
    const chance = random.next();
    const kind = KINDS.find(({ share }) => chance < share);
    if (kind === undefined) return fromMarked(withNames(random.of(MARKUP), random), 'markup');
    const template = random.of(kind.templates);
    const parts = Array.from({ length: 1 + random.below(3) }, () => withNames(template, random));
    return fromMarked(parts.join(kind.divider), kind.reason);
  });
}

/** Fills a template with new names, and marks them. */
function withNames(template: string, random: Random): string {
  return filled(template, random, (spell) => {
    const name = anyName(random);
    const spelled = spell(name);
    return spelled === name ? `⟦${name}⟧` : `⟦${spelled}¦${name}⟧`;
  });
}
