// Writes a RIS record from CSL JSON.
// "RIS Format Specifications", Reference Manager, 2011

import type { HandleName } from 'doi-names';
import { handlePath } from 'doi-names/parts';
import { type Creator, readPeople } from './creators.ts';
import { cslIdentifiers } from './csl-item.ts';
import { addField, addTexts, type EntryFields } from './entry-tables.ts';
import { type CslItem, readTitles, readWork } from './work.ts';
import { entryTypes } from './work-types.ts';

/** Never throws. The record ends with a line feed, so records can be joined to a file. */
export function writeRis(csl: CslItem, name: HandleName): string {
  const titles = readTitles(csl);
  const { authors, editors, translators } = readPeople(csl);
  const { containerTitle, publisher, issued, page, type } = readWork(csl, titles);
  const [firstPage = null, lastPage = null] = pagesOf(page);
  const fields: EntryFields = new Map();
  addField(fields, 'TI', titles.whole?.text ?? null);
  addField(fields, 'T2', containerTitle);
  addField(fields, 'PB', publisher);
  addField(fields, 'PY', issued?.year.toString() ?? null);
  addField(fields, 'DA', issued?.text.replace(/(?<=\d)-/g, '/') ?? null);
  addField(fields, 'SP', firstPage);
  addField(fields, 'EP', lastPage);
  addTexts(fields, csl, 'ris', (text) => text);
  const numbers = [cslIdentifiers(csl['ISBN']), cslIdentifiers(csl['ISSN'])];
  addField(fields, 'DO', /\p{Cc}/u.test(name) ? handlePath(name) : name);
  addField(fields, 'UR', `https://doi.org/${handlePath(name)}`);

  const lines = [
    ['TY', entryTypes(type).ris],
    ...namesOf(authors, 'AU'),
    ...namesOf(editors, 'ED'),
    ...namesOf(translators, 'A4'),
    ...fields,
    ...numbers.flatMap((list) => list?.split(', ') ?? []).map((number) => ['SN', number]),
    ['ER', ''],
  ];
  return lines
    .map(([tag, text]) => `${tag}  - ${text}\n`)
    .join('')
    .toWellFormed();
}

/** `1-12`, `S1–S12`. Any other text is written as the first page. */
const RANGE = /^([^\s-\u2010-\u2015]+) ?[-\u2010-\u2015]+ ?([^\s-\u2010-\u2015]+)$/;

function pagesOf(page: string | null): readonly (string | null)[] {
  return RANGE.exec(page ?? '')?.slice(1) ?? [page];
}

function namesOf(people: readonly Creator[], tag: string): readonly (readonly [string, string])[] {
  return people.map((creator) => [tag, risName(creator)]);
}

/** `Beethoven, Ludwig van`, `King, Martin Luther, Jr.`, `World Health Organization` */
function risName({ name, family, given, particle, suffix }: Creator): string {
  if (family === null || given === null) return name;
  const surname = particle === null ? family : `${particle} ${family}`;
  return suffix === null ? `${surname}, ${given}` : `${surname}, ${given}, ${suffix}`;
}
