// A generated thesis of 400 references with titles. 20 references have the DOI of another reference.

import { randomNumbers, shuffled } from '../../support/random-numbers.ts';
import { type InventedWork, inventWorks } from '../../works/invented-works.ts';

export interface TitledThesis {
  readonly text: string;
  /** CSL JSON by name */
  readonly metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** names below the reference of another work */
  readonly swapped: ReadonlySet<string>;
}

const REFERENCES = 400;
const SWAPPED = 20;

export function writeTitledThesis(seed: number): TitledThesis {
  const works = inventWorks(REFERENCES, seed);
  const random = randomNumbers(seed + 1_000);
  const swapped = shuffled(
    works.map((_, index) => index),
    random,
  ).slice(0, SWAPPED);
  const names = works.map(({ name }) => name);
  // Each reference has the name of the next, and the last has the name of the first.
  for (const [at, index] of swapped.entries()) {
    names[index] = works[swapped[(at + 1) % SWAPPED] as number]?.name ?? '';
  }
  const sections = FORMATS.map((format, section) => {
    const entries = works.flatMap((work, index) =>
      index % FORMATS.length === section
        ? [format.entry(varied(work, index), names[index] as string, index)]
        : [],
    );
    return format.section(entries);
  });
  return {
    text: sections.join('\n\n'),
    metadata: Object.fromEntries(works.map((work, index) => [work.name, cslOf(work, index)])),
    swapped: new Set(swapped.map((index) => names[index] as string)),
  };
}

/** The work as a reference writes it. */
function varied(work: InventedWork, index: number): InventedWork {
  const { title, subtitle, translated } = work;
  const kind = index % 23;
  if (kind === 0) return { ...work, title: translated, subtitle: '' };
  if (kind === 1) return { ...work, title: title.toUpperCase() };
  if (kind === 2 || kind === 3) return { ...work, subtitle: '' };
  if (kind === 4) return { ...work, title: title.replace(/\b(\p{L}{4})\p{L}{4,}/gu, '$1.') };
  if (kind === 5) return { ...work, title: title.replaceAll('fi', '\uFB01').normalize('NFD') };
  if (kind === 6) return { ...work, subtitle: subtitle || 'with a new preface' };
  return work;
}

function cslOf(work: InventedWork, index: number): Readonly<Record<string, unknown>> {
  const { title, subtitle, authors, journal, year, volume, page } = work;
  const whole = subtitle === '' || index % 23 === 6 ? title : `${title}: ${subtitle}`;
  const marked = whole.replace(/\b(graphene|Arabidopsis thaliana|Kristallstrukturen)\b/, '<i>$1</i>');
  return {
    type: 'article-journal',
    title: index % 7 === 0 ? [marked] : marked,
    author: index % 31 === 30 ? [] : authors,
    'container-title': journal,
    issued: { 'date-parts': [[year]] },
    volume: String(volume),
    page: `${page}-${page + 11}`,
  };
}

interface Format {
  readonly entry: (work: InventedWork, name: string, index: number) => string;
  readonly section: (entries: readonly string[]) => string;
}

const whole = ({ title, subtitle }: InventedWork, divider = ': '): string =>
  subtitle === '' ? title : `${title}${divider}${subtitle}`;

const initials = (given: string): string => `${given.charAt(0)}.`;

function apa(work: InventedWork, name: string): string {
  const { authors, year, journal, volume, page } = work;
  const people = authors.map(({ family, given }) => `${family}, ${initials(given)}`).join(', & ');
  return `${people} (${year}). ${whole(work)}. ${journal}, ${volume}, ${page}–${page + 11}. https://doi.org/${name}`;
}

function vancouver(work: InventedWork, name: string): string {
  const { authors, year, journal, volume, page } = work;
  const people = authors.slice(0, 2).map(({ family, given }) => `${family} ${given.charAt(0)}`);
  const more = authors.length > 2 ? ', et al' : '';
  return `${people.join(', ')}${more}. ${whole(work, '. ')}. ${journal}. ${year};${volume}:${page}-${page + 11}. doi:${name}`;
}

function ieee(work: InventedWork, name: string): string {
  const { authors, year, journal, volume, page } = work;
  const people = authors.map(({ family, given }) => `${initials(given)} ${family}`).join(', ');
  return `${people}, “${whole(work)},” ${journal}, vol. ${volume}, pp. ${page}–${page + 11}, ${year}, doi: ${name}.`;
}

const LATEX: Readonly<Record<string, string>> = {
  ü: '\\"{u}',
  ö: '\\"o',
  é: "\\'{e}",
  Ü: '{\\"U}',
  ó: "\\'o",
};
const latex = (text: string): string => text.replace(/[üöéÜó]/g, (letter) => LATEX[letter] ?? letter);

function bibtex(work: InventedWork, name: string, index: number): string {
  const authors = work.authors.map(({ family, given }) => `${family}, ${given}`).join(' and ');
  const fields = [
    `  author = {${latex(authors)}},`,
    `  title = {{${latex(whole(work)).replace(/ (\p{Lu})/gu, ' {$1}')}}},`,
    `  journal = {${latex(work.journal)}},`,
    `  year = ${work.year},`,
    `  url = {https://doi.org/${name}},`,
  ];
  // The name may come before or after the title.
  const placed = index % 2 === 0 ? [`  doi = {${name}},`, ...fields] : [...fields, `  doi = {${name}}`];
  return `@article{key${index},\n${placed.join('\n')}\n}`;
}

function ris(work: InventedWork, name: string): string {
  const authors = work.authors.map(({ family, given }) => `AU  - ${family}, ${given}\n`).join('');
  return `TY  - JOUR\nDO  - ${name}\n${authors}TI  - ${whole(work)}\nJO  - ${work.journal}\nPY  - ${work.year}\nER  - `;
}

/** In lines of 60 characters with divided words, as copied from a PDF. */
function wrapped(entry: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of entry.split(' ')) {
    if (line.length + word.length < 60) line += line === '' ? word : ` ${word}`;
    else if (/^\p{Ll}{8,}$/u.test(word)) {
      lines.push(`${line} ${word.slice(0, 4)}-`);
      line = word.slice(4);
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join('\n');
}

const lines = (entries: readonly string[]): string => entries.join('\n');
const paragraphs = (entries: readonly string[]): string => entries.join('\n\n');

const FORMATS: readonly Format[] = [
  { entry: apa, section: paragraphs },
  { entry: apa, section: lines },
  { entry: (work, name) => wrapped(apa(work, name)), section: paragraphs },
  { entry: vancouver, section: (entries) => lines(entries.map((entry, at) => `${at + 1}. ${entry}`)) },
  { entry: ieee, section: (entries) => lines(entries.map((entry, at) => `[${at + 1}] ${wrapped(entry)}`)) },
  { entry: bibtex, section: paragraphs },
  { entry: bibtex, section: lines },
  { entry: ris, section: lines },
  { entry: apa, section: (entries) => lines(entries.map((entry) => `- ${entry}`)) },
  {
    entry: (work, name) =>
      `<li>${apa(work, '').replace('https://doi.org/', '')}<a href="https://doi.org/${name}">https://doi.org/${name}</a></li>`,
    section: (entries) => `<ol>${entries.join('')}</ol>`,
  },
  {
    entry: (work, name, index) =>
      `\\bibitem{k${index}} ${latex(vancouver(work, ''))} \\url{https://doi.org/${name}}`,
    section: lines,
  },
  { entry: vancouver, section: (entries) => entries.join('; ') },
];
