// The details of a work whose agency has only CSL JSON: from content negotiation, or from a file of metadata.

import type { AgencyObject } from './agency-json.ts';
import { readFunding, readLicenses } from './crossref-details.ts';
import { textReader } from './detail-readers.ts';
import { CSL_DATES, datesIn } from './work-dates.ts';
import type { WorkDetails } from './work-details.ts';
import { kindNamed } from './work-kinds.ts';
import { WORK_LIMITS } from './work-limits.ts';

export function readCslDetails(csl: AgencyObject): WorkDetails {
  const text = textReader();
  const type = text(csl['type']);
  return {
    kind: kindNamed(type) ?? 'OTHER',
    agencyType: type,
    resourceType: text(csl['genre']),
    subjects: listInText(text(csl['keyword']), /[,;]/),
    contributors: null,
    dates: datesIn(csl, CSL_DATES),
    licenses: readLicenses(csl['license']),
    funding: readFunding(csl['funder'], text),
    sizes: [],
    formats: [],
    fullTexts: [],
    referenceCount: null,
    citationCount: null,
    registeredAt: null,
  };
}

/** Splits a text that stands for a list, because CSL has no lists: `1687-7977, 1687-7969`. */
export function listInText(value: unknown, separator: RegExp = /,/): readonly string[] {
  if (typeof value !== 'string') return [];
  const parts = value.split(separator, WORK_LIMITS.listEntries);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
