// The readers of foreign text, each as a function of one text.

import { type DoiName, equivalence, parse } from 'doi-names';
import { lookalikes } from 'doi-names/lookalikes';
import { meantBy, punctuatedNames, readingsIn, referenceAround, UnnamedEntries } from 'doi-names/parts';
import { referenceText } from '../../packages/doi-names/src/find/reference-text.ts';
import { repairsOf } from '../../packages/doi-names/src/suggest.ts';
import { doiWarnings } from '../../packages/doi-names/src/warnings.ts';
import { decodeData } from '../../src/handle/data.ts';
import { fillIn, readList } from '../../src/handle/locations.ts';
import { acceptedData, preferredEncoding } from '../../src/http/response/negotiate.ts';
import { safeLogLine, safeText } from '../../src/safe-text.ts';
import { csvCells } from '../../src/tools/bulk/csv-cells.ts';
import { formatOfLine, statedDelimiter } from '../../src/tools/bulk/table-shape.ts';
import {
  referenceKey,
  searchedWords,
  searchedWordsAround,
} from '../../src/tools/gateway-client/searched-words.ts';
import { abstractText } from '../../src/works/abstract-text.ts';
import { rorOf } from '../../src/works/affiliations.ts';
import { writeBibtex } from '../../src/works/bibtex.ts';
import { readContributors } from '../../src/works/contributors.ts';
import { readCreators } from '../../src/works/creators.ts';
import { readCrossrefDetails } from '../../src/works/crossref-details.ts';
import { readCrossrefWork } from '../../src/works/crossref-work.ts';
import { readCslDetails } from '../../src/works/csl-details.ts';
import { cslPeople } from '../../src/works/csl-people.ts';
import { readDataciteDetails } from '../../src/works/datacite-details.ts';
import { readDataciteWork } from '../../src/works/datacite-work.ts';
import { foldedWords, wordsIn } from '../../src/works/folded-words.ts';
import { judgeReference } from '../../src/works/matching/match-reference.ts';
import { dataciteQuery, searchText } from '../../src/works/matching/search-queries.ts';
import { fitOfReference } from '../../src/works/reference-fit.ts';
import { readBibtex } from '../../src/works/reference-lists/bibtex-entries.ts';
import { bibtexWords, taggedWords } from '../../src/works/reference-lists/record-words.ts';
import { crossrefReferences, readReference, referenceEntries } from '../../src/works/references.ts';
import { writeRis } from '../../src/works/ris.ts';
import { readTexLetters } from '../../src/works/tex-letters.ts';
import { readWork } from '../../src/works/work.ts';
import { kindOfDatacite } from '../../src/works/work-kinds.ts';

export type Reader = (text: string) => unknown;

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

/** Reads the text in pieces, like a file. */
function unnamedEntries(text: string): void {
  const entries = new UnnamedEntries();
  for (let at = 0; at < text.length; at += 65_536) entries.add(text.slice(at, at + 65_536));
  entries.end();
}

/** Readers of requests and records that take more than a text. */
export const TEXT_READERS: Readonly<Record<string, Reader>> = {
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
  searchedWords,
  searchedWordsAround,
  'searchedWords of a record': (text) => searchedWords(`@article{a,\n title = {${text}`),
  referenceKey,
  taggedWords: (text) => taggedWords(`TI  - ${text}\nAU  - ${text}\nDO  - ${text}`),
  referenceText: (text) => referenceText([text]),
  abstractText,
};

/** Readers of works. `WORK_LIMITS` has the longest title and the longest reference. */
export const WORK_READERS: Readonly<Record<string, Reader>> = {
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
export const NAME_CHARACTERS = 1_000;
export const NAME_READERS: Readonly<Record<string, Reader>> = {
  readCreators: (text) => readCreators(people(text)),
  cslPeople: (text) => cslPeople(people(text)),
};
