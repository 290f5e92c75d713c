// No reader of foreign text needs more time than the length of the text allows, whatever the text is.

import { readdirSync } from 'node:fs';
import { type DoiName, equivalence, parse } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { meantBy, punctuatedNames, readingsIn, referenceAround, UnnamedEntries } from 'doi-names/parts';
import { expect, it } from 'vitest';
import { referenceText } from '../packages/doi-names/src/find/reference-text.ts';
import { repairsOf } from '../packages/doi-names/src/suggest.ts';
import { doiWarnings } from '../packages/doi-names/src/warnings.ts';
import { decodeData } from '../src/handle/data.ts';
import { fillIn, readList } from '../src/handle/locations.ts';
import { acceptedData, preferredEncoding } from '../src/http/response/negotiate.ts';
import { safeLogLine, safeText } from '../src/safe-text.ts';
import { csvCells } from '../src/tools/bulk/csv-cells.ts';
import { formatOfLine, statedDelimiter } from '../src/tools/bulk/table-shape.ts';
import { abstractText } from '../src/works/abstract-text.ts';
import { rorOf } from '../src/works/affiliations.ts';
import { writeBibtex } from '../src/works/bibtex.ts';
import { readContributors } from '../src/works/contributors.ts';
import { readCreators } from '../src/works/creators.ts';
import { readCrossrefDetails } from '../src/works/crossref-details.ts';
import { readCrossrefWork } from '../src/works/crossref-work.ts';
import { readCslDetails } from '../src/works/csl-details.ts';
import { cslPeople } from '../src/works/csl-people.ts';
import { readDataciteDetails } from '../src/works/datacite-details.ts';
import { readDataciteWork } from '../src/works/datacite-work.ts';
import { foldedWords, wordsIn } from '../src/works/folded-words.ts';
import { judgeReference } from '../src/works/matching/match-reference.ts';
import { dataciteQuery, searchText } from '../src/works/matching/search-queries.ts';
import { fitOfReference } from '../src/works/reference-fit.ts';
import { readBibtex } from '../src/works/reference-lists/bibtex-entries.ts';
import { bibtexWords, taggedWords } from '../src/works/reference-lists/record-words.ts';
import { crossrefReferences, readReference, referenceEntries } from '../src/works/references.ts';
import { writeRis } from '../src/works/ris.ts';
import { readTexLetters } from '../src/works/tex-letters.ts';
import { readWork } from '../src/works/work.ts';
import { kindOfDatacite } from '../src/works/work-kinds.ts';
import { hostileTexts } from './support/hostile-texts.ts';

type Reader = (text: string) => unknown;

const NAME = '10.1000/182' as DoiName;
const NAMES_IN_LIST = 60;
const people = (text: string) =>
  Array.from({ length: NAMES_IN_LIST }, (_, at) => ({ family: text, suffix: `${at}` }));
const csl = (text: string) => ({ title: text, author: text, publisher: text, page: text, abstract: text });
const agencyMembers = (text: string) => ({
  ...{ DOI: NAME, doi: NAME, title: [text], titles: [{ title: text }], publisher: text, state: 'findable' },
  ...{
    author: [{ name: text, suffix: text, affiliation: [text, { name: text }] }],
    creators: [{ name: text }],
  },
  ...{ relation: { [text]: [{ id: text, 'id-type': 'doi' }] }, subtitle: [text], page: text },
  'update-to': [{ type: text, DOI: NAME, 'record-id': text }],
  relatedIdentifiers: [{ relationType: text, relatedIdentifier: text }],
});
const bibtexField = (name: string, text: string) => ({
  name,
  start: 0,
  end: 0,
  value: `"${text}"`,
  content: text,
});
const details = (text: string) => ({
  ...{ subject: [text, text], license: { URL: `https://${text}` }, created: { 'date-time': text } },
  ...{ funder: [{ name: text, DOI: text, award: text }], link: { URL: text }, 'references-count': text },
  ...{ subjects: [{ subject: text }], rightsList: { rights: text, rightsIdentifier: text, rightsUri: text } },
  ...{ descriptions: [{ descriptionType: 'Abstract', description: text, lang: text }], language: text },
  ...{ contributors: [{ contributorType: text, name: text, affiliation: [text] }], issued: text },
  dates: [
    { date: text, dateType: text },
    { date: `2001/${text}`, dateType: text },
  ],
  ...{ fundingReferences: { funderName: text, funderIdentifier: text }, registered: text, sizes: text },
});
const ofName = (read: (name: never) => unknown): Reader => {
  return (text) => read((parse(`10.1000/${text}`).name ?? NAME) as never);
};

/** In pieces, as a file is read. */
function unnamedEntries(text: string): void {
  const entries = new UnnamedEntries();
  for (let at = 0; at < text.length; at += 65_536) entries.add(text.slice(at, at + 65_536));
  entries.end();
}

/** Readers of what clients send, and of records, that take more than a text. */
const TEXT_READERS: Readonly<Record<string, Reader>> = {
  unnamedEntries,
  'unnamedEntries, in an item': (text) => unnamedEntries(`- [1] ${text}`),
  'unnamedEntries, in a record': (text) => unnamedEntries(`@article{a,\n${text}`),
  readingsIn: (text) => [...readingsIn(text, { at: 0, floor: 0, context: null })],
  meantBy: (text) => meantBy(parse(text) as never),
  referenceAround: (text) => referenceAround(text, { start: text.length >> 1, end: (text.length >> 1) + 9 }),
  punctuatedNames: (text) => punctuatedNames(text, { name: NAME as never, start: 0, end: 1 } as never),
  equivalence: (text) => equivalence(`10.1000/${text}`, `10.1000/${text}/`, lookalikes),
  doiWarnings: ofName((name) => doiWarnings(name, lookalikes)),
  repairsOf: ofName((name) => repairsOf(name, lookalikes)),
  'skeletons of lookalikes': (text) => lookalikes.plainSkeletonOf(text),
  decodeData: (text) => decodeData({ format: 'base64', value: text }),
  readList: (text) => fillIn(readList(`<locations><location href_template="${text}{hdl}"/>${text}`), NAME),
  acceptedData: (text) => acceptedData({ header: () => text }),
  preferredEncoding: (text) => preferredEncoding({ header: () => text }),
  safeText: (text) => safeText(text),
  safeLogLine,
  csvCells: (text) => csvCells(text, ','),
  formatOfLine,
  statedDelimiter,
  readBibtex,
  bibtexWords: (text) =>
    bibtexWords({ fields: ['title', 'author', 'journal'].map((name) => bibtexField(name, text)) }),
  taggedWords: (text) => taggedWords(`TI  - ${text}\nAU  - ${text}\nDO  - ${text}`),
  referenceText: (text) => referenceText([text]),
  abstractText,
};

/** Readers of works. `WORK_LIMITS` has the longest title and the longest reference. */
const WORK_READERS: Readonly<Record<string, Reader>> = {
  readWork: (text) => readWork(csl(text)).creators,
  writeBibtex: (text) => writeBibtex(csl(text), NAME),
  writeRis: (text) => writeRis(csl(text), NAME),
  readCrossrefWork: (text) => readCrossrefWork(agencyMembers(text), NAME),
  readDataciteWork: (text) => readDataciteWork({ attributes: agencyMembers(text) }, NAME),
  readCrossrefDetails: (text) => readCrossrefDetails(details(text)),
  readDataciteDetails: (text) => readDataciteDetails(details(text)),
  readCslDetails: (text) => readCslDetails({ type: text, keyword: text, genre: text }),
  readReference: (text) =>
    referenceEntries(
      crossrefReferences({ reference: { DOI: text, unstructured: text, author: text, year: text } }),
    )?.map((entry) => readReference(entry as Readonly<Record<string, unknown>>)),
  readContributors: (text) => readContributors(csl(text), [{ contributorType: text, family: text }]),
  rorOf: (text) => rorOf({ id: [{ id: text, 'id-type': 'ROR' }] }),
  kindOfDatacite: (text) =>
    kindOfDatacite({ resourceTypeGeneral: 'Text', citeproc: text, resourceType: text }),
  readTexLetters,
  wordsIn: (text) => foldedWords(text).filter(wordsIn(`${text}.`).has),
  fitOfReference: (text) =>
    fitOfReference({ text, isWhole: true }, { title: text, authors: [text], year: 2020 }),
  searchText,
  dataciteQuery,
  judgeReference: (text) =>
    judgeReference(
      text,
      [{ doi: NAME, ...readCrossrefWork({ ...agencyMembers(text), 'container-title': [text] }, NAME) }],
      () => Promise.resolve(),
    ),
};

/** Readers of names. One name has at most this many characters, so a list of names shows a reader that is too slow. */
const NAME_CHARACTERS = 1_000;
const NAME_READERS: Readonly<Record<string, Reader>> = {
  readCreators: (text) => readCreators(people(text)),
  cslPeople: (text) => cslPeople(people(text)),
};

/** In UTF-16 units. A body can be larger, but a quadratic reader already needs minutes for a text of this length. */
const TEXT_CHARACTERS = 200_000;
/** The limit for titles and references. */
const WORK_CHARACTERS = 10_000;
/** A faster reader is not measured again. A quadratic reader takes a hundred milliseconds and more. */
const SUSPICIOUS_MS = 25;
/** For four times the length, a linear reader needs four times as long, a quadratic reader sixteen times. */
const MAX_GROWTH = 8;

/** The system reports processor time in steps, so a shorter time can be reported as zero. */
const LEAST_MS = 2;

/** Processor time, because a busy machine makes the time on the clock longer. */
function msFor(read: Reader, text: string): number {
  const start = process.cpuUsage();
  caught(() => read(text));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function caught(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

const texts = new Map<number, readonly string[]>();

function textsOf(characters: number): readonly string[] {
  const made = texts.get(characters) ?? hostileTexts(characters);
  texts.set(characters, made);
  return made;
}

/** The shortest of three measurements, because collecting garbage makes a measurement longer, never shorter. */
const shortestMs = (read: Reader, text: string): number =>
  Math.min(msFor(read, text), msFor(read, text), msFor(read, text));

/** The growth of the time between a quarter of the length and the length; the smaller of two measurements. */
function growthOf(read: Reader, at: number, characters: number): number {
  const [short = '', long = ''] = [characters / 4, characters].map((length) => textsOf(length)[at]);
  const measured = () => shortestMs(read, long) / Math.max(LEAST_MS, shortestMs(read, short));
  const growth = measured();
  return growth > MAX_GROWTH ? Math.min(growth, measured()) : growth;
}

function slowTexts(read: Reader, characters: number): readonly object[] {
  return textsOf(characters).flatMap((text, at) => {
    const ms = msFor(read, text);
    if (ms < SUSPICIOUS_MS) return [];
    const growth = growthOf(read, at, characters);
    return growth > MAX_GROWTH ? [{ text: text.slice(0, 20), ms, growth }] : [];
  });
}

it.each(Object.entries(TEXT_READERS))('%s: the time grows no faster than the text', (_, read) => {
  expect(slowTexts(read, TEXT_CHARACTERS)).toEqual([]);
});

it.each(Object.entries(WORK_READERS))('%s: the time grows no faster than the title', (_, read) => {
  expect(slowTexts(read, WORK_CHARACTERS)).toEqual([]);
});

it.each(Object.entries(NAME_READERS))('%s: the time grows no faster than each name', (_, read) => {
  expect(slowTexts(read, NAME_CHARACTERS)).toEqual([]);
});

const FOLDERS = {
  'packages/doi-names/src': TEXT_CHARACTERS,
  'packages/doi-names/src/find': TEXT_CHARACTERS,
  'src/handle': TEXT_CHARACTERS,
  'src/works': WORK_CHARACTERS,
};

/** They throw for a text, because they take a parsed value. What parses it has a row. */
const TAKE_NO_TEXT: readonly string[] = [
  ...[
    'aliasOf',
    'canRedirect',
    'cslAffiliations',
    'cslKeyword',
    'equivalenceClasses',
    'expiresAtOf',
    'gluedFormLength',
    'handleThatIsNotDoi',
  ],
  ...['insideOfPair', 'isForPrograms', 'jsonIn', 'layoutOf', 'longest', 'madeBy', 'namedWork'],
  'readLocationTemplates',
  ...['readNamespace', 'relationDoi', 'timestampOf', 'trustedValues', 'urlsOf'],
];
/** They read the operator's files and our own tables, when the process starts. */
const READ_TRUSTED_TEXT: readonly string[] = [
  'readDataTypes',
  'decodeConfusables',
  'asciiTable',
  'encoderOf',
];

/** Their results are many times as long as the text, so most of their time is for memory. */
const WITH_LONG_RESULTS: readonly string[] = ['forms', 'codePoints', 'utf8Hex'];

interface Exported {
  readonly name: string;
  readonly read: Reader;
  readonly characters: number;
}

/** The exported functions of a folder that take one argument. The folders have no side effects when they are imported. */
async function exportedBy(folder: string, characters: number): Promise<Exported[]> {
  const files = readdirSync(new URL(`../${folder}`, import.meta.url)).filter(
    (file) => file.endsWith('.ts') && file !== 'parts.ts',
  );
  const modules = await Promise.all(files.map((file) => import(/* @vite-ignore */ `../${folder}/${file}`)));
  return modules
    .flatMap((module) => Object.entries<unknown>(module))
    .filter((entry): entry is [string, Reader] => typeof entry[1] === 'function' && entry[1].length === 1)
    .map(([name, read]) => ({
      name,
      read,
      characters: WITH_LONG_RESULTS.includes(name) ? WORK_CHARACTERS : characters,
    }))
    .filter(({ name }) => !KNOWN.has(name));
}

const KNOWN = new Set([
  ...[TEXT_READERS, WORK_READERS, NAME_READERS].flatMap(Object.keys),
  ...READ_TRUSTED_TEXT,
]);
const exported = (await Promise.all(Object.entries(FOLDERS).map((row) => exportedBy(...row)))).flat();

const takesText = ({ read }: Exported): boolean => !(caught(() => read('a')) instanceof TypeError);

it.each(exported.filter(takesText))(
  '$name: the time grows no faster than the text',
  ({ read, characters }) => {
    expect(slowTexts(read, characters)).toEqual([]);
  },
);

it('each exported function of one argument takes a text, has a row, or is listed', () => {
  const others = exported.filter((one) => !takesText(one)).map(({ name }) => name);
  expect(others.sort()).toEqual([...TAKE_NO_TEXT].sort());
});
