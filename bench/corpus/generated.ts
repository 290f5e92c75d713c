// Texts with DOI names in them, and where: sentences, tables, markup and reference lists in twelve styles.

import { anyName, digits, inEntities, inUrl, type Random, word, year } from './names.ts';
import { type CorpusText, fromMarked } from './score.ts';

// Names in text of PDFs in which spaces stray between characters, with what follows such names in reference lists.

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

// Texts without any DOI name that look as if they had one.

const TEMPLATES: readonly ((random: Random) => string)[] = [
  (r) => `The cost is 1${digits(r, 1)}10.${digits(r, 4)}/x.`,
  (r) => `Release ${digits(r, 1)}.10.${digits(r, 4)}/${word(r)} is out.`,
  (r) => `v10.${digits(r, 4)}/${word(r)}`,
  (r) => `inet 10.${r.below(256)}.${r.below(256)}.${r.below(256)}/${8 + r.below(24)} brd`,
  (r) => `http://10.${r.below(256)}.${r.below(256)}.${r.below(256)}/${word(r)}/${digits(r, 4)}.html`,
  (r) => `192.168.10.${digits(r, 3)}/24`,
  (r) => `It was rated 10.${digits(r, 1)}/10 by ${digits(r, 3)} people.`,
  (r) => `$10.${digits(r, 2)}/month, €10.${digits(r, 4)}/unit`,
  (r) => `10.${digits(r, 2)}/kg`,
  (r) => `from 10.${10 + r.below(3)}.${year(r)}/14.12.${year(r)}`,
  (r) => `season 10.${year(r)}/${year(r)}`,
  (r) => `10.${year(r)}/11.${year(r)}`,
  (r) => `Ubuntu 10.04/10.10, macOS 10.${digits(r, 2)}.${digits(r, 1)}/arm64`,
  (r) => `The prefix 10.${digits(r, 4)} is ${word(r)}'s.`,
  (r) => `10.${digits(r, 4)}/ and nothing`,
  (r) => `doi:10.${digits(r, 4)}/.`,
  (r) => `https://doi.org/${word(r)}${digits(r, 2)}`,
  (r) => `10/${word(r)}${digits(r, 1)}`,
  (r) => `hdl:20.500.${digits(r, 5)}/${digits(r, 3)}`,
  (r) => `ISBN 978-10-${digits(r, 4)}-${digits(r, 3)}-0`,
  (r) => `arXiv:10${digits(r, 2)}.${digits(r, 4)}/v2`,
  (r) => `Sections 10.${digits(r, 1)}.${digits(r, 1)}/10.${digits(r, 1)}.2`,
  (r) => `mean ${digits(r, 2)}.10.${digits(r, 4)}/2`,
  (r) => `10.${digits(r, 3)}x/${digits(r, 3)}`,
  (r) => `10.000/${digits(r, 2)}.000 Einwohner`,
  (r) => `p = 10.${digits(r, 4)}/20.${digits(r, 4)}`,
  (r) => `10.${digits(r, 4)} / ${digits(r, 3)}`,
  (r) => `/usr/lib/python3.10.${digits(r, 2)}/site-packages/${word(r)}`,
];

export function temptingTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, (_, place) => ({
    text: (TEMPLATES[place % TEMPLATES.length] as (typeof TEMPLATES)[number])(random),
    names: [],
    reason: 'no DOI name',
  }));
}

/** Marks a name where it stands as it is. */
type Marked = string;
type Template = (random: Random, name: () => Marked) => string;

const mark = (source: string, name = source): Marked =>
  source === name ? `⟦${name}⟧` : `⟦${source}¦${name}⟧`;
const inTex = (name: string): string => name.replace(/[_%&#]/g, '\\$&');
const inQuery = (name: string): string => encodeURIComponent(name);

const AUTHORS =
  'Smith, J. | García Márquez, G. | Müller, K.-H. | O’Neil, P. | Li, X. | van der Berg, A. B. | Иванов, И. | 王, 伟'.split(
    ' | ',
  );
const TITLES =
  'On the 10.5 micron band of NGC 10.2 | A study of 1,000 cases (part 2) | Growth, decay; and rest | The role of <i>E. coli</i> in water | Version 10.1 of a model: results | What is known?'.split(
    ' | ',
  );
const JOURNALS =
  'J. Biol. | Nature | Phys. Rev. B | Tetrahedron Lett. | PLoS ONE | Ann. Phys. (Leipzig)'.split(' | ');

const author = (random: Random): string => random.of(AUTHORS);
const title = (random: Random): string => random.of(TITLES);
const journal = (random: Random): string => random.of(JOURNALS);
const pages = (random: Random): string => `${digits(random, 3)}-${digits(random, 3)}`;

/** Reference lists: the twelve styles. */
const STYLES: readonly Template[] = [
  (r, n) =>
    `${author(r)} (${year(r)}). ${title(r)}. ${journal(r)}, ${digits(r, 2)}(${digits(r, 1)}), ${pages(r)}. https://doi.org/${n()}`,
  (r, n) =>
    `${author(r)} ${title(r)}. ${journal(r)}. ${year(r)};${digits(r, 2)}(${digits(r, 1)}):${pages(r)}. doi:${n()}.`,
  (r, n) =>
    `${author(r)} "${title(r)}." ${journal(r)} ${digits(r, 2)}, no. ${digits(r, 1)} (${year(r)}): ${pages(r)}. https://doi.org/${n()}.`,
  (r, n) =>
    `[${digits(r, 2)}] ${author(r)}, “${title(r)},” ${journal(r)}, vol. ${digits(r, 2)}, pp. ${pages(r)}, ${year(r)}, doi: ${n()}.`,
  (r, n) =>
    `${author(r)} ${year(r)}, '${title(r)}', ${journal(r)}, vol. ${digits(r, 2)}, viewed 10.12.${year(r)}, <https://doi.org/${n()}>.`,
  (r, n) => `${author(r)} ${title(r)}. ${journal(r)} ${digits(r, 2)}, ${pages(r)} (${year(r)}). DOI: ${n()}`,
  (r, n) =>
    `${author(r)} “${title(r)}.” ${journal(r)} ${digits(r, 2)}.${digits(r, 1)} (${year(r)}): ${pages(r)}. Web. DOI ${n()}.`,
  (r, n) => `${digits(r, 2)}. ${author(r)} (${year(r)}) ${title(r)}. ${journal(r)} [${n()}]`,
  (r, n) => `${author(r)} ${title(r)} (${journal(r)}, ${year(r)}; ${n()}).`,
  (r, n) =>
    `${author(r)}, ${title(r)}, ${journal(r)} ${digits(r, 2)} (${year(r)}) ${pages(r)}, http://dx.doi.org/${n()}, ${author(r)}, ibid., ${n()}; ${n()}.`,
  (r, n) =>
    `${author(r)}: ${title(r)}. In: ${journal(r)}. Band ${digits(r, 2)}, ${year(r)}, S. ${pages(r)}, doi:${n()} (abgerufen am 10.12.${year(r)}).`,
  (r, n) =>
    `${author(r)} ${title(r)} // ${journal(r)}. ${year(r)}. Т. ${digits(r, 2)}, № ${digits(r, 1)}. С. ${pages(r)}. DOI: ${n()}.`,
];

const SENTENCES: readonly Template[] = [
  (_, n) => `As was shown (${n()}), it holds.`,
  (_, n) => `See ${n()}, ${n()} and ${n()}.`,
  (_, n) => `Is that what ${n()} says?`,
  (_, n) => `It is “${n()}”, not '${n()}'.`,
  (r, n) =>
    `In 10.${digits(r, 1)} of ${digits(r, 2)} cases [see doi:${n()}; ${digits(r, 3)}/10.${digits(r, 1)}] it failed.`,
  (_, n) => `Data: ${n()}. Code: https://doi.org/${n()}; see also info:doi/${n()}.`,
  (_, n) => `数据见${n()}。另见（${n()}）。`,
];

const TABLES: readonly Template[] = [
  (r, n) => `| ${author(r)} | ${n()} | ${year(r)} |`,
  (r, n) => `"${author(r)}","${n()}",${year(r)}\n"${author(r)}","${n()}",${year(r)}`,
  (r, n) => `${digits(r, 3)}\t${n()}\t${year(r)}\n${digits(r, 3)}\t${n()}\t${year(r)}`,
  (r, n) => `${digits(r, 3)},${n()},${year(r)}\n${digits(r, 3)},${n()},${year(r)}`,
  (r, n) => `${year(r)} & ${n()} & ${digits(r, 2)} \\\\`,
];

/** Where a name is spelled as the markup has it. */
type Spelled = (random: Random, name: (spell: (name: string) => string) => Marked) => string;

const MARKUP: readonly Spelled[] = [
  (r, n) =>
    `<p>${inEntities(author(r))} <a href="https://doi.org/${n((name) => inEntities(inUrl(name)))}">${n(inEntities)}</a>.</p>`,
  (_, n) =>
    `<a href='https://publisher.example/doi/full/${n((name) => inEntities(inUrl(name)))}?src=x&amp;y=1#s2'>x</a>`,
  (_, n) => `<meta name="citation_doi" content="${n(inEntities)}"/>`,
  (r, n) => `<mixed-citation>${year(r)}<pub-id pub-id-type="doi">${n(inEntities)}</pub-id></mixed-citation>`,
  (r, n) =>
    `@article{x${digits(r, 3)},\n  year = {${year(r)}},\n  doi = {${n(inTex)}},\n  url = {https://doi.org/${n(inUrl)}}\n}`,
  (_, n) => `\\bibitem{a} A title, \\href{https://doi.org/${n(inUrl)}}{link}, \\doi{${n(inTex)}}.`,
  (r, n) => `TY  - JOUR\nPY  - ${year(r)}\nDO  - ${n(String)}\nUR  - https://doi.org/${n(inUrl)}\nER  - `,
  (_, n) => `[a title](https://doi.org/${n(inUrl).replaceAll('(', '(')}) and <https://doi.org/${n(inUrl)}>`,
  (_, n) => `{"DOI":${jsonOf(n)},"URL":"https://doi.org/${n(inUrl)}"}`,
  (_, n) => `{{cite journal |doi=${n(String)} |url=https://publisher.example/a?doi=${n(inQuery)}&x=1 }}`,
  (_, n) =>
    `https://publisher.example/doi/pdf/${n(inUrl)}?download=true and https://publisher.example/x?id=${n(inQuery)}`,
  (_, n) => `https://login.proxy.example.edu/login?url=https%3A%2F%2Fdoi.org%2F${n(inQuery)}`,
];

function jsonOf(name: (spell: (name: string) => string) => Marked): string {
  return `"${name((plain) => plain.replaceAll('/', '\\/'))}"`;
}

export function generatedTexts(random: Random, count: number): CorpusText[] {
  return Array.from({ length: count }, () => {
    const kind = random.next();
    if (kind < 0.4) return plain(random, STYLES, 'a reference list', '\n');
    if (kind < 0.6) return plain(random, SENTENCES, 'a sentence', ' ');
    if (kind < 0.7) return plain(random, TABLES, 'a table', '\n');
    const template = random.of(MARKUP);
    return fromMarked(
      template(random, (spell) => spelled(anyName(random), spell)),
      'markup',
    );
  });
}

function spelled(name: string, spell: (name: string) => string): Marked {
  return mark(spell(name), name);
}

function plain(random: Random, templates: readonly Template[], reason: string, divider: string): CorpusText {
  const template = random.of(templates);
  const parts = Array.from({ length: 1 + random.below(3) }, () =>
    template(random, () => mark(anyName(random))),
  );
  return fromMarked(parts.join(divider), reason);
}
