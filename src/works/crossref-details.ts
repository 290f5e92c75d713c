// Reads the details of a work from an item of Crossref's REST API.
// https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md

import { rorOf } from './affiliations.ts';
import { type AgencyObject, agencyDoi, members, word } from './agency-json.ts';
import {
  count,
  entriesOf,
  readEach,
  type TextReader,
  textReader,
  time,
  webAddress,
} from './detail-readers.ts';
import { readPartialDate } from './partial-date.ts';
import { spdxOfAddress } from './spdx.ts';
import { CROSSREF_DATES, datesIn } from './work-dates.ts';
import type { FullText, Funding, License, WorkDetails } from './work-details.ts';
import { kindOfCrossref } from './work-kinds.ts';
import { WORK_LIMITS } from './work-limits.ts';

/** The members that `readCrossrefDetails` reads, without `type`, `degree` and the dates. Crossref refuses `subtype` in `select`. */
export const CROSSREF_DETAIL_FIELDS: readonly string[] = Object.freeze([
  ...['subject', 'license', 'funder', 'link', 'references-count', 'is-referenced-by-count', 'created'],
]);

export function readCrossrefDetails(work: AgencyObject): WorkDetails {
  const text = textReader();
  const type = word(work['type']);
  const subtype = word(work['subtype']);
  return {
    kind: kindOfCrossref(type, subtype),
    agencyType: type,
    resourceType: subtype ?? text(work['degree']),
    subjects: readSubjects(work['subject'], text),
    contributors: null,
    dates: datesIn(work, CROSSREF_DATES),
    licenses: readLicenses(work['license']),
    funding: readFunding(work['funder'], text),
    sizes: [],
    formats: [],
    fullTexts: readEach(work['link'], readFullText),
    referenceCount: count(work['references-count']),
    citationCount: count(work['is-referenced-by-count']),
    registeredAt: time(members(work['created'])['date-time']),
  };
}

export function readSubjects(value: unknown, text = textReader()): readonly string[] {
  return readEach(value, text);
}

/** Also reads CSL from content negotiation that has the members of Crossref. */
export function readLicenses(value: unknown): readonly License[] {
  return readEach(value, readLicense);
}

function readLicense(value: unknown): License | null {
  const license = members(value);
  const url = webAddress(license['URL']);
  if (url === null) return null;
  const from = readPartialDate(license['start']);
  return { url, name: null, spdx: spdxOfAddress(url), appliesTo: word(license['content-version']), from };
}

/** One entry for each award. All funders together have at most as many entries as a list. */
export function readFunding(value: unknown, text: TextReader): readonly Funding[] {
  const funding: Funding[] = [];
  for (const entry of entriesOf(value)) {
    const member = members(entry);
    const funderId = funderAddress(member);
    const funder = text(member['name']) ?? funderId;
    if (funder === null) continue;
    const awards = readEach(member['award'], text);
    for (const awardNumber of awards.length > 0 ? awards : [null]) {
      if (funding.length === WORK_LIMITS.listEntries) return funding;
      funding.push({ funder, funderId, awardNumber, awardTitle: null, awardUrl: null });
    }
  }
  return funding;
}

/** The DOI of the registry of funders, else a ROR identifier: deposits of recent years have no DOI. */
function funderAddress(funder: AgencyObject): string | null {
  const doi = agencyDoi(funder['DOI']);
  return doi === null ? rorOf(funder) : `https://doi.org/${doi}`;
}

function readFullText(value: unknown): FullText | null {
  const link = members(value);
  const url = webAddress(link['URL']);
  if (url === null) return null;
  const [contentType, version] = [word(link['content-type']), word(link['content-version'])];
  return { url, contentType, version, intendedFor: word(link['intended-application']) };
}
