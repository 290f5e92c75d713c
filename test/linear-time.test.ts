// No reader of foreign text needs more time than the length of the text allows, whatever the text is.

import { expect, it } from 'vitest';
import { equivalence, find, forms, parse, warnings } from '../src/doi/doi-names.ts';
import { readingsIn } from '../src/doi/find/find-dois.ts';
import { meantBy, referenceAround } from '../src/doi/find/reference-around.ts';
import { lookalikes } from '../src/doi/lookalikes.ts';
import type { HandleName } from '../src/doi/name.ts';
import { parseDoi } from '../src/doi/parse.ts';
import { percentDecodeLeniently } from '../src/doi/percent.ts';
import { readHandle, readShortDoi } from '../src/doi/read-handle.ts';
import { repairsOf } from '../src/doi/suggest.ts';
import { decodeData } from '../src/handle/data.ts';
import { excessOf } from '../src/handle/json.ts';
import { fillIn, readList } from '../src/handle/locations.ts';
import { redirectTarget } from '../src/handle/redirect-target.ts';
import { toRfc3339 } from '../src/handle/time.ts';
import { acceptedData, preferredEncoding } from '../src/http/response/negotiate.ts';
import { writeBibtex } from '../src/metadata/bibtex.ts';
import { readCrossrefWork } from '../src/metadata/crossref-work.ts';
import { readDataciteWork } from '../src/metadata/datacite-work.ts';
import { foldedWords, wordsIn } from '../src/metadata/folded-words.ts';
import { fitOfReference } from '../src/metadata/reference-fit.ts';
import { writeRis } from '../src/metadata/ris.ts';
import { readMarkup } from '../src/metadata/title-markup.ts';
import { readCreators, readWork } from '../src/metadata/work.ts';
import { safeLogLine, safeText } from '../src/safe-text.ts';
import { csvCells } from '../src/tools/bulk/csv-cells.ts';
import { formatOfLine, statedDelimiter } from '../src/tools/bulk/table-shape.ts';
import { readBibtex } from '../src/tools/cli/cite/bibtex-entries.ts';
import { hostileTexts } from './support/hostile-texts.ts';

const NAME = '10.1000/182' as HandleName;
const csl = (text: string) => ({ title: text, author: pieces(text), publisher: text, page: text, issued: text });
const pieces = (text: string) => text.match(/[^]{1,9}/g)?.map((family) => ({ family, given: text[0] })) ?? [];
const named = (text: string) => parseDoi(`10.1000/${text}`, 'NAME').name ?? parseDoi(NAME).name;
const agencyMembers = (text: string) => ({
  ...{ DOI: NAME, doi: NAME, title: [text], titles: [{ title: text }], publisher: text, publicationYear: text },
  ...{ author: [{ name: text, suffix: text }, ...pieces(text)], creators: [{ name: text }, ...pieces(text)] },
  relation: { [text]: [{ id: text, 'id-type': 'doi' }] },
  'update-to': pieces(text).map(({ family }) => ({ type: family, DOI: NAME, 'record-id': [family] })),
  relatedIdentifiers: pieces(text).map(({ family }) => ({ relationType: family, relatedIdentifier: family })),
});

/** The readers, each with one text. A new reader of foreign text needs a row. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  parse: (text) => parse(text),
  find: (text) => find(text),
  'find, all readings': (text) => [...readingsIn(text, { at: 0, floor: 0, context: null })],
  meantBy: (text) => meantBy(parseDoi(text)),
  'referenceAround the middle': (text) =>
    referenceAround(text, { start: text.length >> 1, end: (text.length >> 1) + 9 }),
  equivalence: (text) => equivalence(`10.1000/${text}`, `10.1000/${text}/`, lookalikes),
  percentDecodeLeniently,
  readHandle,
  readShortDoi,
  'forms of a name': (text) => forms(named(text) ?? ('' as never)),
  'warnings of a name': (text) => warnings(named(text) ?? ('' as never), lookalikes),
  'repairs of a name': (text) => repairsOf(named(text) ?? ('' as never), lookalikes),
  'skeleton of a name': (text) => lookalikes.plainSkeletonOf(text),
  'binary data': (text) => caught(() => decodeData({ format: 'base64', value: text })),
  excessOf: (text) => excessOf(`["${text}`),
  'a list of locations': (text) =>
    fillIn(readList(`<locations><location href_template="${text}{hdl}"/>${text}`), NAME),
  redirectTarget,
  toRfc3339,
  accept: (text) => acceptedData({ header: () => text }),
  'accept-encoding': (text) => preferredEncoding({ header: () => text }),
  readMarkup: (text) => readMarkup(text),
  'a name of any length': (text) => readCreators([{ literal: text }, { family: text, suffix: text }]),
  readWork: (text) => readWork(csl(text)),
  writeBibtex: (text) => writeBibtex(csl(text), NAME),
  writeRis: (text) => writeRis(csl(text), NAME),
  'a work of Crossref': (text) => readCrossrefWork(agencyMembers(text), NAME),
  'a work of DataCite': (text) =>
    readDataciteWork({ attributes: { ...agencyMembers(text), state: 'findable' } }, NAME),
  foldedWords,
  wordsIn: (text) => {
    const { has } = wordsIn(`${text}.`);
    return foldedWords(text).filter(has);
  },
  'fit of a reference': (text) =>
    fitOfReference({ text, isWhole: true }, { title: text, authors: [text], year: 2020 }),
  safeText: (text) => safeText(text),
  safeLogLine,
  csvCells: (text) => csvCells(text, ','),
  formatOfLine,
  statedDelimiter,
  readBibtex,
};

function caught(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

/** In UTF-16 units. A quadratic reader needs about 50 million steps for such a text. */
const LENGTH = 10_000;
/** A text that a reader reads faster is not measured again. */
const SUSPICIOUS_MS = 12;
/** For four times the length, a linear reader needs four times as long, a quadratic reader sixteen times. */
const MAX_GROWTH = 9;
const MEASUREMENTS = 4;

const LONG = hostileTexts(LENGTH);
const SHORT = hostileTexts(LENGTH / 4);

function msFor(read: (text: string) => unknown, text: string): number {
  const start = performance.now();
  read(text);
  return performance.now() - start;
}

/** The shortest of several measurements, because other work makes a measurement longer, never shorter. */
function shortestMs(read: (text: string) => unknown, text: string): number {
  return Math.min(...Array.from({ length: MEASUREMENTS }, () => msFor(read, text)));
}

it.each(Object.entries(READERS))('%s: the time grows no faster than the text', (_, read) => {
  const slow = LONG.flatMap((text, at) => {
    if (msFor(read, text) < SUSPICIOUS_MS) return [];
    const ms = shortestMs(read, text);
    if (ms < SUSPICIOUS_MS) return [];
    const growth = ms / shortestMs(read, SHORT[at] ?? '');
    return growth > MAX_GROWTH ? [{ text: text.slice(0, 20), ms, growth }] : [];
  });
  expect(slow).toEqual([]);
});
