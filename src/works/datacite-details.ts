// Reads the details of a work from the attributes of an entry of DataCite's REST API.
// https://datacite-metadata-schema.readthedocs.io/en/4.6/

import { abstractText } from './abstract-text.ts';
import { rorAddress } from './affiliations.ts';
import { type AgencyObject, agencyDoi, isObject, listOf, members, word } from './agency-json.ts';
import { cslPeople } from './csl-people.ts';
import { listedPerson } from './datacite-people.ts';
import { count, entriesOf, readEach, safeUri, type TextReader, textReader, time } from './detail-readers.ts';
import { markupBudget } from './markup-budget.ts';
import { spdxOfAddress, spdxSpelling } from './spdx.ts';
import { readDataciteDates } from './work-dates.ts';
import type { Funding, License, WorkDetails } from './work-details.ts';
import { kindOfDatacite } from './work-kinds.ts';

/** The members that `readDataciteDetails` reads, without `types`, `dates`, `contributors` and `language`. */
export const DATACITE_DETAIL_FIELDS: readonly string[] = Object.freeze([
  ...['descriptions', 'subjects', 'rightsList', 'fundingReferences', 'sizes', 'formats'],
  ...['registered', 'citationCount', 'referenceCount'],
]);

export function readDataciteDetails(record: AgencyObject): WorkDetails {
  const text = textReader();
  const types = members(record['types']);
  const resourceTypeGeneral = word(types['resourceTypeGeneral']);
  const resourceType = text(types['resourceType']);
  return {
    kind: kindOfDatacite({ resourceTypeGeneral, citeproc: word(types['citeproc']), resourceType }),
    agencyType: resourceTypeGeneral,
    resourceType,
    subjects: readDataciteSubjects(record['subjects'], text),
    contributors: readContributors(record['contributors']),
    dates: readDataciteDates(record['dates']),
    licenses: readEach(record['rightsList'], (each) => readLicense(each, text)),
    funding: readEach(record['fundingReferences'], (each) => readFunding(each, text)),
    sizes: readEach(record['sizes'], text),
    formats: readEach(record['formats'], text),
    fullTexts: [],
    referenceCount: count(record['referenceCount']),
    citationCount: count(record['citationCount']),
    registeredAt: time(record['registered']),
  };
}

/** Each contributor as a name of CSL. A person with two roles is in the list twice. */
function readContributors(value: unknown): readonly AgencyObject[] {
  const budget = markupBudget();
  return entriesOf(value).flatMap((entry) => {
    const [name] = cslPeople([listedPerson(entry)], budget) ?? [];
    const contributorType = word(members(entry)['contributorType']) ?? 'Other';
    return name === undefined ? [] : [{ ...name, contributorType }];
  });
}

/** The abstract in the language of the work, else the first abstract. */
export function readDataciteAbstract(record: AgencyObject): string | null {
  const language = languageOf(record['language']);
  const abstracts = entriesOf(record['descriptions'])
    .map(members)
    .filter(({ descriptionType }) => word(descriptionType) === 'Abstract');
  const own = abstracts.filter(({ lang }) => language !== null && languageOf(lang) === language);
  return abstractText([...own.slice(0, 5), ...abstracts].map(({ description }) => listOf(description)[0]));
}

/** `en` for `en-US`, and for `eng`, which some records have. */
function languageOf(tag: unknown): string | null {
  const [language] = /^[a-z]{2,3}(?![^-_])/.exec(word(tag)?.toLowerCase() ?? '') ?? [];
  return language === undefined ? null : new Intl.Locale(language).language;
}

export function readDataciteSubjects(value: unknown, text = textReader()): readonly string[] {
  return onceInAnyCase(readEach(value, (each) => text(isObject(each) ? each['subject'] : each)));
}

/** The first spelling of each text. */
function onceInAnyCase(texts: readonly string[]): readonly string[] {
  const first = new Map(texts.toReversed().map((text) => [text.toLowerCase(), text]));
  return texts.filter((text) => {
    const isFirst = first.get(text.toLowerCase()) === text;
    if (isFirst) first.delete(text.toLowerCase());
    return isFirst;
  });
}

/** Old records have the words alone: `"CC BY 4.0"`. */
function readLicense(value: unknown, text: TextReader): License | null {
  const rights = isObject(value) ? value : { rights: value };
  const url = safeUri(rights['rightsUri']);
  const name = text(rights['rights']);
  const isSpdx = word(rights['rightsIdentifierScheme'])?.toUpperCase() === 'SPDX';
  const spdx = (isSpdx ? spdxSpelling(word(rights['rightsIdentifier'])) : null) ?? spdxOfAddress(url);
  if (url === null && name === null && spdx === null) return null;
  return { url, name, spdx, appliesTo: null, from: null };
}

function readFunding(value: unknown, text: TextReader): Funding | null {
  const reference = members(value);
  const funderId = funderAddress(word(reference['funderIdentifier']));
  const funder = text(reference['funderName']) ?? funderId;
  if (funder === null) return null;
  const awardNumber = text(reference['awardNumber']);
  const awardTitle = text(reference['awardTitle']);
  return { funder, funderId, awardNumber, awardTitle, awardUrl: safeUri(reference['awardUri']) };
}

/** `https://ror.org/00k4n6c32`, `grid.270680.b`: only ROR and the registry of funders have an address. */
function funderAddress(identifier: string | null): string | null {
  const ror = rorAddress(identifier);
  if (ror !== null) return ror;
  const doi = agencyDoi(identifier);
  return doi?.startsWith('10.13039/') ? `https://doi.org/${doi}` : null;
}
